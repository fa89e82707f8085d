"""Text for people is noise, whatever it looks like; broken JSON is not."""

import pytest

from rpclab.explain import explain
from rpclab.explain.mistakes import MISTAKES
from rpclab.explain.not_json import NOISE

LINES = [
    "[dotenv@17.2.1] injecting env (2) from .env -- tip: encrypt with dotenvx",
    "[INFO] x",
    "[2024-01-01T00:00:00Z] started",
    "[12:30:45] Starting 'build'...",
    "[I 2024-01-01 12:00:00.000 ServerApp] Jupyter is running",
    "[main] INFO com.foo.Bar - ready",
    "[nodemon] 3.0.1",
    "[0] Server listening",
    "[1/4] Resolving packages...",
    "[+] Running 2/2",
    "[HPM] Proxy created: /api -> http://localhost",
    "[a][b] c",
    "INFO:root:ready",
    "2024/01/01 12:00:00 listening",
    "I0511 12:34:56.789 1 main.go:1] ready",
    'time="2024-01-01" level=info msg="x"',
    "Jan  5 12:00:00 host app[1]: x",
    "> pkg@1.0.0 start",
    "> @scope/pkg@1.0.0-beta.1 dev",
    "npm WARN deprecated foo@1: use bar",
    "npm error code ENOTFOUND",
    "added 12 packages, and audited 13 packages in 2s",
    "bash: line 1: foo: command not found",
    "/bin/sh: 1: foo: not found",
    "zsh: command not found: foo",
    "env: node: No such file or directory",
    "'npx' is not recognized as an internal or external command,",
    "foo : The term 'foo' is not recognized as the name of a cmdlet",
    "  .   ____          _            __ _ _",
    " /\\\\ / ___'_ __ _ _(_)_ __  __ _ \\ \\ \\ \\",
    "( ( )\\___ | '_ | '_| | '_ \\/ _` | \\ \\ \\ \\",
    "  '  |____| .__|_| |_|_| |_\\__, | / / / /",
    " =========|_|==============|___/=/_/_/_/",
    " :: Spring Boot ::                (v3.2.0)",
    "(node:123) Warning: x",
    "(Use `node --trace-warnings ...` to show where the warning was created)",
    "node:internal/modules/cjs/loader:1080",
    "Debugger listening on ws://127.0.0.1:9229/x",
    "web_1  | Listening on 3000",
    "Traceback (most recent call last):",
    '  File "x.py", line 1, in <module>',
    "ValueError: x",
    "app.py:12: DeprecationWarning: x",
    'Exception in thread "main" java.lang.IllegalStateException: x',
    "\tat com.foo.Bar.main(Bar.java:12)",
    "Caused by: java.io.IOException: y",
    "\t... 12 more",
    "panic: runtime error: index out of range [5] with length 3",
    "goroutine 1 [running]:",
    "thread 'main' panicked at src/main.rs:2:5:",
    "Unhandled exception. System.Exception: x",
    "Downloading:  10%|#         | 1/10",
    "10%\r20%\r30%",
    "Building [=====>    ] 50%",
    "SLF4J: Failed to load class",
    "Picked up JAVA_TOOL_OPTIONS: -Xmx1g",
    "* Serving Flask app 'x'",
    "=== started ===",
    "---- ready",
    "3 tests collected",
    "/usr/lib/x.so: cannot open shared object file",
    "C:\\app\\server.js started",
    "Server running on stdio",
    "⬡ injected env (0) from .env // tip: enable debugging { debug: true }",
    "│ packages        │ 3     │",
]


@pytest.mark.parametrize("line", LINES)
def test_text_for_people_is_noise_on_stdout(line):
    explanation = explain(line + "\n")
    assert explanation.mistake.id in NOISE
    assert MISTAKES[explanation.mistake.id].clause == "newline.stdout-clean"
    assert "newline.stdout-clean" in {finding.clause for finding in explanation.findings}
    assert (explanation.shape, explanation.verdict) == ("no message", "broken")
    assert "stderr" in explanation.mistake.fix


@pytest.mark.parametrize(
    "line",
    [
        "[1,2",
        "[1] [2]",
        "[1, 2] x",
        "[true] x",
        "[None] x",
        "[foo",
        "[foo]",
        "[foo, 1]",
        '["a"] x',
        '{"jsonrpc":"2.0","meth',
        '{"jsonrpc": "2.0", "method": "a"} [INFO] x',
        '{"a":1',
        "-",
        "// a comment\n",
        "# a comment",
        "{'a': 1}",
        "NaN",
        "true x",
        "- 1",
    ],
)
def test_broken_json_is_not_called_noise(line):
    assert explain(line).mistake.id not in NOISE


TEXTS = {
    "Spring's banner": (
        "banner",
        "\n  .   ____          _            __ _ _\n"
        " /\\\\ / ___'_ __ _ _(_)_ __  __ _ \\ \\ \\ \\\n"
        "( ( )\\___ | '_ | '_| | '_ \\/ _` | \\ \\ \\ \\\n"
        " \\\\/  ___)| |_)| | | | | || (_| |  ) ) ) )\n"
        "  '  |____| .__|_| |_|_| |_\\__, | / / / /\n"
        " =========|_|==============|___/=/_/_/_/\n"
        " :: Spring Boot ::                (v3.2.0)\n\n",
    ),
    "Python's traceback": (
        "stack-trace",
        'Traceback (most recent call last):\n  File "x.py", line 1, in <module>\n'
        "    main(1)\n    ^^^^^^^\nValueError: x\n",
    ),
    "Java's trace": (
        "stack-trace",
        'Exception in thread "main" java.lang.Error: x\n\tat a.B.main(B.java:12)\n\t... 2 more\n',
    ),
    "Go's panic": (
        "stack-trace",
        "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:7 +0x1d\nexit status 2\n",
    ),
    "npm's banner": ("npm-banner", "\n> pkg@1.0.0 start\n> node server.js\n\n"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_noise_of_several_lines_is_one_thing(name):
    id, text = TEXTS[name]
    explanation = explain(text)
    assert (explanation.mistake.id, explanation.shape) == (id, "no message")
    kinds = [mistake.id for mistake in explanation.mistakes]
    assert len(kinds) == len(set(kinds))
    assert all(line.shape == "no message" for line in explanation.members)


def test_noise_before_a_message_leaves_the_message_as_it_is():
    explanation = explain('[vite] ready\n{"jsonrpc":"2.0","method":"a"}\n')
    assert explanation.shape == "several messages"
    assert [line.verdict for line in explanation.members] == ["broken", "kept"]
