"""The texts of the PDF and DOCX files of the deal room, and the two writers that set them."""
