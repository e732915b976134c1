"""PyTorch, or a message that says how to install it."""

from __future__ import annotations

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError:
    raise SystemExit("Error: training the network needs PyTorch. Run: pip install -e '.[learn]'") from None

__all__ = ["Tensor", "functional", "nn", "torch"]
