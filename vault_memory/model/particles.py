"""What a question in Chinese, Japanese, Korean or Thai holds beside its words: particles, endings, askers.

Texts keep all of it; only what is asked for goes without.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from vault_memory.model.fold import fold
from vault_memory.model.scripts import KANA, SOUTH_EAST_SIGNS

_CHINESE = (
    "什么时候 什麼時候 为什么 為什麼 怎么样 怎麼樣 什么样 什麼樣 是不是 有没有 有沒有 能不能 可不可以"
    " 要不要 会不会 會不會 什么 什麼 怎么 怎麼 怎样 怎樣 哪里 哪裡 哪裏 哪儿 哪兒 哪些 哪个 哪個 哪种 哪種"
    " 哪位 哪 谁 誰 多少 多久 几个 幾個 是否 如何 可以 应该 應該 我们 我們 你们 你們 他们 他們 她们 她們"
    " 咱们 这个 這個 那个 那個 这些 這些 那些 这里 這裡 那里 那裡 请问 請問 知道 告诉我 告訴我 还是 還是"
    " 或者 但是 就是 时候 時候 一下 现在 現在 正在 的 了 吗 嗎 呢 吧 啊 呀 是 我 你 您 在"
)
_CHINESE_WORDS = (
    "目的 的士 的确 的確 标的 標的 了解 了結 了结 罢了 自我 我国 我國 你好 是非 存在 在线 在線 在职 在職"
    " 在场 在場 所在 内在 外在 潜在 潛在 在乎 酒吧 网吧 網吧 吧台 吧檯"
)
"""Words that hold one of those characters."""

_JAPANESE = (
    "でしょうか でしょう ましたか ますか ですか ください いつ どこ どうやって どうして どうしたら どう"
    " どれくらい どのくらい どれ どんな どの どちら だれ なぜ なに なん いくら いくつ いい よい ていました"
    " ていますか ています ている していますか しています している しました する して した ありましたか"
    " ありました ありますか あります ある ました ます でした です だった だ という って とは ので から まで"
    " より など について こと もの くらい ぐらい たら れば っけ"
)
_JAPANESE_PARTICLES = "は が を に へ と で も の や か ね よ"
_JAPANESE_ASKERS = "誰 何故 何時 何処 何 下さい 教えて"

_KOREAN = (
    "어디 어디에 어디서 어디야 어디로 무엇 무엇을 무엇이 뭐 뭐야 뭐를 뭘 뭐였지 누가 누구 누구야 누구를"
    " 언제 언제야 언제부터 언제까지 왜 어떻게 어떤 어느 얼마나 얼마 몇 해 해야 하나 하나요 하지 하는 하는지"
    " 할 한 해줘 해요 했지 했어 했더라 하려면 돼 되나 되나요 되지 있어 있는 있는지 있나 있나요 있지 있다"
    " 없어 없는 없다 알려줘 알려 가르쳐줘 가르쳐 줘 좀 수 것 거 게 때 나 내가 나는 내 나한테 저 제가 저는"
    " 우리 너 그 이 이것 그것 더 안 못 그리고 또는 및 대해 대한 위해 하면"
)
_KOREAN_ENDING = re.compile(
    "(?:해야|하나요|하나|하는|하면|하려면|해서|했다|한다|하고|하지|해줘|했지|했어|했더라|해요"
    "|에서는|에서|에게서|에게|한테|으로|까지|부터|처럼|은|는|이|가|을|를|에|의|도|로|와|과)$"
)
_KOREAN_SHORT = re.compile("[^가마노][은는을를]")
"""A noun of one syllable with a particle; not autumn, village or glow."""

_THAI = "เมื่อไหร่ เมื่อไร อย่างไร ยังไง อะไร ทำไม ที่ไหน ไหน ใคร เท่าไหร่ เท่าไร หรือไม่ หรือเปล่า หรือยัง หรือ ไหม มั้ย คือ ต้อง"
_THAI_ENDS = "ครับ ค่ะ คะ"


_LONGEST_END = 40
"""No particles and endings in a row are longer."""


class Pieces(NamedTuple):
    """What is left of a run of characters: pieces that stand apart, and those that need not be known."""

    kept: tuple[str, ...]
    spare: frozenset[str] = frozenset()


def chinese(run: str) -> Pieces:
    """The words of a run of Chinese characters, as far as function words part them."""
    kept = [""]
    last = 0
    for found in _patterns().chinese.finditer(run):
        if found[1] is None:
            kept[-1] += run[last : found.start()]
            kept.append("")
        else:
            kept[-1] += run[last : found.end()]
        last = found.end()
    kept[-1] += run[last:]
    return Pieces(tuple(filter(None, kept)))


def japanese(run: str) -> Pieces:
    """The words of a Japanese run without particles, question words and the ends of polite verbs."""
    patterns = _patterns()
    kept = [""]
    for clause in patterns.askers.split(run):
        for at, part in enumerate(patterns.hiragana.split(clause)):
            if at % 2 == 0:  # anything but hiragana
                kept[-1] += part
                continue
            before, rest = _led(part, opens=at == 1 and clause.startswith(part))
            kept += [""] * before
            end = patterns.trailing.search(rest, max(0, len(rest) - _LONGEST_END))
            kept[-1] += rest[: end.start()] if end else rest
            kept += [""] * (end is not None)
        kept.append("")
    words = (piece for piece in kept if len(piece) > 1 or (piece and not patterns.kana.match(piece)))
    return Pieces(tuple(words))


def _led(part: str, *, opens: bool) -> tuple[bool, str]:
    """Whether hiragana begins with what belongs to no word, and the rest of it.

    Behind a character it goes on with a word most often; where it opens a clause it does not.
    """
    patterns = _patterns()
    found = (patterns.leading.match(part) if opens else None) or patterns.glued.match(part)
    return (True, part[found.end() :]) if found else (False, part)


def korean(run: str) -> Pieces:
    """A Korean word without its particle, nothing of a word that only asks.

    A short one may be a noun of one syllable with a particle, or not: both are looked for.
    """
    if run in _patterns().korean:
        return Pieces(())
    if _KOREAN_SHORT.fullmatch(run):
        return Pieces((run, run[0]), frozenset({run}))
    bare = _KOREAN_ENDING.sub("", run)
    return Pieces((bare if len(bare) > 1 else run,))


def thai(run: str) -> Pieces:
    """The words of a Thai run, as far as question words part them."""
    return Pieces(tuple(filter(None, _patterns().thai.split(run))))


class _Patterns(NamedTuple):
    chinese: re.Pattern[str]
    askers: re.Pattern[str]
    hiragana: re.Pattern[str]
    kana: re.Pattern[str]
    leading: re.Pattern[str]
    glued: re.Pattern[str]
    trailing: re.Pattern[str]
    korean: frozenset[str]
    thai: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    phrase, little = _any(_JAPANESE), _any(f"{_JAPANESE} {_JAPANESE_PARTICLES}")
    return _Patterns(
        chinese=re.compile(f"({_any(_CHINESE_WORDS)})|{_any(_CHINESE)}"),
        askers=re.compile(_any(_JAPANESE_ASKERS)),
        hiragana=re.compile("([\u3041-\u3096]+)"),
        kana=re.compile(f"[{KANA}]"),
        leading=re.compile(f"(?:{phrase})(?:{little})*"),
        glued=re.compile("を|には|では|とは|にも|でも"),
        trailing=re.compile(f"(?:{little})+$"),
        korean=frozenset(_KOREAN.split()),
        thai=re.compile(f"(?:{_any(fold(_THAI))})(?![{SOUTH_EAST_SIGNS}])|(?:{_any(fold(_THAI_ENDS))})$"),
    )


def _any(words: str) -> str:
    """A pattern for any of these words, longer ones first."""
    return "|".join(sorted(words.split(), key=len, reverse=True))
