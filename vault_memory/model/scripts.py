"""The characters that decide how text is parted: scripts without spaces, signs within words, emoji.

Each is the inside of a character class of a regular expression.
"""

# Scripts written without spaces. Hangul has spaces, but its endings are glued to the word.
HAN = "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\U0001b000-\U0001b16f"
HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7a3\ud7b0-\ud7ff"
SOUTH_EAST = (  # Thai, Lao, Khmer, Myanmar; without their digits
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u0edc-\u0edf"
    "\u1780-\u17d3\u17d7\u17dc\u17dd\u1000-\u103f\u1050-\u108f\u109a-\u109f\ua9e0-\ua9ef\uaa60-\uaa7f"
)
EMOJI = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
FLAG = "\U0001f1e6-\U0001f1ff"
"""Letters of which two make a flag."""

# Vowel signs and the like, which Python does not count among a word's characters.
SIGNS = (
    "\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d\u0859-\u085b\u0900-\u0903\u093a-\u094f\u0951-\u0957"
    "\u0962\u0963\u0981-\u0983\u09bc-\u09d7\u09e2\u09e3\u0a01-\u0a03\u0a3c-\u0a51\u0a70-\u0a75\u0a81-\u0a83"
    "\u0abc-\u0acd\u0ae2\u0ae3\u0b01-\u0b03\u0b3c-\u0b57\u0b62\u0b63\u0b82\u0bbe-\u0bd7\u0c00-\u0c04\u0c3c-\u0c56"
    "\u0c62\u0c63\u0c81-\u0c83\u0cbc-\u0cd6\u0ce2\u0ce3\u0d00-\u0d03\u0d3b-\u0d4d\u0d57\u0d62\u0d63\u0d81-\u0d83"
    "\u0dca-\u0df3\u0f18\u0f19\u0f35\u0f37\u0f39\u0f3e\u0f3f\u0f71-\u0f84\u0f86\u0f87\u0f8d-\u0fbc\u135d-\u135f"
    "\u1712-\u1714\u18a9\u1920-\u193b\u1a17-\u1a1b\u1a55-\u1a7f\u1b00-\u1b04\u1b34-\u1b44\u1b80-\u1b82\u1ba1-\u1bad"
    "\u1be6-\u1bf3\u1c24-\u1c37\ua802\ua806\ua80b\ua823-\ua827\ua880\ua881\ua8b4-\ua8c5\ua926-\ua92d\ua947-\ua953"
    "\ua980-\ua983\ua9b3-\ua9c0\uaa29-\uaa36\uabe3-\uabed\U00011000-\U00011002\U00011038-\U00011046"
    "\U000110b0-\U000110ba\U00011127-\U00011134"
)
SOUTH_EAST_SIGNS = (
    "\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece\u17b4-\u17d3\u17dd"
    "\u102b-\u103e\u1056-\u1059\u105e-\u1060\u1062-\u1064\u1067-\u106d\u1071-\u1074\u1082-\u108d\u108f\u109a-\u109d"
)
STACKERS = "\u1039\u17d2"
"""Signs that put the next consonant below."""
