"""Writes torchvision_targets.txt and torchvision_target_draws.txt: what torchvision's transforms.v2
makes of a picture with its targets. Run as load_torchvision_v2.py says. Made with torch 2.13.0,
torchvision 0.28.0, Pillow 12.3.0 and NumPy 2.4.6.

A line of torchvision_targets.txt is a pipeline of one or more operations with their parameters, and
its result:

    width,height,format,clamping,fill operation:parameter:... ... = width,height pixels mask
    instances boxes points labels

in one line, pixels, mask and instances being CRC-32s (8-bit RGB; INT32; UINT8), the others numbers
that are separated by commas, or - where there are none. The picture is noise(width, height) of
picture.py, passed as a PIL image; mask, boxes and so on are made by the functions below, and by
TorchvisionTargetsTest.java alike. Each id of the mask comes once, so that it says where it went.
Format is none where there are neither boxes nor points.

A line of torchvision_target_draws.txt is

    transform seed width height = result as above

with PyTorch's generator at that seed, and the transforms of the test, by name.
"""

import pathlib
import random
import re
import zlib

import numpy as np
import torch

from picture import noise

from load_torchvision_v2 import load

load()
from torchvision import tv_tensors as tv  # noqa: E402
from torchvision.transforms import v2  # noqa: E402
from torchvision.transforms.functional import _get_perspective_coeffs  # noqa: E402
from torchvision.transforms.v2 import functional as F  # noqa: E402

MODES = {
    "nearest": v2.InterpolationMode.NEAREST,
    "bilinear": v2.InterpolationMode.BILINEAR,
    "bicubic": v2.InterpolationMode.BICUBIC,
}


def ids(width, height):
    return torch.arange(1, width * height + 1, dtype=torch.int32).reshape(height, width)


