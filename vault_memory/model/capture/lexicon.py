"""Words and short phrases that hint at something to keep, in English and German, by what they are about.

None of them says much alone: how much is in the table of weights (`weights.py`).
"""

from __future__ import annotations

from collections.abc import Mapping

LONGEST = 3
"""Words of the longest phrase."""


def _listed(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split("|"))


HINTS: Mapping[str, frozenset[str]] = {
    "rule": _listed("""must|never|always|only|cannot|can't|cant|has to|have to|needs to|need to|may|shall
        |required|allowed|forbidden|mandatory|unless|at least|at most|nothing|nobody|none|every|each|all
        |any|everything|everyone|everywhere|limit|rule|whatever|darf|dürfen|muss|müssen|immer|nie|niemals
        |nur|soll|sollen|verboten|mindestens|höchstens|alle|jede|jeder|jedes|unbedingt"""),
    "not": _listed("""not|no|don't|dont|doesn't|doesnt|isn't|aren't|won't|wont|without|neither|nor
        |instead of|didn't|didnt|can't|cannot|kein|keine|keinen|nicht|ohne|weder"""),
    "why": _listed("""because|since|so|therefore|hence|that's why|thats why|which is why|turns out
        |turned out|reason|cause|caused|causes|due|otherwise|or else|so that|culprit|weil|deshalb|deswegen
        |daher|dadurch|sonst|nämlich|grund|ursache|damit|drum"""),
    "later": _listed("""tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday|weekend|next
        |later|still|yet|left|missing|until|remind|todo|someday|eventually|haven't|havent|hasn't|hasnt
        |pending|untouched|unfinished|open|outstanding|follow-up|remaining|ask|check|needs|gotta|morgen
        |montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|wochenende|nächste|nächsten|nächstes
        |noch|offen|irgendwann|bis|ausstehend|fehlt|fehlen|später"""),
    "failed": _listed("""failed|fails|fail|worse|useless|crashed|crashes|broke|breaks|gave up|rolled back
        |roll back|didn't work|doesn't work|didn't help|abandoned|reverted|complained|complaints|wasted
        |lost|dropped|never again|no difference|out of|taken out|took it|dead|wrong|too|unusable
        |impossible|nobody|off|gescheitert|umsonst|schlechter|zurück|sackgasse|kaputt|abgebrochen"""),
    "once": _listed("""once|last year|last month|last week|last summer|last spring|last autumn|last winter
        |ago|tried|attempted|used to|back then|years|year|weeks|months|spent|had|before|already|früher|mal
        |letztes|letzten|letzte|damals|versucht|probiert|schon"""),
    "compared": _listed("""than|against|instead of|instead|vs|versus|down|up|fewer|less|more|faster|slower
        |from|average|median|mean|per|cut|cuts|halved|doubled|dropped|gained|went|statt|gegenüber|weniger
        |mehr|schneller|langsamer|als|durchschnitt|mittel|pro"""),
    "taste": _listed("""prefer|like|want|please|pls|rather|hate|love|wish|prefers|fond|annoying|annoys
        |unreadable|ugly|bitte|lieber|mag|möchte|will|reicht|gern|gerne|hasse|nervt"""),
    "settled": _listed("""let's|lets|we'll|we|goes|stays|stay|keep|drop|use|switch|decided|decision|it is
        |go with|from now|default|remains|moves|move|out|becomes|gets|dann|bleibt|bleiben|nehmen|wir|wird
        |werden|raus|umstellen|lassen"""),
    "steps": _listed("""first|then|after|afterwards|before|finally|wait|run|check|step|steps|when|whenever
        |once|twice|again|zuerst|danach|erst|vorher|anschließend|wenn|bevor|nachdem"""),
    "guess": _listed("""would|could|might|may|maybe|perhaps|probably|usually|basically|roughly|seems|seem
        |looks|think|guess|suspect|suppose|wonder|expect|should|könnte|würde|vielleicht|wohl|vermutlich
        |wahrscheinlich"""),
    "me": _listed("i|i'm|i'll|i've|i'd|my|me|ich|mir|mich|mein"),
    "you": _listed("you|your|you'd|you'll|you're|du|dir|dein|ihr|sie"),
    "asked": _listed("""can you|could you|would you|tell me|show me|let me|look at|have a|take a|i'd like
        |i need|help me|kannst du|zeig mir"""),
    "done": _listed("""i've|i have|added|removed|changed|wrote|written|moved|updated|fixed|created
        |deployed|tested|merged|done|replaced|set up|converted|habe|erledigt|geändert|gelöscht|eingebaut
        |eingerichtet"""),
    "doing": _listed("""i'll|i'm|i will|let me|going to|now|let us|ich sehe|ich lege|ich prüfe|ich starte"""),
    "pointing": _listed("""there's|there is|there are|it's|that's|it|this|these|those|they|es gibt|das
        |dies"""),
}  # fmt: skip
"""By name: what the words are about, among others."""
