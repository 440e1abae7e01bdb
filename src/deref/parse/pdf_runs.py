"""The runs of one PDF page: stretches of characters without a gap between them that could part two cells.

1. Take the text of the page once; pdfium ends each of its lines with CR LF, or with a hyphen.
2. Ask for the rectangles of a line, one for each text operator in it. Where they follow each other at one height,
   the line is cut only where the gap is wide, and each part is a run whose spaces are those of pdfium. The first
   character of a part is found by halving.
3. Otherwise each operator makes a run. Where one ends and the next begins is found by doubling steps, then halving
   them: a call for each character would cost more than the extraction itself.
4. Turn user space (y upwards, origin anywhere) into layout space: points, origin top left, y downwards, text running
   to the right, whatever the page rotation and whatever direction most of the text runs in.
"""

from __future__ import annotations

import ctypes
import re
import struct
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from math import hypot
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from deref.parse.pdf_frame import Frame, page_frame
from deref.parse.pdf_pdfium import address, quick


class Run(NamedTuple):
    """Characters `start`..`end` of the page text.

    The box is in layout space; `base` is the y of the baseline, `size` the font size in points. `turn` is 0 for
    text that runs as most of the page does, else the quarter turns (1 to 3) or -1 for a slant. `char` is pdfium's
    index of the first character.
    """

    start: int
    end: int
    x0: float
    top: float
    x1: float
    bottom: float
    base: float
    size: float
    turn: int
    char: int


class PageText(NamedTuple):
    """The text of a page, its runs in the order of the file, and the frame that places them.

    `raised` are the short numbers set above the baseline inside a run, as (start, end) in the text.
    """

    text: str
    runs: list[Run]
    frame: Frame
    raised: list[tuple[int, int]]


_object_at = quick(raw.FPDFText_GetTextObject, ctypes.c_void_p)
_count_rects = quick(raw.FPDFText_CountRects, ctypes.c_int)
_rect = quick(raw.FPDFText_GetRect, ctypes.c_int)
_matrix = quick(raw.FPDFText_GetMatrix, ctypes.c_int)
_size = quick(raw.FPDFText_GetFontSize, ctypes.c_double)
_char_box = quick(raw.FPDFText_GetCharBox, ctypes.c_int)
_get_text = quick(raw.FPDFText_GetText, ctypes.c_int)
_text_index = quick(raw.FPDFText_GetTextIndexFromCharIndex, ctypes.c_int)
_four = (ctypes.c_double * 4)()
_four_at = tuple(ctypes.c_void_p(ctypes.addressof(_four) + 8 * n) for n in range(4))
_six = (ctypes.c_float * 6)()
_six_at = ctypes.c_void_p(ctypes.addressof(_six))
_four_of = struct.Struct("4d").unpack
_six_of = struct.Struct("6f").unpack


_UNITS = 8192
_STRETCH = 64  # characters: when the first and the last keep their distance, so do all between
_pool: list[tuple[int, Any, ctypes.c_void_p]] = []


def _room(units: int) -> ctypes.c_void_p:
    """Return the address of room for UTF-16 units, shared by all pages: each new length would be a new ctypes type."""
    if not _pool or _pool[0][0] < units:
        size = max(_UNITS, 2 * units)
        buffer = (ctypes.c_ushort * size)()
        _pool[:] = [(size, buffer, ctypes.c_void_p(ctypes.addressof(buffer)))]
    return _pool[0][2]


