"""Finding and resolving measured against the links that the authors' own tools wrote."""
