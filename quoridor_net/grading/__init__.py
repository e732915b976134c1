"""Grading of programs: conformance by the checker, and a place on the ladder of reference players."""
