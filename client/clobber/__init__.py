"""The Clobber client: ``python -m client.clobber host:port --name X --player engine``."""
