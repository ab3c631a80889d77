"""Phrases of what was settled: decisions, constraints, preferences."""

from __future__ import annotations

from vault_memory.model.capture.phrase import PERSON, Phrase
from vault_memory.model.capture.turn import Sort

_MERE_STEP = (
    r"(?:see|look|find|check|try|test|run|start|begin|think|talk|discuss|wait|not|continue|go on|"
    r"move on|get|debug|"
    r"open|read|measure|leave|do (?:it|that|this)|do so|say|know|hope|ask|assume|call it|be|have|"
    r"take a|figure|"
    r"need|want|still|first|now|also|probably|then|never|always|let)\b"
)
"""Verbs of what is done next in the conversation itself: no decision for later."""

DECISIONS = (
    Phrase(
        Sort.DECISION, r"\b(?:we|I)(?:'ve| have)? (?:also |finally |then )?(?:decided|agreed|settled|chose)\b"
    ),
    Phrase(Sort.DECISION, r"\b(?:the|our|final) decision (?:is|was)\b|\bdecision made\b|\bit was decided\b"),
    Phrase(
        Sort.DECISION, rf"\blet'?s (?!{_MERE_STEP})\w+", unless=r"\bnext (?:time|week|session)\b|\btoday\b"
    ),
    Phrase(
        Sort.DECISION,
        rf"\bwe(?:'ll| will|'re going to| are going to) (?!{_MERE_STEP})\w+",
        unless=r"\b(?:later|someday|next (?:week|time)|tomorrow|if|once)\b|^when\b",
    ),
    Phrase(
        Sort.DECISION,
        r"\b(?:go|going|went|stick|sticking|stay) (?:forward |ahead )?with\b",
        0.6,
        unless=r"\?$",
    ),
    Phrase(
        Sort.DECISION,
        r"^(?:so |then |and |therefore )?we (?:now )?(?:drop|keep|use|switch|go|stay|stick|move|remove|"
        r"replace|accept|reject|pin|skip|freeze|adopt)\b",
        unless=r"\b(?:already|usually|still)\b",
    ),
    Phrase(
        Sort.DECISION,
        r"\bfrom now on\b|\bgoing forward\b|\bab (?:jetzt|sofort)\b|\bvon nun an\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.DECISION,
        r"^(?!it'?s\b|that'?s\b|this\b|it\b|that\b|he\b|she\b)(?:\S+ ){1,8}(?:is|are|goes|go|stays?|"
        r"gets?) (?:\S+ ){0,8}?\S+, not "
        r"(?:a|an|the|per|in|on|by|to|for|from|with)\b",
        1.0,
        PERSON,
    ),
    Phrase(Sort.DECISION, r"\bI(?:'d| would) rather .*\binstead\b|\binstead of\b.*\bI(?:'d| would) rather\b"),
    Phrase(
        Sort.DECISION,
        r"^(?:then |so |please )?(?:fix|do|put|make|keep|store|use|write|set|name|move|pin) .*"
        r"(?:, (?:no|not)\b|\binstead of\b|\brather than\b)",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.DECISION,
        r"^(?:every|all|each) [\w\s-]{3,50}? (?:starts?|begins?|gets?|goes|go|comes?|uses?|ends?|lives?)"
        r" (?:with|in|to|by|from|under|at)\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.DECISION,
        r"\bwir (?:haben (?:uns )?(?:\w+ )*(?:entschieden|beschlossen|geeinigt)|nehmen|bleiben bei|verwenden|"
        r"nutzen|lassen|streichen|wechseln|behalten|ersetzen)\b",
        unless=r"\b(?:vielleicht|immer noch)\b",
    ),
    Phrase(
        Sort.DECISION,
        r"^(?:dann |also |ok,? )?(?:wir )?(?:stellen|machen|lesen|bauen|setzen|speichern|schreiben)"
        r" (?:wir |sie |es |das |den |die |selbst )",
        1.0,
        PERSON,
    ),
    Phrase(Sort.DECISION, r"\b(?:beschlossen|entschieden|Entscheidung)\b", 0.8),
)

