"""PyTorch, or a message that says how to install it."""

from __future__ import annotations

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError:
    raise SystemExit("Error: training the network needs PyTorch. Run: pip install -e '.[learn]'") from None

__all__ = ["DEVICE", "Tensor", "functional", "nn", "torch"]

#: Where networks learn: on the graphics card if PyTorch finds one.
DEVICE = torch.device("cuda" if torch.cuda.is_available() else "cpu")
