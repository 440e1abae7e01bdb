"""One library: a relational catalogue and a full-text index, opened as one `Store`.

`library` opens it; `memory` is its double. `schema` holds the tables, `writing` what is written to them, `statements`
what is read, `reading` the doors it is read through, `rows` the shape of values on disk; `view` says what is visible and
`shelf` shows it to one caller; `passages` is the Lance data set of chunks, `cut_out` has the passages of a document
without it, `dense` the vectors, `lock` the one-writer rule; `marks_aside` keeps what people said while a library is built anew.
"""
