"""Imports torchvision 0.28 with the CPU wheel of torch 2.13, with which its C++ operators do not load.
Transforms need none of them, so those that its Python half asks for are declared first.

    python3 -m venv v && v/bin/pip install torch==2.13.0 numpy pillow
    v/bin/pip download --no-deps -d w torchvision==0.28.0 && unzip -q -o w/torchvision-*.whl -d w/torchvision
    PYTHONPATH=w/torchvision v/bin/python torchvision_v2_augmentations.py
"""

import re
import sys

import torch

_LIBRARY = torch.library.Library("torchvision", "DEF")


def load():
    """torchvision; what is imported from it afterwards works."""
    for _ in range(60):
        try:
            import torchvision

            return torchvision
        except RuntimeError as error:
            missing = re.search(r"operator torchvision::(\w+) does not exist", str(error))
            if not missing:
                raise
            _LIBRARY.define(f"{missing.group(1)}(Tensor x) -> Tensor")
            for name in [name for name in sys.modules if name.startswith("torchvision")]:
                del sys.modules[name]
    raise RuntimeError("torchvision asks for more operators than expected")
