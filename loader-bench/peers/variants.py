#!/usr/bin/env python3
"""Re-encodes a folder of photographs into the kinds of JPEG that decoders and packing are judged by.

    python3 loader-bench/peers/variants.py --data DIR --out OUT [--kinds large444,medium420]

    large444   about 110 KB, quality 97, 76% without subsampled colours (4:4:4), the others 4:2:0:
               as heavy and as mixed as ImageNet's
    medium420  about 60 KB, quality 90, 4:2:0: as heavy as those are after the usual re-encoding
    small420   about 28 KB, quality 76, 4:2:0: small photographs as the web has them
    packed500  about 45 KB, quality 90, 4:2:0, the area of 500 x 375 pixels: what packing is measured with

For each kind OUT/KIND has the folders and names of DIR. Photographs are scaled with a Lanczos filter
to one area a kind, the area that gives photographs of clothes the size above; the size that comes
out for others is printed. The same files come out of the same files and the same version of Pillow:
nothing is drawn, the subsampling follows from a picture's place in the list. A file that is there is
not made again.

Needs Python 3.8 and Pillow (written against 9.4).
"""

import argparse
import os
import statistics
import sys

from PIL import Image

PERCENT_420_OF_LARGE = 24
KINDS = {
    # name: area in pixels, quality, whether the colours of the i-th picture keep their resolution
    "large444": (240_000, 97, lambda i: i * PERCENT_420_OF_LARGE % 100 >= PERCENT_420_OF_LARGE),
    "medium420": (267_000, 90, lambda i: False),
    "small420": (180_000, 76, lambda i: False),
    "packed500": (187_500, 90, lambda i: False),
}


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, metavar="DIR", help="JPEG files, in any folders")
    parser.add_argument("--out", required=True, metavar="OUT", help="is made if it is not there")
    parser.add_argument("--kinds", default=",".join(KINDS), metavar="NAMES", help="default: all")
    options = parser.parse_args()
    options.kinds = options.kinds.split(",")
    for kind in options.kinds:
        if kind not in KINDS:
            parser.error(f"--kinds must be of {', '.join(KINDS)}; was {kind}")
    if not os.path.isdir(options.data):
        parser.error("--data must be a directory, was " + options.data)
    return options


def jpegs(root):
    """The paths below root of its JPEG files, in an order that no file system decides."""
    found = []
    for folder, _, names in os.walk(root):
        for name in names:
            if name.lower().endswith((".jpg", ".jpeg")):
                found.append(os.path.relpath(os.path.join(folder, name), root))
    return sorted(found)


def scaled(picture, area):
    width, height = picture.size
    scale = (area / (width * height)) ** 0.5
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return picture.convert("RGB").resize(size, Image.LANCZOS)


def write(picture, path, quality, full_colour):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = path + ".part"
    picture.save(part, "JPEG", quality=quality, subsampling=0 if full_colour else 2)
    os.replace(part, path)


def make(kind, options, names):
    area, quality, full_colour = KINDS[kind]
    for i, name in enumerate(names):
        path = os.path.join(options.out, kind, name)
        if not os.path.exists(path):
            with Image.open(os.path.join(options.data, name)) as original:
                write(scaled(original, area), path, quality, full_colour(i))
    sizes = [os.path.getsize(os.path.join(options.out, kind, name)) for name in names]
    full = sum(full_colour(i) for i in range(len(names)))
    print(
        f"{kind}: {len(names)} files, mean {statistics.mean(sizes) / 1000:.1f} KB,"
        f" median {statistics.median(sizes) / 1000:.1f} KB,"
        f" {100 * full / len(names):.0f}% 4:4:4"
    )


def main():
    options = parse_options()
    names = jpegs(options.data)
    if not names:
        sys.exit("no JPEG files below " + options.data)
    for kind in options.kinds:
        make(kind, options, names)


if __name__ == "__main__":
    main()
