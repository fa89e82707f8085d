"""Exercise 30: find the clause that decides."""

# It is enough to ask in the order in which a server reads. Is it JSON? Lines 1 and 5 are
# not: one has names in single quotes, one a number with a leading zero. Is it one of the
# shapes? Line 4 has no shape, and is not a batch either. Then member by member: line 2 lacks its
# version, and line 3 has an error beside its result, even if it is null.
ids: list = [
    "json.names",
    "4.jsonrpc-present",
    "5.not-both",
    "6.empty-array",
    "json.no-leading-zero",
]
