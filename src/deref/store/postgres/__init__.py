"""A catalogue in a schema of a PostgreSQL database, beside the chunk index in the folder of the library."""
