"""Writes torchvision_copy_paste.txt: what SimpleCopyPaste of torchvision's references/detection makes
of two samples, put together here of the same operations of torchvision, in the same order, with
PyTorch's generator. load_torchvision_v2.py says how to run it.

Made with torch 2.13.0, torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6. Pictures are
noise(width, height) of picture.py, the other one mirrored, scaled by Pillow; masks are those of masks() below. A line is

    seed blending  width height objects  other_width other_height other_objects
    crc32_of_pixels crc32_of_masks  labels  boxes

the numbers of the last two joined by commas, - where there are none.
"""

import pathlib
import zlib

import numpy
import torch
from PIL import Image

import load_torchvision_v2

load_torchvision_v2.load()

from torchvision.ops import masks_to_boxes
from torchvision.transforms import functional as v1
from torchvision.transforms.v2 import functional as F

from picture import noise

CASES = [
    (1, True, 40, 30, 4, 40, 30, 5),
    (2, False, 40, 30, 4, 40, 30, 5),
    (3, True, 33, 41, 6, 50, 27, 4),
    (4, False, 33, 41, 6, 20, 64, 7),
    (5, True, 24, 24, 0, 24, 24, 3),
    (6, True, 24, 24, 3, 31, 24, 0),
    (7, True, 17, 19, 8, 90, 80, 8),
    (8, False, 64, 48, 9, 64, 48, 9),
]


def masks(seed, objects, width, height):
    """Rectangles with holes; the fourth is one column wide."""
    x = numpy.arange(width)[None, :]
    y = numpy.arange(height)[:, None]
    made = numpy.zeros((objects, height, width), numpy.uint8)
    for i in range(objects):
        left = (i * 11 + seed * 5) % (width - 4)
        top = (i * 7 + seed * 3) % (height - 4)
        right = left + 1 if i == 3 else left + 4 + (i * 5 + seed) % 9
        bottom = top + 3 + (i * 3 + seed) % 8
        made[i] = (x >= left) & (x < right) & (y >= top) & (y < bottom) & ((x ^ y) % 5 != 4)
    return torch.from_numpy(made)


def copy_paste(image, own, labels, other_image, other, other_labels, blending):
    objects = len(other)
    if objects == 0:
        return image, own, masks_to_boxes(own), labels
    chosen = torch.unique(torch.randint(0, objects, (objects,)))
    pasted, pasted_labels = other[chosen], other_labels[chosen]
    boxes = masks_to_boxes(pasted)
    height, width = own.shape[-2:]
    old_height, old_width = other.shape[-2:]
    if (height, width) != (old_height, old_width):
        other_image = other_image.resize((width, height), Image.BILINEAR)
        pasted = F.resize(pasted, [height, width], F.InterpolationMode.NEAREST)
        ratios = torch.tensor((width / old_width, height / old_height))
        boxes = boxes.view(-1, 2, 2).mul(ratios).view(boxes.shape)
    alpha = pasted.sum(0) > 0
    if blending:
        alpha = v1.gaussian_blur(alpha.unsqueeze(0), kernel_size=[5, 5], sigma=[2.0])[0]
    pixels = F.pil_to_tensor(image) * ~alpha + F.pil_to_tensor(other_image) * alpha
    own = own * ~alpha
    left = own.sum((-1, -2)) > 0
    own = own[left]
    all_masks = torch.cat([own, pasted])
    all_boxes = torch.cat([masks_to_boxes(own), boxes])
    all_labels = torch.cat([labels[left], pasted_labels])
    valid = ~(all_boxes[:, 2:] <= all_boxes[:, :2]).any(1)
    return pixels, all_masks[valid], all_boxes[valid], all_labels[valid]


def joined(numbers):
    return ",".join(str(number) for number in numbers) or "-"


lines = []
for case in CASES:
    seed, blending, width, height, objects, other_width, other_height, others = case
    own = masks(seed, objects, width, height)
    other = masks(seed + 1, others, other_width, other_height)
    torch.manual_seed(seed)
    pixels, all_masks, boxes, labels = copy_paste(
        noise(width, height),
        own,
        torch.arange(1, objects + 1),
        noise(other_width, other_height).transpose(Image.FLIP_LEFT_RIGHT),
        other,
        torch.arange(101, others + 101),
        blending,
    )
    if others == 0:
        pixels = F.pil_to_tensor(pixels)
    lines.append(
        " ".join(str(int(value)) for value in case)
        + f" {zlib.crc32(pixels.permute(1, 2, 0).contiguous().numpy().tobytes())}"
        + f" {zlib.crc32(all_masks.contiguous().numpy().tobytes())}"
        + f" {joined(labels.tolist())} {joined(boxes.flatten().tolist())}\n"
    )
pathlib.Path(__file__).with_suffix(".txt").write_text("".join(lines))
