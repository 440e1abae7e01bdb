"""What a catalogue of now has to lose to be one of a former layout."""

LAYOUT_5 = """
ALTER TABLE passages DROP COLUMN line_start;
ALTER TABLE passages DROP COLUMN line_end;
ALTER TABLE passages DROP COLUMN section;
ALTER TABLE passages DROP COLUMN tokens;
ALTER TABLE passages DROP COLUMN path;
ALTER TABLE passages DROP COLUMN header_start;
ALTER TABLE passages DROP COLUMN header_end;
ALTER TABLE passages DROP COLUMN cut_out;
UPDATE properties SET value = '5' WHERE key = 'layout';
"""
