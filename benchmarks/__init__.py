"""Benchmarks. Each prints tables; every ratio compares figures of one run."""
