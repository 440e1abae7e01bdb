"""How many of the finder's hits are references: hits labelled by hand, and the finder of today measured on them."""
