#!/usr/bin/env python3
"""Packs a folder of pictures into HDF5: uint8 (n, 224, 224, 3) and their labels.

    python3 loader-bench/peers/make_hdf5.py --data FOLDER --out FILE.h5                     contiguous
    python3 loader-bench/peers/make_hdf5.py --data FOLDER --out FILE.h5 --layout gzip       a chunk
                                                                      for each sample, gzip level 4

Arrays `images` and `labels` (int64) in the order of torchvision's ImageFolder; a picture is its
middle, as Resize(256) and CenterCrop(224) make it. io.feedline.bench.PackTensors writes the same to
LMDB. FILE has its name when it is whole. Needs torchvision and h5py.
"""

import argparse
import os
import sys

import h5py
import numpy
from torchvision import transforms
from torchvision.datasets import ImageFolder

SIDE = 224
MIDDLE = transforms.Compose([transforms.Resize(256), transforms.CenterCrop(SIDE)])
LAYOUTS = {
    "contiguous": {},
    "gzip": {"chunks": (1, SIDE, SIDE, 3), "compression": "gzip", "compression_opts": 4},
}


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", required=True, metavar="FOLDER", help="DIR/CLASS/PICTURE")
    parser.add_argument("--out", required=True, metavar="FILE.h5", help="must not exist yet")
    parser.add_argument("--layout", choices=sorted(LAYOUTS), default="contiguous")
    options = parser.parse_args()
    if os.path.exists(options.out):
        parser.error(f"--out is there already: {options.out}")
    if not os.path.isdir(options.data):
        parser.error("--data must be a directory, was " + options.data)
    return options


def main():
    options = parse_options()
    folder = ImageFolder(options.data, MIDDLE)
    part = options.out + ".partial"
    with h5py.File(part, "w") as file:
        images = file.create_dataset(
            "images", (len(folder), SIDE, SIDE, 3), numpy.uint8, **LAYOUTS[options.layout]
        )
        for i, (picture, _) in enumerate(folder):
            images[i] = numpy.asarray(picture)
        file["labels"] = numpy.asarray(folder.targets, numpy.int64)
    os.replace(part, options.out)
    print(f"{len(folder)} samples in {options.out}, {os.path.getsize(options.out)} bytes", file=sys.stderr)


if __name__ == "__main__":
    main()
