"""Training of the engines: ``python -m training COMMAND``; see docs/training.md."""
