"""The specification as rows: clauses, rulings and profiles.

The transport needs none of them and does not import this package.

Interface:
  - ``clauses``, ``rulings``, ``profiles``, ``sources``: all rows, in the file's order
  - ``clause``, ``ruling``, ``profile``, ``source``: one row by its id
  - ``link``: where a clause is on the web
  - a row never changes
"""

# Three of these functions have the name of their module. From here on the name
# means the function; ``from rpclab.spec.clauses import ...`` still finds the module.
from rpclab.spec.clauses import Clause, Source, clause, clauses, link, source, sources
from rpclab.spec.profiles import Profile, profile, profiles
from rpclab.spec.rulings import Reading, Ruling, ruling, rulings

__all__ = [
    "Clause",
    "Profile",
    "Reading",
    "Ruling",
    "Source",
    "clause",
    "clauses",
    "link",
    "profile",
    "profiles",
    "ruling",
    "rulings",
    "source",
    "sources",
]
