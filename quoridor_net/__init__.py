"""Quoridor over the network: rules, notations, protocols, players, matches and displays.

The subpackages form floors; each imports only from those before it (see ``docs/architecture.md``).
"""
