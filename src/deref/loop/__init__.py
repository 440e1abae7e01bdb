"""The bounded loop: write, decide, pursue, write again. It acts on the typed field of the answer and on nothing else."""

from deref.loop.ask import Doors, ask
from deref.loop.decide import Verdict, decide

__all__ = ["Doors", "Verdict", "ask", "decide"]
