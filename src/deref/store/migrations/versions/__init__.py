"""One revision for each layout: `layout_7.py` is how a catalogue of layout 6 comes to 7."""
