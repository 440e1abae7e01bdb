"""One library: a relational catalogue and a full-text index, opened as one `Store`.

`library` opens it; `memory` is its double. `schema` holds the tables, `statements` what is read from them,
`passages` the Lance data set of chunks, `lock` the one-writer rule, `rows` the shape of values on disk.
"""
