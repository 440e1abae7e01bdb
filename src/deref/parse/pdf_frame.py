"""How the space in which a PDF page is drawn lies in layout space and on the page as people see it.

User space has y upwards and its origin anywhere. Layout space has its origin top left, y downwards, and text that
runs to the right, whatever the rotation of the page and whatever direction most of its text runs in.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.parse.pdf_made import rounded_box
from deref.values import Box


class Frame(NamedTuple):
    """How user space lies in layout space and on the page as shown.

    `left, bottom, right, top` are the visible box in user space, `turn` the quarter turns of the text,
    `rotation` those of the page.
    """

    left: float
    bottom: float
    right: float
    top: float
    turn: int
    rotation: int

    @property
    def height(self) -> float:
        """The height of the page in layout space, in points."""
        return self.right - self.left if self.turn % 2 else self.top - self.bottom

    @property
    def width(self) -> float:
        """The width of the page in layout space, in points."""
        return self.top - self.bottom if self.turn % 2 else self.right - self.left

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point of user space lies in layout space."""
        return _turned(self, self.turn, x, y)

    def unplace(self, u: float, v: float) -> tuple[float, float]:
        """Return the point of user space that lies at (u, v) in layout space."""
        if self.turn == 0:
            return self.left + u, self.top - v
        if self.turn == 1:
            return self.left + v, self.bottom + u
        if self.turn == 2:
            return self.right - u, self.bottom + v
        return self.right - v, self.top - u

    def shown(self, x0: float, top: float, x1: float, bottom: float) -> Box:
        """Return a layout rectangle as a box on the page as people see it."""
        if self.turn != self.rotation:
            one = _turned(self, self.rotation, *self.unplace(x0, top))
            two = _turned(self, self.rotation, *self.unplace(x1, bottom))
            x0, x1 = min(one[0], two[0]), max(one[0], two[0])
            top, bottom = min(one[1], two[1]), max(one[1], two[1])
        return rounded_box(x0, top, x1, bottom)


def _turned(frame: Frame, turn: int, x: float, y: float) -> tuple[float, float]:
    if turn == 0:
        return x - frame.left, frame.top - y
    if turn == 1:
        return y - frame.bottom, x - frame.left
    if turn == 2:
        return frame.right - x, y - frame.bottom
    return frame.top - y, frame.right - x


def page_frame(page: Any) -> Frame:
    """Return the frame of an open page for text that runs as the page is shown."""
    box = raw.FS_RECTF()
    if not raw.FPDF_GetPageBoundingBox(page, box):
        box.left, box.bottom, box.right, box.top = (
            0,
            0,
            raw.FPDF_GetPageWidthF(page),
            raw.FPDF_GetPageHeightF(page),
        )
    rotation = raw.FPDFPage_GetRotation(page) % 4
    return Frame(box.left, box.bottom, box.right, box.top, rotation, rotation)
