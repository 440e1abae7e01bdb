"""Which legacy encoding a text is in, by how much like a language it reads.

Every candidate that decodes the bytes without error is scored by the mean over its non-ASCII characters:

* a letter counts by its rank in the usual order of frequency of its script, so that Hebrew read as Cyrillic, whose
  letters are all real, still loses;
* signs that prose uses (quotes, dashes, §) count well, other signs badly, and worst inside a word;
* a letter beside one of another script, a capital after a small letter, and a letter in the shape that belongs to
  another place in the word, count badly.

The best score wins, ties by the order of the table. Where none reads well, charset-normalizer decides.
"""

from __future__ import annotations

import codecs
import unicodedata
from functools import cache

_CANDIDATES = (
    "cp1252", "cp1251", "gb18030", "cp932", "big5hkscs", "cp949", "euc_jp", "cp1250", "koi8_u", "cp1255", "cp1256",
    "cp1253", "iso8859_2", "iso8859_5", "iso8859_7", "cp1254", "cp866", "mac_roman", "cp850", "cp1257",
)  # fmt: skip
_ORDERS = (
    "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъёіїєґ",
    "יוהלאתרמבשןנעםדקחפסטכגזצךץף",
    "αοιετσνηυρπκμόίάλςέήύώωγδθχφβξζψ",
    "ايلمنوتربةعدسفهكحقجأشطصخإضذثىغئزءظؤآ",
    "éäüóàöèáíçßêñãôâåúøîûæõïëùìòœ",
    "ąęłśćżńźšžčěřýůţășďťňőűěğışāēģīķļņ",
)
_SIGNS = frozenset("“”‘’„‚«»–—…§©®°€£·•™½¼¾²³±×¶¿¡ªº\u00a0、。「」『』，；：！？（）《》・〜～【】，،؛؟№")
_IN_WORDS = frozenset("’·ʼ'")
_HAN = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方"
    "多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明"
    "性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世"
    "位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量"
    "再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完"
    "設計協議雙簽訂條約應每進間時個們為來國對這說會過發後裡學當還開關點業兩經長動實現種無與見話問題處體電數東車馬書聲結論總"
    "参付款月利息支払契約締結項当事者間照乙甲規定本条"
)
_HANGUL = "이다의에는을를은가한지로고하사기자인과정도시어대부리서원제조해수들전장보그만상나일아있것되게와적여성동구공오무주선유관계약당간체결참"
# Letters that have another shape at the end of a word: there, and nowhere else.
_FINAL = frozenset("ςםןךףץ")
_NOT_FINAL = frozenset("σמנצ")
_GOOD = 0.3


@cache
def _weights() -> dict[str, float]:
    weights = dict.fromkeys(_SIGNS, 0.7)
    for order in _ORDERS:
        for rank, letter in enumerate(order):
            weights[letter] = max(weights.get(letter, 0.0), 1 - 0.85 * rank / len(order))
    for common in (_HAN, _HANGUL):
        weights |= dict.fromkeys(common, 1.0)
    return weights


def guess_encoding(data: bytes) -> str:
    """Return the Python name of the encoding that these bytes, which are no UTF-8, most likely have."""
    scored = [(score, -n, e) for n, e in enumerate(_CANDIDATES) if (score := _score(data, e)) is not None]
    best = max(scored, default=None)
    if best and best[0] >= _GOOD:
        return best[2]
    from charset_normalizer import from_bytes

    found = from_bytes(data, cp_exclusion=["utf_7", "utf_16", "utf_32"]).best()
    return codecs.lookup(found.encoding).name if found else (best[2] if best else "cp1252")


def _score(data: bytes, encoding: str) -> float | None:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        text = decoder.decode(data)  # a character cut off at the end of the sample is no error
    except UnicodeError:
        return None
    return plausibility(text) if not text.isascii() else None


def plausibility(text: str) -> float:
    """Return how much a text reads like a language, at most 1; plain ASCII is entirely plausible."""
    weights = _weights()
    total, count = 0.0, 0
    before, script_before = " ", ""
    for char in text:
        script = _script(char)
        if char > "\x7f":
            count += 1
            total += _weight(char, before, script, script_before, weights)
        elif script == "latin" and script_before not in ("", "latin"):
            total -= 0.7
        if (before in _FINAL and script) or (before in _NOT_FINAL and not script):
            total -= 1
        before, script_before = char, script
    return total / count if count else 1.0


def _weight(char: str, before: str, script: str, script_before: str, weights: dict[str, float]) -> float:
    small = char.lower()
    if not script:
        return -1.0 if before.isalpha() and char not in _SIGNS else weights.get(char, -1.0)
    value = weights.get(small, _unlisted(script, char))
    if script_before and script != script_before and {script, script_before} != {"kana", "han"}:
        return -0.7
    if char != small:
        value = value * 0.6 if not (before.isalpha() and before.islower()) else -0.7
    return value


def _unlisted(script: str, char: str) -> float:
    if script == "kana":
        return -0.4 if "\uff61" <= char <= "\uff9f" else 1.0
    if script == "han":
        return 0.3 if "\u4e00" <= char <= "\u9fff" else -0.5
    return {"hangul": 0.45, "": -1.0}.get(script, 0.05)


@cache
def _script(char: str) -> str:
    if char < "\x80":
        return "latin" if char.isalpha() else ""
    if "\u3040" <= char <= "\u30ff" or "\uff61" <= char <= "\uff9f":
        return "kana"
    if "\u3400" <= char <= "\u9fff" or char >= "\U00020000" or "\uf900" <= char <= "\ufaff":
        return "han"
    if "\uac00" <= char <= "\ud7a3":
        return "hangul"
    if not char.isalpha():
        return ""
    return unicodedata.name(char, "").partition(" ")[0].lower()
