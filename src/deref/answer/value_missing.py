"""Which kind of value a question asks for that stands in none of the quotes: such an answer is not complete.

The kinds are told by the words that ask, in English, German, French and Spanish: an *amount* ("what does it cost", "wie hoch ist
die Miete"), a *percentage*, a *period* ("for how long", "dans quel délai"), a *date* ("on what date") and a *number* of things
("how many", "cuántos"). A question that may be answered by an event or a rule asks for none of them for certain ("when", "by
when", "how high"), nor does one that asks for a person: a role is one as well as a name, and any noun may be a role.

What holds a value is told generously, in all of these languages at once, whatever the question is in. The number of a section or
a table is no value, and neither is a date, an amount or a period a number of things. In a table the unit may stand in a
header that is not quoted: any number in it is of any kind.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum

from deref.text.lazy import lazy


class Kind(StrEnum):
    """Kinds of value, as a person calls them."""

    AMOUNT = "amount"
    PERCENTAGE = "percentage"
    PERIOD = "period"
    DATE = "date"
    NUMBER = "number"


_TIMES = (
    r"(?:ms|milliseconds?|seconds?|minutes?|hours?|days?|weeks?|fortnights?|months?|years?|quarters?|"
    r"sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|quartale?n?|"
    r"secondes?|heures?|jours?|semaines?|mois|ans|années?|trimestres?|"
    r"segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?)"
)
_GOES_ON = (
    r"(?=\s*(?:[?,;:]|$|(?:of|for|to|in|at|on|per|that|is|was|are|were|does|do|did|must|may|can|will|shall|should|has|have|payable|"
    r"due|under|if|when|after|before|during|charged|agreed)\b))"
)
"""What stands behind the noun that is asked for: "what fee is due", and not "which fee schedule applies"."""

_ASKED: dict[Kind, re.Pattern[str]] = {
    Kind.AMOUNT: lazy(
        r"\bhow much (?:money\b|(?:do|does|did|is|are|was|were|must|may|can|could|will|would|shall|should|has|have|had)\b[^?.;:]{0,80}"
        r"\b(?:pay|pays|paid|payable|cost|costs|owe|owes|owed|charge|charged|worth|earn|lend|borrow|invest)\b)|"
        r"\bwhat (?:do|does|did|will|would) [^?.;:]{1,60}\bcost\b|"
        rf"\b(?:what|which)(?:['’]s| is| was| are| were| will be)?(?: the)? (?:\w+ ){{0,2}}(?:price|price tag|cost|costs|fee|fees|salary|fine|rent|premium|sum){_GOES_ON}|"
        r"\b(?:was|wie ?viel) kostet|\bwie ?viel (?:muss|müssen|zahlt|zahlen|schuldet|schulden)\b|"
        r"\bwie hoch (?:ist|sind|war|waren) (?:der|die|das) (?:\w+ ){0,2}(?:\w*preis|\w*miete|\w*gebühr|\w*gebühren|\w*betrag|\w*vergütung|\w*kosten|\w*gehalt|\w*entgelt)\b|"
        r"\bcombien (?:coûte|coûtent|paie|paient|doit-\w+ payer|faut-il payer)\b|\bquel(?:le)?s? (?:est|sont|était) (?:le|la|les) (?:prix|montant|loyer|coût|tarif|redevance|salaire)\b|"
        r"\bcu[aá]nto (?:cuesta|cuestan|paga|pagan|debe pagar|hay que pagar)\b|\bcu[aá]l (?:es|era) (?:el|la) (?:precio|importe|monto|alquiler|coste|costo|tarifa|salario)\b",
        re.IGNORECASE),
    Kind.PERCENTAGE: lazy(
        r"\b(?:what|which) (?:\w+ ){0,2}(?:percentage|per ?cent)\b|\bwhat proportion\b|\bhow many per ?cent\b|"
        r"\bwie ?viel prozent\b|\bwelche[rnm]? prozentsatz\b|\bquel pourcentage\b|\bqué porcentaje\b|\bcu[aá]l es el porcentaje\b",
        re.IGNORECASE),
    Kind.PERIOD: lazy(
        r"\bhow long(?! (?:is|are|was|were)\b)|\bhow (?:soon|quickly|often|far (?:ahead|in advance|beforehand))\b|\bhow much (?:time|notice|warning)\b|"
        r"\b(?:within|in|for|over|during) (?:what|which) (?:time|period)\b|\bwhat (?:is the |was the )?(?:\w+ )?(?:notice period|time ?limit|duration)\b|"
        rf"\bhow many (?:\w+ )?{_TIMES}\b|"
        rf"\bwie (?:lange|schnell|oft)\b|\b(?:innerhalb|binnen) welcher (?:frist|zeit)\b|\bwelche \w*frist\b|\bwie viele (?:\w+ )?{_TIMES}\b|"
        rf"\b(?:pendant |dans |sous )?combien de (?:temps\b|{_TIMES}\b)|\b(?:dans|sous|pendant) quel(?:le)? (?:délai|durée|période)\b|"
        rf"\bcu[aá]nto tiempo\b|\ben qué plazo\b|\bcu[aá]nt[oa]s {_TIMES}\b",
        re.IGNORECASE),
    Kind.DATE: lazy(
        r"\b(?:what|which) (?:is the |was the )?(?:\w+ )?(?:date|calendar day|year)\b(?! of\b)|"
        r"\b(?:an|zu|bis zu) welchem (?:tag|datum)\b|\bwelches datum\b|\bin welchem jahr\b|"
        r"\bquelle (?:est la )?date\b|\ben quelle année\b|\bqué fecha\b|\bcu[aá]l es la fecha\b|\ben qué año\b",
        re.IGNORECASE),
    Kind.NUMBER: lazy(
        rf"\bhow many\b(?! (?:\w+ )?(?:{_TIMES}|per ?cent)\b)|\bwie viele\b(?! (?:\w+ )?{_TIMES}\b)|"
        rf"\bcombien d(?:e |['’])(?!(?:temps|{_TIMES})\b)|\bcu[aá]nt[oa]s (?!{_TIMES}\b)",
        re.IGNORECASE),
}  # fmt: skip

_MONTHS = (
    r"(?:jan(?:uary|uar|vier)?|enero|feb(?:ruary|ruar|rero)?|f[eé]vrier|mar(?:ch|s|zo)?|märz|apr(?:il)?|avril|abril|may|mai|mayo|"
    r"june?|juni|juin|junio|july?|juli|juillet|julio|aug(?:ust)?|ao[uû]t|agosto|sep(?:t(?:ember|embre|iembre)?)?|"
    r"o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember)?|d[ée]cembre|diciembre)"
)
_FEW = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|"
    r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|half|"
    r"eine[mnrs]?|ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|"
    r"une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|cent|"
    r"un[ao]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|treinta|cien)"
)
_LABEL = lazy(
    r"(?:\b(?:sections?|sec|clauses?|articles?|art|parts?|chapters?|rules?|paragraphs?|para|tables?|figures?|fig|exhibits?|schedules?|annex(?:es)?|"
    r"appendix|attachments?|pages?|pp?|versions?|items?|rows?|steps?|notes?|footnotes?|nos?|nr|"
    r"abschnitt|artikel|absatz|ziffer|anlage|anhang|tabelle|seite|kapitel|chapitre|annexe|tableau|cláusula|artículo|anexo|tabla)\.?|§+)"
    r"\s*\(?(?:[A-Z][-.]?)?\d[\w.()-]*|\[\d+\]|^[#\s]*(?:\d+\.)+\d*\s|^[#\s]*\d+[.)]\s",
    re.IGNORECASE | re.MULTILINE,
)
_DATE = lazy(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s+(?:day\s+of\s+|de\s+)?{_MONTHS}\b\.?(?:,?\s+(?:de\s+)?\d{{4}})?|\b{_MONTHS}\.?,?\s+\d{{1,4}}\b(?:,?\s+\d{{4}}\b)?|\b(?:in|since|until|by|from|to|of|im|en|de) (?:19|20)\d\d\b|"
    r"\b\d{1,2}([./-])\d{1,2}\1\d{2,4}\b",
    re.IGNORECASE,
)
_CURRENCY = r"(?:[$€£¥₹]|\b(?:GBP|USD|EUR|SEK|CHF|JPY|AUD|CAD|NOK|DKK|CNY|INR|dollars?|euros?|pounds?|pence|cents?|crowns?|shillings?|francs?|franken|pesos?)\b)"
_MONEY = lazy(
    rf"{_CURRENCY}\s?\d[\d.,'’]*|\b(?:\d[\d.,'’]*|{_FEW})\s*(?:(?:million|billion|thousand|mio\.?|millionen|millions?|millones)\s+)?(?:of |de )?{_CURRENCY}|"
    r"\b\d{1,3}(?:[.,'’ ]\d{3})+\b|\b\d{3,}\b|(?:\b(?:is|are|be|was|were|beträgt|est|es)|[:=])\s+\d[\d.,'’]*(?=\s*(?:[.;,)]|$))|\b(?:free of charge|free|kostenlos|unentgeltlich|gratuite?|gratuitement|gratis|gratuito)\b",
    re.IGNORECASE,
)
_PER_CENT = lazy(r"\w[\s-]?(?:%|per ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b)", re.IGNORECASE)
_SHARE = lazy(
    rf"\d\s?(?:%|\bper ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b)|\b{_FEW}[\s-](?:per ?cent|prozent|pour ?cent|por ?ciento)\b|\d+/\d+|"
    r"\b(?:halves|thirds?|quarters?|two-thirds|majority|unanim\w+|all|none|whole|entire|full|hälfte|drittel|viertel|mehrheit|moitié|tiers|mitad|tercio|"
    r"mayoría|majorité)\b",
    re.IGNORECASE,
)
_PERIOD = lazy(
    rf"\b(?:\d[\d.,]*|{_FEW})(?:\s*\(\w+\))?[\s-]+(?:\w+\s+){{0,2}}{_TIMES}\b|\b\d+\s?(?:h|s|d|min)\b|\b(?:each|every|once|twice|per|jede[nrsm]?|chaque|cada)\b|"
    r"\b(?:anniversary|annual(?:ly)?|yearly|quarterly|monthly|weekly|daily|hourly|perpetual(?:ly)?|indefinite(?:ly)?|permanent(?:ly)?|forever|"
    r"until|till|throughout|as long as|so long as|lifetime|immediately|forthwith|promptly|at once|straight away|as soon as|without (?:undue )?delay|"
    r"jährlich|monatlich|wöchentlich|täglich|unbefristet|sofort|unverzüglich|solange|bis|annuel\w*|mensuel\w*|immédiatement|sans délai|jusqu\w+|"
    r"anual\w*|mensual\w*|diari[oa]\w*|inmediat\w+|sin demora|hasta)\b",
    re.IGNORECASE,
)
_DAY = lazy(
    r"\b(?:1\d|20)\d\d\b|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:first|second|third|last|\d+(?:st|nd|rd|th))\s+(?:\w+\s+)?day\b|\banniversary\b",
    re.IGNORECASE,
)
_NUMBER = lazy(
    rf"\d|\b(?!(?:one|half|eine?\w?|une?|un[ao])\b){_FEW}\b|\b(?:neither|none|nobody|no one|keine\w?|aucune?|ningun[oa]?)\b",
    re.IGNORECASE,
)
_ANY_DIGIT = lazy(r"\d")
_COUNTED_AMOUNT = lazy(
    rf"{_CURRENCY}\s?\d[\d.,'’]*|\b(?:\d[\d.,'’]*|{_FEW})\s*{_CURRENCY}|\d[\d.,]*\s?(?:%|per ?cent\b|prozent\b)",
    re.IGNORECASE,
)
_COUNTED_PERIOD = lazy(rf"\b(?:\d[\d.,]*|{_FEW})(?:\s*\(\w+\))?[\s-]+(?:\w+\s+)?{_TIMES}\b", re.IGNORECASE)
"""Amounts, shares and periods that are counted: their numbers are none of things."""


def missing_values(asks: str, quotes: Iterable[tuple[str, bool]]) -> tuple[Kind, ...]:
    """Return the kinds of value that a sentence asks for and no quote holds, in the order of `Kind`.

    Each quote comes with whether it stands in a table.
    """
    asked = [kind for kind, pattern in _ASKED.items() if pattern.search(asks)]
    if not asked:
        return ()
    held: set[Kind] = set()
    for text, in_table in quotes:
        held |= _held_by(_LABEL.sub(" ", text), in_table)
        if held.issuperset(asked):
            return ()
    return tuple(kind for kind in asked if kind not in held)


def told_missing(kinds: Sequence[Kind]) -> str:
    """Return what is said of the kinds that are missing."""
    one = len(kinds) == 1
    return (
        f"no {' and no '.join(kinds)} {'stands' if one else 'stand'} in the quoted lines, though the question asks for "
        f"{'one' if one else 'them'}"
    )


def _held_by(text: str, in_table: bool) -> set[Kind]:
    if in_table and _ANY_DIGIT.search(text):
        return set(Kind)
    held = set()
    if _DATE.search(text) or _DAY.search(text):
        held.add(Kind.DATE)
        text = _DATE.sub(" ", text)
    for kind, pattern in ((Kind.AMOUNT, _MONEY), (Kind.PERCENTAGE, _SHARE), (Kind.PERIOD, _PERIOD)):
        if pattern.search(text):
            held.add(kind)
    if _PER_CENT.search(text):  # Of something that is paid.
        held.add(Kind.AMOUNT)
    for pattern in (_COUNTED_AMOUNT, _COUNTED_PERIOD):
        text = pattern.sub(" ", text)
    if _NUMBER.search(text):
        held.add(Kind.NUMBER)
    return held
