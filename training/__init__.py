"""What the engines have learned, made anew: ``python -m training COMMAND``; see docs/training.md."""
