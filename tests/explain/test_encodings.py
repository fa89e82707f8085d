"""The encoding of bytes that are not UTF-8."""

import pytest

from rpclab.explain.encodings import guess_encoding


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gbk", "'npx' 不是内部或外部命令\uff0c也不是可运行的程序"),
        ("gbk", "连接超时"),
        ("cp932", "'npx' は、内部コマンドまたは外部コマンド、"),
        ("cp932", "エラー: 接続できません"),
        ("cp949", "내부 또는 외부 명령, 실행할 수 있는 프로그램"),
        ("cp866", "не является внутренней или внешней"),
        ("cp1251", "не является внутренней или внешней"),
        ("cp437", "un programme exécutable"),
        ("cp437", "für die Überprüfung"),
        ("cp437", "┌────────┐"),
        ("cp1252", "un programme exécutable"),
        ("cp1252", "\u2018npx\u2019 wurde nicht gefunden"),
        ("utf-16", "hello"),
        ("utf-16-le", "hello"),
        ("utf-16-be", "hello"),
    ],
)
def test_an_encoding_is_guessed_by_what_is_usual_in_it(encoding, text):
    assert guess_encoding(text.encode(encoding)).codec == encoding


@pytest.mark.parametrize(
    "text", [b"", b"plain", "é日本語😀".encode(), b"\x80", b"\x81\x8d", bytes(8)]
)
def test_no_encoding_is_guessed_without_a_sign(text):
    assert guess_encoding(text) is None


def test_a_text_that_was_cut_inside_a_character_is_still_guessed():
    assert guess_encoding("服务器启动".encode("gbk")[:-1]).codec == "gbk"
    assert guess_encoding("服务器启动".encode("gbk") * 5000).codec == "gbk"
