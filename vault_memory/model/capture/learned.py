"""Phrases of what was found out, and of what is left: causes, facts, dead ends, intents."""

from __future__ import annotations

from vault_memory.model.capture.phrase import PERSON, Phrase
from vault_memory.model.capture.turn import Sort

CAUSES = (
    Phrase(
        Sort.CAUSE,
        r"\bbecause\b",
        unless=r"\bbecause (?:I|you|of you|we'd|I'd)\b|\bjust because\b|"
        r"^(?:the |these |that |\w+ )?(?:tests?|specs?|examples?|checks?) (?:still |now )?fail",
    ),
    Phrase(Sort.CAUSE, r"\b(?:the|root) (?:reason|cause) (?:is|was|for|of|turned|why)\b|\broot cause\b"),
    Phrase(
        Sort.CAUSE,
        r"\b(?:caused by|due to|comes? from|came from|results? from|stems? from|triggered by|thanks to)\b",
    ),
    Phrase(
        Sort.CAUSE,
        r"^found (?:it|the (?:bug|problem|issue|cause|culprit))\b|\bthe (?:real |"
        r"actual )?(?:problem|issue|culprit|bug|trouble) (?:is|was)\b"
        r"|\b(?:it )?turn(?:s|ed) out\b|\b(?:by mistake|accidentally|inadvertently)\b|"
        r"\bwhere (?:\S+ ){1,4}(?:came|comes) from\b"
        r"|\bdas Problem (?:ist|war)\b|\bstellt(?:e)? sich heraus\b|\bversehentlich\b",
        unless=r"\bturn(?:s|ed) out (?:to be )?(?:fine|ok|well)\b",
    ),
    Phrase(Sort.CAUSE, r"\b(?:that is|that's|which is) why\b", 0.8),
    Phrase(Sort.CAUSE, r"\S, since \w+|\bsince (?:the|we|it|they|no|all)\b", 0.7),
    Phrase(Sort.CAUSE, r"\bbecause\b.*\bso\b|\bfixed (?:it|this) by\b", 0.5),
    Phrase(
        Sort.CAUSE,
        r"\bweil\b|\bda(?:ran|her|durch),? (?:liegt|kommt|dass)\b|\b(?:liegt|lag|kommt|"
        r"kam) (?:\S+ )?dar(?:an|aus|her)\b"
        r"|\b(?:kommt|kam) daher\b|\bder Grund (?:ist|war|dafür)\b|\bUrsache (?:ist|war)\b",
    ),
)

FACTS = (
    Phrase(
        Sort.FACT,
        r"^(?:please )?(?:remember|keep in mind|be aware|for the record|for (?:future|"
        r"your) reference|fyi|heads[- ]up|"
        r"important|take note|note for later|make a note)\b[:,]?(?: that)? ",
        1.0,
        PERSON,
        unless=r"^remember (?:when|how|to)\b",
    ),
    Phrase(
        Sort.FACT,
        r"\b(?:put (?:it|that|this) in(?:to)? the notes|remember (?:that|this) for (?:next|later)|"
        r"write (?:that|this) down)\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.FACT, r"^(?:merk dir|denk daran|zur Info|wichtig|bitte beachte|zu beachten)\b[:,]? ", 1.0, PERSON
    ),
)

DEAD_ENDS = (
    Phrase(
        Sort.DEAD_END,
        r"\b(?:tried|attempted|tested|experimented|had (?:that|the|this) idea|gave \S+ a try)\b.*"
        r"(?:\bbut\b.*\b(?:fail|n't|not|no|too|worse|crash|broke|useless|slow|wrong|never)|"
        r"\bfailed\b|\bfailure\b"
        r"|\b(?:didn't|did not|doesn't|does not) (?:work|help|pay|change|scale|improve)|"
        r"\bno (?:luck|effect|success)\b"
        r"|\b(?:worse|useless|in vain|crashed|dead end)\b)",
    ),
    Phrase(
        Sort.DEAD_END,
        r"\b(?:did|does|do|will|wo|would)(?:n't| not) (?:work|help|scale|pay off)\b.*\b(?:because|"
        r"since|as|due)\b",
    ),
    Phrase(
        Sort.DEAD_END,
        r"\bfailed for us\b|\bdead end\b|\b(?:gave|given|giving) up on\b|\bwas a (?:failure|mistake|waste)\b",
    ),
    Phrase(
        Sort.DEAD_END,
        r"\b(?:turned out|proved|proves) to be (?:\w+ )?(?:useless|wrong|worse|too|impossible|"
        r"a dead|unusable|"
        r"unreliable|harmful|slower|no good)",
    ),
    Phrase(
        Sort.DEAD_END,
        r"\b(?:we|I) (?:had|used|once|did)\b.*\b(?:ripped|rolled|threw|took|pulled|"
        r"tore)\b.*\b(?:out|back|away)\b|\babandoned\b",
    ),
    Phrase(
        Sort.DEAD_END,
        r"\b(?:made|makes) (?:it|things|matters) (?:only )?worse\b|\bnot worth (?:it|the)\b",
        0.8,
    ),
    Phrase(
        Sort.DEAD_END,
        r"\b(?:versucht|probiert|getestet|ausprobiert)\b.*\b(?:nicht|ohne Erfolg|scheiterte|"
        r"gescheitert|leider|"
        r"vergeblich|schlechter|zu langsam|umsonst)\b|\bSackgasse\b|\bhat (?:\S+ )?nichts gebracht\b",
    ),
)

