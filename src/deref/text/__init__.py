"""Pure string work that several bricks share: cleaning with an offset map, labels, names, words."""
