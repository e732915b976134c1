"""The Clobber tournament server: ``python -m server.clobber --port 5860``."""
