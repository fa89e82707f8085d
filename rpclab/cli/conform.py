"""The commands ``rpclab conform`` and ``rpclab conform-client``: their options and words.

The exit status is 0 if every MUST is kept or is broken as expected, 1 if not, and
2 if nothing could be judged.
"""

from collections.abc import Callable, Sequence
from typing import Annotated, Final

import typer

from rpclab.cli import terminal
from rpclab.cli.judge import ConformOptions, conform, conform_client
from rpclab.cli.options import (
    AFTER_DASHES,
    AnyFraming,
    Cwd,
    Env,
    ProgramCommand,
    completed_by,
    read_env,
)
from rpclab.cli.report_view import MOST_BLOCKS
from rpclab.cli.terminal import refuse
from rpclab.conformance.cases import load_cases, load_client_cases
from rpclab.conformance.targets import DEADLINE, STARTUP
from rpclab.spec import profile as find_profile
from rpclab.spec import profiles

# --- what the help says -----------------------------------------------------------

_EXIT_STATUS: Final = (
    "Exit status: 0 if every MUST is kept, or is broken as --expected says; 1 if not;"
    " 2 if nothing could be judged."
)
SERVER_HELP: Final = "\n\n".join(
    [
        "Judge a server: is every MUST of JSON-RPC 2.0 kept?",
        "The server is any command after two dashes:\nrpclab conform -- ./my-server --its-option",
        "It is started, and is sent good, odd and broken lines. Some cases call demo methods"
        " (echo, subtract, sum, slow and others). If the server does not have a method, the cases"
        " that need it are left out.",
        _EXIT_STATUS,
    ]
)
CLIENT_HELP: Final = "\n\n".join(
    [
        "Judge a client against a server that misbehaves.",
        "The client is any command after two dashes:\n"
        "rpclab conform-client -- ./my-client --its-option",
        "It is started once for each case, with the command of a server after its own words."
        " It starts that server as a child, does what each line of its stdin says, writes a line"
        " to stdout for each outcome, and ends when its stdin has ended and all is settled.",
        "It is told:\n"
        '{"call":"echo","params":["hi"],"as":"a"} to send a request, which is called a from here'
        ' on; with "timeout":0.3 it gives up after so many seconds\n'
        '{"notify":"update","params":[1]} to send a notification\n'
        '{"batch":[...]} to send such calls and notifications in one array\n'
        '{"wait":"a"} to wait until a is settled\n'
        '{"cancel":"a"} to cancel a',
        "It says:\n"
        '{"as":"a","result":["hi"]} if a has a result\n'
        '{"as":"a","error":{"code":-32601,"message":"..."}} if a has an error\n'
        '{"as":"a","failed":"..."} if a has neither, and never will\n'
        '{"notification":{"method":"progress","params":{}}} if one came\n'
        '{"reported":"..."} if something else came\n'
        '{"cannot":"batch"} if it cannot do what it was told; the case is left out',
        "The variable RPCLAB_FRAMING in its environment is newline or content-length.",
        _EXIT_STATUS,
    ]
)

# --- the command line -------------------------------------------------------------

app = typer.Typer()

JudgedCommand = Annotated[
    list[str] | None, typer.Argument(metavar="COMMAND...", help="The command to judge.")
]
Profile = Annotated[
    str,
    typer.Option(
        "--profile",
        metavar="NAME",
        help=f"The protocol above JSON-RPC: {', '.join(one.id for one in profiles())}; or one"
        " revision of it: mcp@2025-06-18. Without one, the handshake decides.",
        autocompletion=completed_by(
            lambda: (
                name
                for one in profiles()
                for name in (one.id, *(one.at(version).name for version in one.versions))
            )
        ),
    ),
]
CaseIds = Annotated[
    list[str] | None,
    typer.Option(
        "--case",
        metavar="ID",
        help="Run only this case. May be repeated.",
        autocompletion=completed_by(
            lambda: (case.id for case in (*load_cases(), *load_client_cases()))
        ),
    ),
]
JsonFile = Annotated[
    str,
    typer.Option(
        "--json", metavar="FILE", help="Write a report in JSON to this file; - is stdout."
    ),
]
JunitFile = Annotated[
    str, typer.Option("--junit", metavar="FILE", help="Write a report in JUnit's XML to this file.")
]
HtmlFile = Annotated[
    str, typer.Option("--html", metavar="FILE", help="Write a report as a page to this file.")
]
BadgeFile = Annotated[
    str, typer.Option("--badge", metavar="FILE", help="Write a badge, as SVG, to this file.")
]
ExpectedFile = Annotated[
    str,
    typer.Option(
        "--expected",
        metavar="FILE",
        help="What is known to be broken, in TOML: tables \\[\\[expected]], each with a case or a"
        " clause, which may be a pattern such as lsp.*, and a why.",
    ),
]
SaveExpected = Annotated[
    str,
    typer.Option(
        "--save-expected",
        metavar="FILE",
        help="Write such a file: an entry for each broken clause, with a reason to fill in. A file"
        " that is there keeps what it has, and gets what it lacks.",
    ),
]
Deadline = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="How long one case may take.", min=0.1, max=600),
]
Startup = Annotated[
    float,
    typer.Option(
        metavar="SECONDS", help="How long it may take to start and to answer.", min=0.1, max=600
    ),
]
ShowAll = Annotated[
    bool,
    typer.Option("--all", help=f"Show every broken case in full, not {MOST_BLOCKS} faults."),
]
ExitFirst = Annotated[
    bool, typer.Option("-x", "--exitfirst", help="Stop at the first MUST that is broken.")
]

