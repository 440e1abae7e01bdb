"""The bounded loop: write, decide, pursue, write again. It acts on the typed field of the answer and on nothing else."""

from deref.loop.ask import Doors, Heard, ask
from deref.loop.decide import Verdict, decide

__all__ = ["Doors", "Heard", "Verdict", "ask", "decide"]
