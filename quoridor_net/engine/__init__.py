"""The Quoridor engine."""