def instances(width, height):
    x = torch.arange(width)[None, :]
    y = torch.arange(height)[:, None]
    each = [((x // (3 + i) + y // (5 + i)) % 2) for i in range(len(BOXES))]
    return torch.stack(each).to(torch.uint8)


# Fractions of the picture's sides; the last two have no area, or reach outside.
BOXES = [
    (0.1, 0.2, 0.5, 0.6),
    (0.4, 0.1, 0.9, 0.95),
    (0.0, 0.0, 1.0, 1.0),
    (0.7, 0.7, 0.75, 0.8),
    (0.3, 0.5, 0.3, 0.9),
    (-0.2, 0.6, 0.2, 1.3),
]
POINTS = [(0.0, 0.0), (0.25, 0.5), (0.999, 0.5), (0.5, 0.9), (1.1, -0.1), (0.75, 0.25)]


def boxes(width, height, form, clamping):
    sides = np.array([width, height, width, height], dtype=np.float32)
    edges = torch.from_numpy(np.array(BOXES, dtype=np.float32) * sides)
    box = tv.BoundingBoxes(
        edges,
        format="XYXY",
        canvas_size=(height, width),
        clamping_mode="soft" if clamping else None,
    )
    return F.convert_bounding_box_format(box, new_format=form)


def points(width, height):
    sides = np.array([width, height], dtype=np.float32)
    xy = torch.from_numpy(np.array(POINTS, dtype=np.float32) * sides)
    return tv.KeyPoints(xy, canvas_size=(height, width))


def sample(width, height, form, clamping):
    made = {
        "image": noise(width, height),
        "mask": tv.Mask(ids(width, height)),
        "instances": tv.Mask(instances(width, height)),
    }
    if form != "none":
        made["boxes"] = boxes(width, height, form, clamping)
        made["points"] = points(width, height)
        made["labels"] = torch.arange(10, 10 + len(BOXES))
    return made


def crc(array):
    return f"{zlib.crc32(np.ascontiguousarray(array).tobytes()):08x}"


def numbers(tensor):
    return ",".join(format(v, ".7g") for v in tensor.flatten().tolist()) or "-"


def consistent(made):
    size = made["image"].size[::-1]
    same = tuple(made["mask"].shape[-2:]) == size and tuple(made["instances"].shape[-2:]) == size
    return same and ("boxes" not in made or made["boxes"].canvas_size == size)


def result(made):
    width, height = made["image"].size
    words = [
        f"{width},{height}",
        crc(np.asarray(made["image"])),
        crc(made["mask"].numpy().astype("<i4")),
        crc(made["instances"].numpy()),
    ]
    for part in ("boxes", "points", "labels"):
        words.append(numbers(made[part]) if part in made else "-")
    return " ".join(words)


def each(made, function, **options):
    def call(name, part):
        if name == "labels":
            return part
        return function(part, name)

    return {name: call(name, part) for name, part in made.items()}


def color(text):
    value = int(text, 16)
    return [value >> 16, value >> 8 & 255, value & 255]


def apply(made, operation, fill):
    name, *args = operation.split(":")
    n = [float(a) if re.fullmatch(r"-?[\d.]+(e-?\d+)?", a) else a for a in args]
    whole = [int(a) if re.fullmatch(r"-?\d+", a) else a for a in args]

    def filled(part, text):
        if part == "image":
            return color(text)
        return 0 if part == "instances" else fill

    if name == "hflip":
        return each(made, lambda x, _: F.horizontal_flip(x))
    if name == "vflip":
        return each(made, lambda x, _: F.vertical_flip(x))
    if name == "crop":
        x, y, w, h = whole
        return each(made, lambda p, _: F.crop(p, y, x, h, w))
    if name == "centercrop":
        w, h = whole
        return each(made, lambda p, _: F.center_crop(p, [h, w]))
    if name == "resize":
        w, h, mode = whole
        return each(made, lambda p, _: F.resize(p, [h, w], MODES[mode]))
    if name == "pad":
        left, top, right, bottom, mode, text = args
        border = [int(left), int(top), int(right), int(bottom)]
        return each(
            made,
            lambda p, part: F.pad(p, border, filled(part, text), padding_mode=mode),
        )
    if name == "rotate":
        mode, expand, text = args[1], args[2] == "true", args[3]
        center = n[4:6] or None
        return each(
            made,
            lambda p, part: F.rotate(p, n[0], MODES[mode], expand, center, filled(part, text)),
        )
    if name == "affine":
        mode, text = args[6], args[7]
        center = n[8:10] or None
        return each(
            made,
            lambda p, part: F.affine(
                p, n[0], n[1:3], n[3], n[4:6], MODES[mode], filled(part, text), center
            ),
        )
    if name == "perspective":
        mode, text = args[8], args[9]
        return each(
            made,
            lambda p, part: F.perspective(
                p, None, None, MODES[mode], filled(part, text), coefficients=n[:8]
            ),
        )
    if name == "elastic":
        field = displacement(*made["image"].size, n[0])
        mode, text = args[1], args[2]
        return each(made, lambda p, part: F.elastic(p, field, MODES[mode], filled(part, text)))
    if name == "brightness":
        return {**made, "image": F.adjust_brightness(made["image"], n[0])}
    if name == "sanitize":
        return v2.SanitizeBoundingBoxes(n[0], n[1], labels_getter=lambda s: s["labels"])(made)
    raise ValueError(name)


def displacement(width, height, strength):
    """Up to 8 strength percent of half a side, in all directions."""
    y, x = np.mgrid[:height, :width]
    each = [(x * 7 + y * 13) % 17 - 8, (x * 5 + y * 3) % 13 - 6]
    field = np.stack([strength * part / 100 for part in each], -1).astype(np.float32)
    return torch.from_numpy(field)[None]


def near_limit(made, operation):
    """Whether rounding decides which boxes stay, or which pixel a point is displaced as."""
    if operation.startswith("elastic") and "boxes" in made:
        xyxy = F.convert_bounding_box_format(made["boxes"], new_format="XYXY")
        each = torch.cat([xyxy.as_subclass(torch.Tensor).flatten(), made["points"].flatten()])
        return bool((((each - each.round()).abs() < 0.01) & (each != 0)).any())
    if not operation.startswith("sanitize"):
        return False
    size, area = map(float, operation.split(":")[1:])
    xyxy = F.convert_bounding_box_format(made["boxes"], new_format="XYXY").as_subclass(torch.Tensor)
    height, width = made["boxes"].canvas_size
    sides = torch.tensor([width, height, width, height])
    outside = torch.maximum(-xyxy, xyxy - sides).flatten()
    sides = (xyxy[:, 2:] - xyxy[:, :2]).flatten()
    areas = (xyxy[:, 2] - xyxy[:, 0]) * (xyxy[:, 3] - xyxy[:, 1])
    near = ((outside > 0) & (outside < 0.01)).any() | ((sides - size).abs() < 0.01).any()
    return bool(near | ((areas - area).abs() < 0.1).any())


def real(low, high):
    return repr(round(random.uniform(low, high), random.choice([1, 3, 9])))


def warped(mode=None):
    mode = mode or random.choice(list(MODES))
    return mode, f"{random.choice([0, 0x010203, 0xff8000]):06x}"


def any_operation(width, height, fill, name=None):
    name = name or random.choice(
        "hflip vflip crop crop resize resize pad rotate rotate affine affine perspective elastic "
        "brightness".split()
    )
    if name in ("hflip", "vflip"):
        return name
    if name == "crop":
        w, h = random.randint(max(1, width // 3), width), random.randint(max(1, height // 3), height)
        if fill == 0 and random.random() < 0.3:
            x, y = random.randint(-5, width - 2), random.randint(-5, height - 2)
            w, h = random.randint(8, width + 9), random.randint(8, height + 9)
        else:
            x, y = random.randint(0, width - w), random.randint(0, height - h)
        return f"crop:{x}:{y}:{w}:{h}"
    if name == "centercrop":
        w, h = random.randint(3, width), random.randint(3, height)
        return f"centercrop:{w}:{h}"
    if name == "resize":
        w, h = random.randint(8, 120), random.randint(8, 120)
        return f"resize:{w}:{h}:{random.choice(list(MODES))}"
    if name == "pad":
        sides = ":".join(str(random.randint(0, 12)) for _ in range(4))
        return f"pad:{sides}:constant:{warped()[1]}"
    if name == "rotate":
        mode, text = warped()
        expand = random.choice(["true", "false"])
        degrees = random.choice([real(-180, 180), real(-40, 40), "90", "-90.0", "180", "0", "45"])
        center = ""
        if random.random() < 0.3:
            center = f":{real(0, width)}:{real(0, height)}"
            expand = "false"
        return f"rotate:{degrees}:{mode}:{expand}:{text}{center}"
    if name == "affine":
        mode, text = warped()
        move = f"{random.randint(-9, 9)}:{random.randint(-9, 9)}"
        shear = f"{real(-30, 30)}:{random.choice(['0', real(-20, 20)])}"
        center = f":{real(0, width)}:{real(0, height)}" if random.random() < 0.3 else ""
        scale = random.choice([real(0.4, 2.5), "1", "2", "0.5"])
        return f"affine:{real(-180, 180)}:{move}:{scale}:{shear}:{mode}:{text}{center}"
    if name == "perspective":
        start = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
        reach = [max(1, width // 3), max(1, height // 3)]
        move = [random.randint(0, reach[i % 2]) for i in range(8)]
        end = [
            [move[0], move[1]],
            [width - 1 - move[2], move[3]],
            [width - 1 - move[4], height - 1 - move[5]],
            [move[6], height - 1 - move[7]],
        ]
        coefficients = ":".join(map(repr, _get_perspective_coeffs(start, end)))
        return f"perspective:{coefficients}:{':'.join(warped())}"
    if name == "elastic":
        # Rounding of linspace differs among processors, so pixels must not lie right between two.
        return f"elastic:{random.uniform(0.1, 2)!r}:{':'.join(warped('nearest'))}"
    if name == "brightness":
        return f"brightness:{real(0.3, 1.7)}"
    if name == "sanitize":
        return f"sanitize:{real(1, 15)}:{real(1, 90)}"
    raise ValueError(name)


UNEQUAL = 0


def pipeline(width, height, form, clamping, fill, names):
    """The operations and their result; again where torchvision's image and mask differ in size."""
    global UNEQUAL
    while True:
        made = sample(width, height, form, clamping)
        operations = []
        for name in names:
            size = made["image"].size
            operation = any_operation(*size, fill, name)
            operations.append(operation)
            if (len(operations) > 1 or name == "sanitize") and near_limit(made, operation):
                break
            made = apply(made, operation, fill)
            if not consistent(made) or max(made["image"].size) > 700:
                UNEQUAL += not consistent(made)
                break
        else:
            head = f"{width},{height},{form},{str(clamping).lower()},{fill}"
            return f"{head} {' '.join(operations)} = {result(made)}\n"


SIZES = [(41, 29), (30, 52), (64, 64), (97, 71), (1, 7), (500, 375)]
FORMS = ["XYXY", "XYWH", "CXCYWH"]
random.seed(20261122)
torch.set_num_threads(1)
lines = []
for name in "hflip vflip crop centercrop resize pad rotate affine perspective elastic brightness sanitize".split():
    for i in range(30):
        width, height = SIZES[i % len(SIZES)] if i < 18 else (97, 71)
        if name in ("centercrop", "sanitize", "perspective") and width == 1:
            width, height = 60, 45
        fill = 0 if name in ("centercrop", "crop") or i % 3 else 255
        lines.append(pipeline(width, height, FORMS[i % 3], i % 4 != 0, fill, [name]))
# Sizes of one side to all others, and the roundings that go with them.
for before in (1, 2, 3, 7, 10, 31, 32, 100):
    for after in (1, 2, 3, 5, 9, 20, 31, 33, 64, 99, 200):
        operation = f"resize:{after}:{before}:bilinear"
        made = apply(sample(before, after, "XYWH", True), operation, 0)
        lines.append(f"{before},{after},XYWH,true,0 {operation} = {result(made)}\n")
# Right angles about points, and scales that put pixels right between two.
for operation in [
    *(f"rotate:{d}:nearest:false:000000:{x}:{y}" for d in (90, 180, 270) for x, y in [(20, 20), (20.5, 14.5), (3, 11)]),
    *(f"rotate:{d}:nearest:true:000000" for d in (30, 45, 60, 90, 120, 135, 150, 225, 270, 300)),
    *(f"affine:{d}:{t}:{t}:{s}:0:0:nearest:000000" for d in (0, 90, 180) for t in (0, 1, -7) for s in (0.25, 0.5, 1, 2, 4)),
]:
    for width, height in SIZES[:4]:
        made = apply(sample(width, height, "XYXY", True), operation, 255)
        if consistent(made):
            lines.append(f"{width},{height},XYXY,true,255 {operation} = {result(made)}\n")
        else:
            UNEQUAL += 1
for mode in ("edge", "reflect", "symmetric"):
    for width, height in SIZES[:4]:
        operation = f"pad:3:5:7:1:{mode}:000000"
        made = apply(sample(width, height, "none", True), operation, None)
        lines.append(f"{width},{height},none,true,0 {operation} = {result(made)}\n")
for i in range(400):
    width, height = random.randint(20, 120), random.randint(20, 120)
    fill = random.choice([0, 0, 255, 65000])
    clamping = random.random() < 0.8
    last = ["sanitize"] if i % 4 == 0 else [None]
    lines.append(pipeline(width, height, FORMS[i % 3], clamping, fill, [None] * 4 + last))
here = pathlib.Path(__file__)
here.with_suffix(".txt").write_text("".join(lines))
print(len(lines), "lines;", UNEQUAL, "times image and mask differed in size")

DRAWS = {
    "resizedCrop": v2.RandomResizedCrop(32),
    "flips": v2.Compose([v2.RandomHorizontalFlip(), v2.RandomVerticalFlip()]),
    "rotation": v2.RandomRotation(30),
    "affine": v2.RandomAffine(25, (0.1, 0.3), (0.5, 1.5), 20),
    "crop": v2.RandomCrop((20, 24)),
    "cropPadded": v2.RandomCrop(32, 4),
    "iouCrop": v2.RandomIoUCrop(),
    "iouCropStrict": v2.RandomIoUCrop(0.1, 0.9, 0.7, 1.4, [0.2, 0.6, 1.0], 5),
    "detection": v2.Compose(
        [
            v2.RandomIoUCrop(),
            v2.RandomHorizontalFlip(),
            v2.Resize((40, 56)),
        ]
    ),
}
lines = []
for name, transform in DRAWS.items():
    for seed in range(40):
        width, height = [(41, 29), (97, 71)][seed % 2]
        torch.manual_seed(seed)
        made = transform(sample(width, height, FORMS[seed % 3], True))
        if name == "detection":
            last = "sanitize:3:20"
            if near_limit(made, last):
                continue
            made = apply(made, last, 0)
        lines.append(f"{name} {seed} {width} {height} = {result(made)}\n")
here.with_name("torchvision_target_draws.txt").write_text("".join(lines))