Jobs = Annotated[
    int,
    typer.Option(
        "-j",
        "--jobs",
        metavar="N",
        min=0,
        max=64,
        show_default=False,
        help="How many cases to judge at the same time, each in a process of its own."
        " The verdicts are the same.  [default: two for each processor, at most 4; 1 with -x]",
    ),
]


@app.command("conform", cls=ProgramCommand, help=SERVER_HELP, context_settings=AFTER_DASHES)
def conform_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: Profile = "core",
    framing: AnyFraming = None,
    case: CaseIds = None,
    exit_first: ExitFirst = False,
    show_all: ShowAll = False,
    json: JsonFile = "",
    junit: JunitFile = "",
    html: HtmlFile = "",
    badge: BadgeFile = "",
    expected: ExpectedFile = "",
    save_expected: SaveExpected = "",
    methods: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DEMO=NAME",
            help="The server's own name of a demo method: echo=its/echo. May be repeated.",
        ),
    ] = None,
    deadline: Deadline = DEADLINE,
    startup: Startup = STARTUP,
    jobs: Jobs = 0,
    env: Env = None,
    cwd: Cwd = None,
    shrink: Annotated[
        bool,
        typer.Option("--shrink", help="Show the smallest lines that still break the server."),
    ] = False,
) -> None:
    """Judge a server."""

    def options() -> ConformOptions:
        return ConformOptions(
            profile=profile,
            framing=choose_framing(profile, framing or ""),
            cases=tuple(case or ()),
            exit_first=exit_first,
            show_all=show_all,
            json=json,
            junit=junit,
            html=html,
            badge=badge,
            expected=expected,
            save_expected=save_expected,
            deadline=deadline,
            jobs=jobs,
            startup=startup,
            env=read_env(env),
            cwd=str(cwd) if cwd else None,
            names=read_names(methods or []),
            shrink=shrink,
        )

    raise typer.Exit(_judge_command("conform", conform, command, options))


@app.command("conform-client", cls=ProgramCommand, help=CLIENT_HELP, context_settings=AFTER_DASHES)
def conform_client_command(  # noqa: PLR0913, PLR0917  one for each option
    command: JudgedCommand = None,
    profile: Profile = "core",
    framing: AnyFraming = None,
    case: CaseIds = None,
    exit_first: ExitFirst = False,
    show_all: ShowAll = False,
    json: JsonFile = "",
    junit: JunitFile = "",
    html: HtmlFile = "",
    badge: BadgeFile = "",
    expected: ExpectedFile = "",
    save_expected: SaveExpected = "",
    deadline: Deadline = DEADLINE,
    startup: Startup = STARTUP,
    jobs: Jobs = 0,
    env: Env = None,
    cwd: Cwd = None,
) -> None:
    """Judge a client."""

    def options() -> ConformOptions:
        return ConformOptions(
            profile=profile,
            framing=choose_framing(profile, framing or ""),
            cases=tuple(case or ()),
            exit_first=exit_first,
            show_all=show_all,
            json=json,
            junit=junit,
            html=html,
            badge=badge,
            expected=expected,
            save_expected=save_expected,
            deadline=deadline,
            startup=startup,
            jobs=jobs,
            env=read_env(env),
            cwd=str(cwd) if cwd else None,
        )

    raise typer.Exit(_judge_command("conform-client", conform_client, command, options))


def _judge_command(
    name: str,
    judge: Callable[[Sequence[str], ConformOptions], int],
    command: Sequence[str] | None,
    make_options: Callable[[], ConformOptions],
) -> int:
    """Judge a command, or say in a sentence what is wrong with the options."""
    if not command or not command[0]:
        what = name.replace("conform", "server").replace("server-client", "client")
        return refuse(f"Give a command after two dashes: rpclab {name} -- ./my-{what}")
    try:
        options = make_options()
    except (LookupError, ValueError) as error:
        return refuse(str(error.args[0]))
    try:
        return judge(command, options)
    except KeyboardInterrupt:
        return terminal.stopped()


def choose_framing(profile: str, framing: str) -> str:
    """Return the framing that was asked for, or else the profile's.

    >>> choose_framing("lsp", ""), choose_framing("core", "")
    ('content-length', 'newline')

    Raises:
        LookupError: there is no such profile.
    """
    usual = find_profile(profile).framing
    return str(framing) or (usual if usual in ("newline", "content-length") else "newline")


def read_names(pairs: Sequence[str]) -> dict[str, str]:
    """Read the values of ``--methods``.

    >>> read_names(["echo=its/echo"])
    {'echo': 'its/echo'}

    Raises:
        ValueError: a value is not two names with ``=`` between them.
    """
    split = [pair.partition("=") for pair in pairs]
    for name, _, theirs in split:
        if not (name and theirs):
            raise ValueError("--methods takes a demo method and its other name: echo=its/echo")
    return {name: theirs for name, _, theirs in split}
