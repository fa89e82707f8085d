"""Colours and borders, by the word that goes with each.

They are JupyterLab's own variables, so a widget follows the dark theme. A
colour never speaks alone: the word stands beside it.
"""

from typing import Final

from rpclab.demos.console import BATCH, NO_MESSAGE, NOT_JSON, SILENCE

BADGE: Final = {
    "request": "var(--jp-info-color1, #0277bd)",
    "notification": "var(--jp-accent-color1, #2e7d32)",
    "success response": "var(--jp-success-color1, #2e7d32)",
    "error response": "var(--jp-error-color1, #c62828)",
    BATCH: "var(--jp-brand-color1, #1565c0)",
    NOT_JSON: "var(--jp-error-color1, #c62828)",
    NO_MESSAGE: "var(--jp-warn-color1, #bf5f00)",
    SILENCE: "var(--jp-ui-font-color2, #616161)",
}
VERDICT: Final = {
    "broken": "var(--jp-error-color1, #c62828)",
    "bent": "var(--jp-warn-color1, #bf5f00)",
    "free": "var(--jp-info-color1, #0277bd)",
    "kept": "var(--jp-success-color1, #2e7d32)",
    "not judged": "var(--jp-ui-font-color2, #616161)",
}
MONO: Final = "font-family:var(--jp-code-font-family,monospace);font-size:13px"
TEXT: Final = "color:var(--jp-ui-font-color1,#212121)"
QUIET: Final = "color:var(--jp-ui-font-color2,#616161)"
LINE: Final = "var(--jp-border-color1,#bdbdbd)"
