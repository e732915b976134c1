"""The checker: tells the author of a server, a client or an engine which sentence of a document it breaks."""
