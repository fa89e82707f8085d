"""A language server of pygls without a feature of its own."""

from pygls.lsp.server import LanguageServer

server = LanguageServer("truth", "1")
server.start_io()
