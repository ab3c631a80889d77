"""Telling a measured result: numbers with units, and something to compare them with."""

from __future__ import annotations

import re

from vault_memory.model.capture.turn import Role

_UNIT = (
    r"(?:%|percent|Prozent|ms|µs|ns|s|secs?|seconds?|Sekunden?|min|mins|minutes?|Minuten?|h|hrs?|"
    r"hours?|Stunden?|days?|Tagen?|[kKMGT]i?B|"
    r"bytes?|rows?|Zeilen|req/s|rps|qps|x|times|fold|bp|bps|points?|Punkten?|€|EUR|USD|kWh|W|°C|"
    r"degrees?|Grad|km|kg|mm|cm|eV|K|tokens?|"
    r"queries|requests|runs|errors?|events?|tickets?|tests?|files?|MB/s|GB/s|fps|dB|Hz)"
)
_NUMBER = re.compile(rf"(?<![\w.:])[-+−]?\d[\d.,]*(?:\s?[-–]?{_UNIT})(?![\w])")
_BARE = re.compile(r"(?<![\w.:/-])[-+−]?\d[\d.,]*(?![\w:])")
_SHARE = re.compile(r"\b\d[\d.,]* (?:of|out of|von) (?:the |den )?\d[\d.,]*\b")
_COMPARED = re.compile(
    r"\bfrom\b.*\bto\b|\binstead of\b|\bcompared (?:to|with)\b|\bversus\b|\bvs\b|\bagainst\b|"
    r"\b(?:rather )?than\b|\b(?:down|up) to\b"
    r"|\b(?:dropp|drop|rose|rais|cuts?|cutt|shr[aiu]nk|grew|grow|doubl|halv|tripl|increas|decreas|"
    r"reduc|improv|fell|fall|sav)\w*"
    r"|\b(?:faster|slower|less|fewer|better|worse|higher|lower|shorter|longer|bigger|smaller)\b|"
    r"\btwice\b|\b(?:\d+|two|three|four|five|ten|several|many) times\b|\bup from\b|\bbefore\b|"
    r"\binstead\b"
    r"|\bstatt\b|\bweniger\b|\bschneller\b|\blangsamer\b|\bgegenüber\b|\bim Vergleich\b|\b(?:höher|"
    r"niedriger|besser|schlechter)\b"
    r"|\bvon\b.*\bauf\b|\bals (?:im|vorher|zuvor|davor)\b|\b(?:gestiegen|gesunken|gefallen|halbiert|"
    r"verdoppelt)\b",
    re.IGNORECASE,
)
_TOOK = re.compile(
    r"\b(?:takes?|took|taking|finish(?:ed|es)|completed?|lasted|dauert|dauerte|brauchte?|gedauert)\b",
    re.IGNORECASE,
)
_STATISTIC = re.compile(
    r"\bp\s?[=<]|\bsharpe\b|\bhit rate\b|\b(?:mean|median|average|on average|accuracy|precision|"
    r"recall|f1|auc|rmse|mae|r²|p50|p95|p99|"
    r"correlation|variance|sigma|throughput|latency|baseline|reach(?:es|ed)?|achiev(?:es|ed)|"
    r"scor(?:es|ed)|return(?:ed|s)?|error rate|significant)\b|\b(?:im Mittel|Durchschnitt|"
    r"Mittelwert|lag bei)\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\b(?:should|would|could|must|might|may|want|need|target|goal|limit|expect|about to|will|let's|"
    r"let me|sollte|könnte|würde"
    r"|wäre|rechnerisch|estimate|guess|probably|roughly expect)\b",
    re.IGNORECASE,
)


def weight(text: str, role: Role) -> float:
    """How much a sentence looks like a measured result; 1 and above is one. A person who says how long
    something takes complains; an agent has measured it."""
    measured = len(_NUMBER.findall(text)) + len(_SHARE.findall(text))
    numbers = max(measured, len(_BARE.findall(text)))
    if not numbers or _WISH.search(text):
        return 0.0
    compared = _COMPARED.search(text) is not None
    if measured and compared:
        return 1.5 if numbers > 1 else 1.0
    if measured and ((role is Role.ASSISTANT and _TOOK.search(text)) or _STATISTIC.search(text)):
        return 1.0
    if numbers > 1 and _STATISTIC.search(text):
        return 1.0
    if _SHARE.search(text):
        return 1.0
    return 0.8 if numbers > 1 and compared else 0.0
