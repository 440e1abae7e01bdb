"""Addresses of servers: whether what is sent there stays on this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit


def host_of(url: str) -> str:
    """Return the host of an address, "" when it has none. Raises ValueError for what is no address."""
    return urlsplit(url).hostname or ""


def is_loopback(url: str) -> bool:
    """Tell whether an address is of this very machine."""
    host = host_of(url)
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def place_of(url: str) -> str:
    """Return host and port of an address, for an identity: never what stands before an @."""
    return urlsplit(url).netloc.rpartition("@")[2]