CONSTRAINTS = (
    Phrase(
        Sort.CONSTRAINT,
        r"\bmust(?: not|n't| never)?(?: only)? \w+",
        unless=r"\b(?:there|it|that|this|you|he|she) must"
        r" (?:be|have)\b|\bmust have been\b|\bmust (?:admit|say|see|know)\b",
    ),
    Phrase(
        Sort.CONSTRAINT, r"^(?:please |and |so )?never (?!mind|ever|seen|heard|noticed|tried|a\b|before)\w+"
    ),
    Phrase(Sort.CONSTRAINT, r"\b(?:may|shall|should|can|will) never\b"),
    Phrase(
        Sort.CONSTRAINT,
        r"\b(?:may only|only \w+ may|is not allowed|are not allowed|not permitted|forbidden|prohibited|"
        r"under no circumstances|hard limit|is mandatory|is required by)\b",
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"\b(?:can't|cannot|can not|may not|shouldn't|should not) (?:be|have|take|exceed|go|use|leave|cost)\b"
        r".*\b(?:more than|less than|longer than|over|above|below|under|outside|during|without|at all)\b",
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"^(?:and |so |please )?(?:do not|don't) (?!worry|know|think|care|bother|need|mind|remember|"
        r"forget|see|have|want|get|you)\w+(?: \S+){2,}",
        1.0,
        PERSON,
        unless=r"\b(?:yet|now|today)\b",
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"\bwe (?:don't|do not|never) (?!know|have|need|think|want|see|care|yet)\w+ (?:\S+ ){1,6}"
        r"(?:with|without|on|before|after|outside|below|above|over|under|fewer|more|less)\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"^we (?:don't|do not|never) (?!know|have|need|think|want|see|care|use|write|"
        r"always)\w+ (?:\S+ ?){2,}",
        1.0,
        PERSON,
        unless=r"\b(?:yet|today|any ?more|right now|currently|really)\b",
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"\b(?:has|have) to (?:be|stay|remain|match|happen|run|go|keep|come)\b",
        1.0,
        PERSON,
        unless=r"^(?:we|I|you)\b|\bstill\b|\bdon't have to\b",
    ),
    Phrase(
        Sort.CONSTRAINT, r"\b(?:stays?|remains?) (?:at|below|above|under|within|in|on) \S*\d", 1.0, PERSON
    ),
    Phrase(
        Sort.CONSTRAINT,
        r"\b(?:at (?:most|least)|no (?:more|less|fewer) than|has to be|have to be|needs? to be)\b.*\d",
        0.6,
    ),
    Phrase(Sort.CONSTRAINT, r"\b(?:compliance|legally|by law|GDPR|policy) \b.*", 0.4),
    Phrase(
        Sort.CONSTRAINT,
        r"\b(?:darf|dürfen|darfst|sollen?) (?:\S+ ){0,6}?(?:nie(?:mals)?|nicht|kein\w*|"
        r"auf keinen Fall|nur)\b",
    ),
    Phrase(
        Sort.CONSTRAINT, r"\b(?:auf keinen Fall|unter keinen Umständen|ist verboten|zwingend|Pflicht ist)\b"
    ),
    Phrase(
        Sort.CONSTRAINT, r"\b(?:muss|müssen) (?:\S+ ){0,5}?(?:mindestens|höchstens|immer|unbedingt|bleiben)\b"
    ),
)

PREFERENCES = (
    Phrase(
        Sort.PREFERENCE,
        r"\bI(?:'d| would)? (?:always |really |much |strongly )?(?:prefer|love|hate|rather|dislike)\b",
        1.0,
        PERSON,
        unless=r"\bI would rather not\b|\b(?:love|hate) (?:it|that|this)\b",
    ),
    Phrase(
        Sort.PREFERENCE,
        r"\bI(?:'d| would)? (?:always )?(?:like|want) (?:all|every|no|my|our|the|each|any|things|to have)\b",
        1.0,
        PERSON,
    ),
    Phrase(Sort.PREFERENCE, r"\bI (?:don't|do not|never) (?:like|want|use)\b(?! to)", 1.0, PERSON),
    Phrase(
        Sort.PREFERENCE,
        r"\bplease (?:always|never|avoid|no|only|don't|do not|use|put|keep|write)\b",
        1.0,
        PERSON,
        unless=r"\bplease (?:put|keep|write|use) (?:it|this|that|them)\b",
    ),
    Phrase(Sort.PREFERENCE, r"^(?:and )?always (?!been|was|had|has)\w+ ", 1.0, PERSON),
    Phrase(
        Sort.PREFERENCE,
        r"\bwe (?:always|never|don't|do not|only) (?:use|write|commit|mock|put|keep|name|log|catch|"
        r"import|add)\b"
        r"|^(?:please )?stop \w+ing\b|\bmake sure (?:that )?(?:all|every|no|to always|you always|to never)\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.PREFERENCE,
        r"\bno \S+(?: \S+)?,? (?:please|bitte)\b|\b(?:künftig|in Zukunft|in (?:the )?future)\b",
        1.0,
        PERSON,
        unless=r"\b(?:maybe|perhaps|might|could)\b",
    ),
    Phrase(
        Sort.PREFERENCE,
        r"^(?:please )?(?:keep|put|name|prefix|store|save|send|format|write|call|"
        r"use) (?:\S+ ){1,5}(?:in|as|with|under|by|to) .*"
        r"(?:,|\b(?:because|since|so)\b) ?(?:I|we|that|it|so)\b",
        1.0,
        PERSON,
    ),
    Phrase(Sort.PREFERENCE, r"\bmy preference\b|\bpreferably\b", 1.0, PERSON),
    Phrase(
        Sort.PREFERENCE,
        r"\bich (?:mag|bevorzuge|hasse|liebe)\b|\bmir (?:ist|wäre) (?:\S+ )?lieber\b",
        1.0,
        PERSON,
    ),
    Phrase(
        Sort.PREFERENCE,
        r"\bich (?:möchte|will|hätte gern|mag es),? (?:immer|nur|keine?|alle|dass|lieber)\b",
        1.0,
        PERSON,
    ),
    Phrase(Sort.PREFERENCE, r"\bbitte (?:immer|nie|niemals|keine?|nur)\b", 1.0, PERSON),
)
