"""What a catalogue of now has to lose to be one of a former layout."""

LAYOUT_6 = """
DROP TABLE standings;
ALTER TABLE documents ADD COLUMN successor TEXT NOT NULL DEFAULT '';
ALTER TABLE documents ADD COLUMN status_why TEXT NOT NULL DEFAULT '';
UPDATE properties SET value = '6' WHERE key = 'layout';
"""
LAYOUT_5 = f"""
{LAYOUT_6}
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
LAYOUT_4 = f"""
{LAYOUT_5}
DROP TABLE stated;
DROP TABLE marks;
ALTER TABLE documents DROP COLUMN successor;
ALTER TABLE documents DROP COLUMN status_why;
ALTER TABLE passages DROP COLUMN paths;
ALTER TABLE passages DROP COLUMN page;
ALTER TABLE passages DROP COLUMN end_page;
ALTER TABLE passages DROP COLUMN kinds;
UPDATE documents SET status = 'active';
UPDATE properties SET value = '4' WHERE key = 'layout';
"""
LAYOUT_3 = f"""
{LAYOUT_4}
DROP TABLE name_trigrams;
DROP TABLE names;
UPDATE properties SET value = '3' WHERE key = 'layout';
"""
LAYOUT_2 = f"""
{LAYOUT_3}
DROP TABLE former;
ALTER TABLE documents DROP COLUMN since_ns;
ALTER TABLE aliases ADD COLUMN alias_key TEXT NOT NULL DEFAULT '';
CREATE INDEX ix_aliases_alias_key ON aliases (alias_key);
CREATE INDEX ix_sections_doc_label ON sections (doc, label_key);
CREATE INDEX ix_passages_id ON passages (id);
DELETE FROM properties WHERE key = 'history';
UPDATE properties SET value = '2' WHERE key = 'layout';
"""