def page_string(textpage: Any) -> tuple[str, Sequence[int] | None]:
    """Return the text of a page, and the text offset of each pdfium character (None when they are the same)."""
    count = raw.FPDFText_CountChars(textpage)
    if count <= 0:
        return "", None
    at = address(textpage)
    place = _room(2 * count + 2)
    used = _get_text(at, 0, count, place)
    text = ctypes.string_at(place, 2 * max(used - 1, 0)).decode("utf-16-le", "replace")
    if len(text) == count:
        return text, None
    first = next((n for n in (_text_index(at, i) for i in range(count)) if n >= 0), 0)
    offsets: list[int] = []
    last = 0
    for start in range(0, count, _STRETCH):
        end = min(start + _STRETCH, count)
        offset = _text_index(at, start)
        if offset >= 0 and _text_index(at, end - 1) == offset + end - 1 - start:
            last = max(last, offset - first)
            offsets += range(last, last + end - start)
            last += end - start
            continue
        for n in range(start, end):
            offset = _text_index(at, n)
            last = max(last, offset - first)
            offsets.append(last)
            last += offset >= 0
    size = len(text)
    return text, [*(n if n < size else size for n in offsets), size]


_SEGMENT = re.compile("[^\r\n\x02\ufffe]+[\x02\ufffe]?|[\x02\ufffe]")
_FAR = 1e6  # points: text drawn further off than this is on no page
_LIFTED, _NARROW = (
    0.2,
    2.0,
)  # in font sizes: the foot of a number set above the baseline, and the width of three figures
_CLOSE = 1.0  # in font sizes: a gap between cells is never narrower


def read_page(page: Any, textpage: Any) -> PageText:
    """Read the runs of an open page. Runs of white space alone are left out; the text keeps them."""
    text, offsets = page_string(textpage)
    chars = range(len(text) + 1) if offsets is None else offsets
    segments = [m.span() for m in _SEGMENT.finditer(text)]
    if offsets is not None:
        segments = [(bisect_left(offsets, start), bisect_left(offsets, end)) for start, end in segments]
    frame = page_frame(page)
    raised: list[tuple[int, int]] = []
    runs = _runs(address(textpage), text, chars, segments, frame, raised)
    weights = [0, 0, 0, 0]
    for run in runs:
        weights[run.turn if run.turn > 0 else 0] += run.end - run.start
    most = max(range(4), key=weights.__getitem__)
    if most:
        frame = frame._replace(turn=(frame.turn + most) % 4)
        raised = []
        runs = _runs(address(textpage), text, chars, segments, frame, raised)
    return PageText(text, runs, frame, raised)


def _runs(
    at: ctypes.c_void_p, text: str, chars: Sequence[int], segments: list[tuple[int, int]], frame: Frame,
    raised: list[tuple[int, int]],
) -> list[Run]:  # fmt: skip
    runs: list[Run] = []
    upright, left, above = frame.turn == 0, frame.left, frame.top
    for start, end in segments:
        count = _count_rects(at, start, end - start)
        if count <= 0:
            continue
        if not (upright and _add_level(runs, raised, at, text, chars, start, end, count, left, above)):
            runs += _parts(at, text, chars, start, end, count, frame)
    return runs


_new = tuple.__new__


def _add_level(
    runs: list[Run], raised: list[tuple[int, int]], at: ctypes.c_void_p, text: str, chars: Sequence[int],
    start: int, end: int, count: int, left: float, above: float,
) -> bool:  # fmt: skip
    """Add the runs of a line whose rectangles follow each other at one height; tell whether they do.

    `left` and `above` are the x and y of user space that are 0 in layout space.
    """
    _matrix(at, start, _six_at)
    a, b, c, d, _, base = _six_of(_six)
    if b != 0 or c != 0 or a <= 0 or not -_FAR < base < _FAR or text[chars[start]].isspace():
        return False
    size = _size(at, start) * abs(d)
    _rect(at, 0, *_four_at)
    x0, top, x1, bottom = _four_of(_four)
    if count == 1:
        fields = (
            chars[start], chars[end], x0 - left, above - top, x1 - left, above - bottom, above - base, size, 0, start,
        )  # fmt: skip
        runs.append(_new(Run, fields))
        return True
    parts: list[tuple[float, float, float, float, int]] = []
    rects = 1
    close, back, high, low = _CLOSE * size, -0.3 * size, base + size, base - 0.5 * size
    narrow = _NARROW * size
    thin = [(x0, x1, bottom)] if x1 - x0 < narrow else []
    for n in range(1, count):
        _rect(at, n, *_four_at)
        near, upper, far, lower = _four_of(_four)
        gap = near - x1
        if gap < back or lower > high or upper < low:
            return False
        if far - near < narrow:
            thin.append((near, far, lower))
        if gap >= close:
            parts.append((x0, top, x1, bottom, rects))
            x0, top, x1, bottom, rects = near, upper, far, lower, 1
            continue
        rects += 1
        if far > x1:
            x1 = far
        if upper > top:
            top = upper
        if lower < bottom:
            bottom = lower
    parts.append((x0, top, x1, bottom, rects))
    largest = _add_parts(runs, at, text, chars, start, end, parts, (size, base), left, above)
    if thin:
        raised += _raised(at, text, chars, start, end, thin, *largest)
    return True