INTENTS = (
    Phrase(
        Sort.INTENT,
        r"\bstill (?:need|needs|have|has|had) to\b|\bstill (?:needs?|open|missing|outstanding|to do|"
        r"pending|unclear)\b"
        r"|\bwe (?:also )?still have\b",
    ),
    Phrase(Sort.INTENT, r"\bremind me\b|\bdon't forget to\b", 1.0, PERSON),
    Phrase(
        Sort.INTENT,
        r"\bnext (?:week|time|session|sprint|month|year)\b.*\b(?:need|needs|should|must|have to|"
        r"want|will|continue|"
        r"check|look|'ll|let's)\b|\b(?:need|needs|should|must|have to|want|continue|check|look|'ll|"
        r"will|let's)\b.*"
        r"\b(?:next (?:week|time|session|sprint|month)|tomorrow|on monday)\b",
        unless=r"\btalk|\bsee you\b",
    ),
    Phrase(
        Sort.INTENT,
        r"^(?:the )?next(?: step| steps)?(?:,? (?:we|I|is|are|would|you)|:)",
        unless=r"^next (?:I'll|I will|let me)",
    ),
    Phrase(
        Sort.INTENT,
        r"\b(?:I|we) (?:haven't|have not|didn't|did not) (?:\S+ ){1,8}yet\b|\bnot (?:done|finished|"
        r"started|tested) yet\b"
        r"|\bnot yet (?:done|finished|tested|checked|implemented)\b",
    ),
    Phrase(
        Sort.INTENT,
        r"\b(?:one )?open (?:question|point|issue|task)s?\b|\bunfinished\b|\bremains (?:to be|open|unclear)\b"
        r"|\bleft to do\b|\bstill (?:to be|not) (?:done|clear|decided)\b",
    ),
    Phrase(
        Sort.INTENT,
        r"\b(?:I'll|we'll|I will|we will|I'm going to|let's)\b.*\b(?:on (?:mon|tues|wednes|thurs|"
        r"fri)day|tomorrow|next (?:week|month)|"
        r"after the (?:release|holidays|weekend)|later this week|in (?:january|february|march|april|"
        r"june|july|august|september|"
        r"october|november|december))\b",
        unless=r"\bsee you\b|\btalk\b",
    ),
    Phrase(
        Sort.INTENT,
        r"\b(?:what's|what is) (?:missing|left|open)\b|\bnot (?:yet )?covered\b|\bout of scope\b|"
        r"\bnot part of this\b|\bwait(?:ing)? for\b.*"
        r"\b(?:answer|reply|approval|ok|review|feedback|confirm\w*)\b|\bonly (?:when|once|"
        r"after)\b.*\b(?:answer|approv|confirm|ok)\w*",
    ),
    Phrase(
        Sort.INTENT,
        r"^(?:im (?:januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|"
        r"dezember)|am (?:mo|diens|donners|frei|sams)n?tag|"
        r"am mittwoch|morgen|nächste woche|nächsten monat) \w+ (?:wir|ich)\b",
    ),
    Phrase(
        Sort.INTENT,
        r"\bdue (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\bby (?:mon|tues|wednes|thurs|fri)day\b",
        0.6,
    ),
    Phrase(Sort.INTENT, r"\b(?:need|needs|have|has) to\b", 0.5),
    Phrase(
        Sort.INTENT,
        r"\b(?:muss|müssen|sollten|soll|will|wollen) (?:\S+ ){0,3}?(?:noch|demnächst|morgen)\b|"
        r"\bnoch (?:offen|zu (?:tun|klären)|"
        r"ausstehend)\b|\bsteht noch aus\b|\boffen (?:ist|sind|bleibt) noch\b|\boffen ist\b",
    ),
    Phrase(
        Sort.INTENT,
        r"\b(?:nächste Woche|nächstes Mal|morgen|nächsten Monat)\b.*\b(?:müssen|sollten|muss|will|"
        r"wollen|soll)\b"
        r"|^als nächstes (?:sollte|müss|muss|will|woll)",
    ),
)
