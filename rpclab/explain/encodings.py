"""Which encoding some bytes are in, if they are not UTF-8.

Windows prints in the code page of its console, PowerShell writes files as UTF-16. Bytes
do not say their encoding, so it is guessed: each candidate must read all of them, and
most of what is not ASCII must be what people write in that encoding.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

_ENOUGH: Final = 4096  # bytes that are looked at


class Encoding(NamedTuple):
    """A guess: the codec of Python, and the name that people know."""

    codec: str
    title: str


class _Candidate(NamedTuple):
    """An encoding, and what is usual in it. ``least`` is how many such characters it takes."""

    encoding: Encoding
    usual: re.Pattern[str]
    least: int


_HANZI: Final = (
    "的一是不了人我在有他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可"
    "里后小心多天而能好都然没日于起还发成事作当想看文无开手十用主行方又如前所本见经头面公同三已"
    "内部或外命令运程序批处理件服务器启动错误警告找到目录连接失败口请求信息消数据初始化完正载监听"
)
_HANGUL: Final = (
    "이다는을의에가고한로하지서도를기나으해자들인그사있어리아대니라정시것내부또외명령실행할수있배치파일"
    "니서버작오류경연결패찾없습디렉터"
)
_CAPITALS, _SMALL = "\u0410-\u042f\u0401", "\u0430-\u044f\u0451"
_CYRILLIC: Final = (
    f"(?<![A-Za-z{_CAPITALS}{_SMALL}])(?:[{_CAPITALS}]?[{_SMALL}]+|[{_CAPITALS}]+)"
    f"(?![A-Za-z{_CAPITALS}{_SMALL}])"
)

_CANDIDATES: Final = (
    _Candidate(
        Encoding("cp932", "Shift-JIS (CP932), Windows' code page for Japanese"),
        re.compile("[\u3040-\u30ff\u3001\u3002]"),
        2,
    ),
    _Candidate(
        Encoding("gbk", "GBK (CP936), Windows' code page for Chinese"),
        re.compile(f"[{_HANZI}\u3001\u3002\uff0c\uff1a\uff01]"),
        2,
    ),
    _Candidate(
        Encoding("cp949", "EUC-KR (CP949), Windows' code page for Korean"),
        re.compile(f"[{_HANGUL}]"),
        2,
    ),
    _Candidate(
        Encoding("cp866", "CP866, the code page of a Russian console"), re.compile(_CYRILLIC), 4
    ),
    _Candidate(
        Encoding("cp1251", "Windows-1251, the code page for Cyrillic"), re.compile(_CYRILLIC), 4
    ),
    _Candidate(
        Encoding("cp437", "CP437 or CP850, code pages of a Western console"),
        re.compile(r"(?<=[A-Za-z])[éüäàöêèçßñáíóú](?=[A-Za-z])|\b[ÄÖÜ](?=[a-z])|[─-▟]{2,}"),
        1,
    ),
    _Candidate(
        Encoding("cp1252", "Windows-1252 or Latin-1, Western code pages"),
        re.compile(r"(?<![À-ÿ])[À-ÖØ-öø-ÿ](?![À-ÿ])|[\u2018\u2019\u201c\u201d\u2013\u2026]"),
        1,
    ),
)


def guess_encoding(data: bytes) -> Encoding | None:
    """Return the encoding that bytes are probably in, or None if it cannot be told.

    >>> guess_encoding("找不到文件".encode("gbk")).codec
    'gbk'
    >>> guess_encoding(b"plain"), guess_encoding(bytes([0x80, 0x81, 0xFE, 0xFF]))
    (None, None)
    """
    if is_utf_16(data):
        return Encoding(_byte_order(data), "UTF-16")
    if not _has_other_bytes(data):
        return None
    share, encoding = max(_shares(data), key=lambda one: one[0], default=(0.0, None))
    return encoding if share > 0 else None


def _has_other_bytes(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return True
    return False


def _shares(data: bytes) -> Iterator[tuple[float, Encoding]]:
    """Yield how much of the text is usual in each encoding that can read it."""
    for encoding, usual, least in _CANDIDATES:
        text = _decode(data, encoding.codec)
        foreign = sum(character > "\x7f" for character in text)
        fitting = sum(len(found[0]) for found in usual.finditer(text))
        enough = 0.3 if encoding.codec in {"cp932", "gbk", "cp949"} else 0.8
        if fitting >= least and fitting >= foreign * enough:
            yield fitting / foreign + (encoding.codec == "cp932"), encoding


def _decode(data: bytes, codec: str) -> str:
    """Decode the beginning of the data. It may end inside a character."""
    head = data[:_ENOUGH]
    for end in (len(head), len(head) - 1):
        try:
            return head[:end].decode(codec)
        except UnicodeDecodeError:
            continue
    return ""


def is_utf_16(data: bytes) -> bool:
    """Tell whether data begins with a mark of UTF-16, or like ASCII text written in it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    head = data[:8]
    return len(head) > 3 and (
        (not any(head[::2]) and all(head[1::2])) or (not any(head[1::2]) and all(head[::2]))
    )


def _byte_order(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    return "utf-16-be" if data[0] == 0 else "utf-16-le"


def is_latin_1(data: bytes, at: int) -> bool:
    """Tell whether a byte may be a letter of a Western code page."""
    following = data[at + 1 : at + 2]
    return data[at] >= 0xA0 and (not following or following < b"\x80")
