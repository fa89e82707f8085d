"""The conformance lab: judge any server and any client, in any language.

Cases are data. A target is something to judge: a command, or a function in
this process. A verdict says whether a clause was kept. docs/conformance.md
has the format of everything that is data here.
"""
