"""The address of a database, as it may stand in settings, in a file and in a message: without a password.

What is let through is a part of what PostgreSQL's own library takes. A password is left to that library, which asks the
environment (`PGPASSWORD`, `PGPASSFILE`, `PGSERVICE`) and `~/.pgpass`: Deref never holds one.
"""

from __future__ import annotations

DATABASE = (
    r"postgresql://"
    r"([^\s:/@?#]+@)?"  # The user; a colon would begin a password.
    r"[^\s/@?#]*"  # Hosts with ports; none is the socket of this machine.
    r"(/[^\s/@?#]*)?"
    r"(\?(?![^#]*password)[^\s#]*)?"
)
"""An address, as a pattern that the whole of it must match."""

TAKES = (
    "the address of a PostgreSQL database without a password, as in postgresql://deref@db.example/team; "
    "the password goes into PGPASSWORD or ~/.pgpass"
)
"""What is said of an address that is none, which is not repeated: it may hold a password."""