def _add_parts(
    runs: list[Run], at: ctypes.c_void_p, text: str, chars: Sequence[int], start: int, end: int,
    parts: list[tuple[float, float, float, float, int]], level: tuple[float, float], left: float, above: float,
) -> tuple[float, float]:  # fmt: skip
    """Add a run for each part (left, top, right, bottom, rectangles) of a line; return size and baseline of the largest.

    `level` are size and baseline of the first character.
    """
    size, base = level
    largest = level
    first = start
    for n, (x0, top, x1, bottom, rects) in enumerate(parts):
        last = end if n == len(parts) - 1 else _first_right_of(at, first, end, parts[n + 1][0])
        if n:
            base, size = _level(at, first)
        if rects > 1:
            middle = (first + last) // 2
            while middle > first and text[chars[middle]].isspace():
                middle -= 1
            other, larger = _level(at, middle)
            if larger > 1.1 * size:
                base, size = other, larger
        if size > largest[0]:
            largest = (size, base)
        fields = (
            chars[first], chars[last], x0 - left, above - top, x1 - left, above - bottom, above - base, size, 0, first,
        )  # fmt: skip
        runs.append(_new(Run, fields))
        first = last
    return largest


def _level(at: ctypes.c_void_p, char: int) -> tuple[float, float]:
    """Return the baseline in user space and the size of a character that is not turned."""
    _matrix(at, char, _six_at)
    _, _, c, d, _, base = _six_of(_six)
    return base, _size(at, char) * hypot(c, d)


def _first_right_of(at: ctypes.c_void_p, low: int, high: int, x: float) -> int:
    """Return the first character from `low` whose middle lies right of x in user space, at most `high`."""
    while low < high:
        middle = (low + high) // 2
        _char_box(at, middle, *_four_at)
        if _four[0] + _four[1] <= 2 * x:
            low = middle + 1
        else:
            high = middle
    return low


def _raised(
    at: ctypes.c_void_p, text: str, chars: Sequence[int], start: int, end: int,
    thin: Sequence[tuple[float, float, float]], size: float, base: float,
) -> Iterator[tuple[int, int]]:  # fmt: skip
    """Yield (start, end) in the text of the numbers of a line that stand above its baseline.

    `thin` are (left, right, bottom) of its narrow rectangles, `size` and `base` those of its largest characters.
    """
    for near, far, lower in thin:
        if lower - base < _LIFTED * size:
            continue
        first = _first_right_of(at, start, end, near)
        # A space may have the box of the character before it, which leads the halving astray by a step or two.
        inside = [
            n for n in range(max(start, first - 3), min(end, first + 5)) if _is_between(at, n, near, far)
        ]
        figures = [n for n in inside if text[chars[n]].isdecimal()]
        if figures and all(n in figures or text[chars[n]].isspace() for n in inside):
            yield chars[figures[0]], chars[figures[-1]] + 1


