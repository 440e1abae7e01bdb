"""Adapters to models behind the ports, and the doubles that ship with them. Only the engine picks one."""