def _is_between(at: ctypes.c_void_p, char: int, x0: float, x1: float) -> bool:
    """Tell whether the middle of a character lies between two x of user space."""
    _char_box(at, char, *_four_at)
    return 2 * x0 <= _four[0] + _four[1] <= 2 * x1


def _parts(
    at: ctypes.c_void_p, text: str, chars: Sequence[int], start: int, end: int, count: int, frame: Frame
) -> list[Run]:
    runs: list[Run] = []
    objects = _objects(at, text, chars, start, end, count)
    aligned = len(objects) == count
    _count_rects(at, start, end - start)
    for n, (first, last) in enumerate(objects):
        if not aligned and _count_rects(at, first, last - first) < 1:
            continue
        _rect(at, n if aligned else 0, *_four_at)
        _matrix(at, first, _six_at)
        one, two = frame.place(_four[0], _four[1]), frame.place(_four[2], _four[3])
        a, b, c, d, x, y = _six
        if not all(-_FAR < value < _FAR for value in (*_four, x, y)):
            continue
        turn = _quarter(a, b)
        fields = (
            chars[first], chars[last], min(one[0], two[0]), min(one[1], two[1]), max(one[0], two[0]), max(one[1], two[1]),
            frame.place(x, y)[1], _size(at, first) * hypot(c, d), turn if turn < 0 else (turn - frame.turn) % 4, first,
        )  # fmt: skip
        runs.append(_new(Run, fields))
    return runs


def _objects(
    at: ctypes.c_void_p, text: str, chars: Sequence[int], start: int, end: int, count: int
) -> list[tuple[int, int]]:
    """Return (start, end) of the text objects with ink in pdfium characters start..end.

    pdfium says that there are `count` of them: once all but one are found, the last needs no search.
    """
    found: list[tuple[int, int]] = []
    n = start
    while n < end:
        here = _object_at(at, n)
        if here is None:
            n += 1
            continue
        low, high, step = n, n + 8, 16
        if len(found) == count - 1 and not text[chars[n]].isspace():
            low = end - 1
        while high < end and _object_at(at, high) == here:
            low, high, step = high, high + step, step * 2
        high = min(high, end)
        while high - low > 1:
            middle = (low + high) // 2
            if _object_at(at, middle) == here:
                low = middle
            else:
                high = middle
        if not text[chars[n] : chars[low + 1]].isspace():
            found.append((n, low + 1))
        n = low + 1
    return found


def _quarter(a: float, b: float) -> int:
    """Return the quarter turns of a text matrix, -1 for a slant."""
    if abs(b) < 0.2 * abs(a):
        return 0 if a > 0 else 2
    if abs(a) < 0.2 * abs(b):
        return 1 if b > 0 else 3
    return -1


def chars_left_of(at: ctypes.c_void_p, frame: Frame, run: Run, x: float) -> int:
    """Return how many characters of a run have their middle left of x, searched from where an even spread puts it."""
    first, length, upright, left = run.char, run.end - run.start, frame.turn == 0, frame.left
    left_at, right_at, low_at, high_at = _four_at

    twice = 2 * (x + left)

    def is_left(n: int) -> bool:
        _char_box(at, first + n, left_at, right_at, low_at, high_at)
        if upright:
            return _four[0] + _four[1] < twice
        x0, x1, y0, y1 = _four_of(_four)
        middle: float = (frame.place(x0, y0)[0] + frame.place(x1, y1)[0]) / 2
        return middle < x

    guess = min(max(int((x - run.x0) / (run.x1 - run.x0) * length), 0), length - 1)
    low, high, step = 0, length, 2
    if is_left(guess):
        low = guess + 1
        while low + step < high and is_left(low + step):
            low, step = low + step + 1, 2 * step
        high = min(high, low + step)
    else:
        high = guess
        while high - step > low and not is_left(high - step):
            high, step = high - step, 2 * step
        low = max(low, high - step)
    while low < high:
        middle = (low + high) // 2
        if is_left(middle):
            low = middle + 1
        else:
            high = middle
    return low
