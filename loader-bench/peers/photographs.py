#!/usr/bin/env python3
"""Shrinks large JPEGs in all ways that there are, and compares speed and pixels with Feedline's.

    loader-bench/peers/photographs.py --data DIR --java JDK25/bin/java

Each way takes JPEGs in memory, decodes them, scales them to a length of the shorter edge, and copies
the samples, 8 bits in CHW, into a row, with three boxes scaled too: what a pipeline of detection does
to photographs. One thread each; a way of Python's, Feedline and Feedline's draft take turns, the
latter two in processes of their own (io.feedline.bench.Photographs). CPU time is that of the whole
process, user and system.

For each edge a table says how many images a way makes per CPU-second, Feedline's rate divided by it
(median over the rounds, with the smallest and the greatest), and how its samples differ from
Feedline's: the part that differs, the largest and the mean difference in levels, and the PSNR in dB
of the mean square error of all images. "draft" is Feedline with DecodeOptions.withFast(true).

--enlarge DIR makes photographs of 4000 x 3000 pixels of small ones, in --data, and ends. Needs
Pillow and numpy; ways whose library is not there are left out. Build first:

    mvn -pl loader-bench -am -DskipTests package
"""

import argparse
import functools
import importlib
import io
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image, __version__ as pillow_version

FLAGS = ["--add-modules", "jdk.incubator.vector", "--enable-native-access=ALL-UNNAMED"]
JAR = pathlib.Path(__file__).resolve().parents[1] / "target" / "benchmarks.jar"
# Turns of Feedline's before the first that counts.
WARM_UP = 5


def pillow(data, width, height, draft=False):
    image = Image.open(io.BytesIO(data))
    if draft:
        image.draft("RGB", (width, height))
    return numpy.asarray(image.convert("RGB").resize((width, height), Image.BILINEAR)).transpose(2, 0, 1)


def torchvision(data, width, height):
    import torch
    from torchvision.io import ImageReadMode, decode_jpeg
    from torchvision.transforms.functional import resize

    torch.set_num_threads(1)
    pixels = decode_jpeg(torch.frombuffer(data, dtype=torch.uint8), ImageReadMode.RGB)
    return resize(pixels, [height, width], antialias=True).numpy()


def opencv(data, width, height, reduced, filter):
    import cv2

    cv2.setNumThreads(1)
    flags = [cv2.IMREAD_COLOR, cv2.IMREAD_REDUCED_COLOR_2, cv2.IMREAD_REDUCED_COLOR_4, cv2.IMREAD_REDUCED_COLOR_8]
    larger = min(Image.open(io.BytesIO(data)).size) / min(width, height)
    by = max(0, min(3, int(math.log2(larger)))) if reduced else 0
    pixels = cv2.imdecode(numpy.frombuffer(data, numpy.uint8), flags[by])
    pixels = cv2.resize(pixels, (width, height), interpolation=getattr(cv2, filter))
    return cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB).transpose(2, 0, 1)


# What each needs, and does.
WAYS = {
    "Pillow": ("PIL", pillow),
    "Pillow, draft": ("PIL", functools.partial(pillow, draft=True)),
    "torchvision, decode_jpeg": ("torchvision.io", torchvision),
    "OpenCV, area": ("cv2", functools.partial(opencv, reduced=False, filter="INTER_AREA")),
    "OpenCV, reduced, area": ("cv2", functools.partial(opencv, reduced=True, filter="INTER_AREA")),
    "OpenCV, reduced, linear": ("cv2", functools.partial(opencv, reduced=True, filter="INTER_LINEAR")),
}


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", required=True, metavar="DIR", help="JPEGs, in directories or not")
    parser.add_argument("--images", type=int, default=16, metavar="N", help="how many are taken; default: 16")
    parser.add_argument("--edge", type=int, action="append", metavar="N", help="may be repeated; default: 256, 640, 800")
    parser.add_argument("--only", choices=list(WAYS), action="append", metavar="WAY", help="may be repeated; default: all")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="turns that count; default: 3")
    parser.add_argument("--seconds", type=float, default=1, metavar="S", help="CPU time of a turn, at least; default: 1")
    parser.add_argument("--java", default="java", metavar="COMMAND")
    parser.add_argument("--classpath", default=str(JAR), metavar="PATH", help="default: target/benchmarks.jar")
    parser.add_argument("--enlarge", type=pathlib.Path, metavar="DIR", help="make photographs there instead")
    return parser.parse_args()


def jpegs(options):
    found = sorted(path for path in pathlib.Path(options.data).rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))
    if not found:
        sys.exit(f"--data has no *.jpg and no *.jpeg: {options.data}")
    taken = min(options.images, len(found))
    return [found[i * len(found) // taken].resolve() for i in range(taken)]


def enlarge(paths, directory):
    """With noise, as a camera's: a smooth image would have short Huffman codes."""
    random = numpy.random.default_rng(1)
    for number, path in enumerate(paths):
        image = Image.open(path).convert("RGB")
        size = (4000, 3000) if image.width > image.height else (3000, 4000)
        pixels = numpy.asarray(image.resize(size, Image.LANCZOS), dtype=numpy.int16)
        pixels = pixels + random.integers(-6, 7, pixels.shape[:2] + (1,), dtype=numpy.int16)
        target = directory / "photographs" / f"{number:02}.jpg"
        target.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels.clip(0, 255).astype(numpy.uint8)).save(target, quality=90, subsampling=2)


class Feedline:
    """One for each mode, since a training decodes in one, and the JVM compiles what it sees."""

    def __init__(self, options, paths, scratch, mode):
        names = os.path.join(scratch, "list")
        pathlib.Path(names).write_text("".join(f"{path}\n" for path in paths))
        self.file = os.path.join(scratch, "samples")
        self.mode = mode
        command = [options.java] + FLAGS + ["-cp", options.classpath, "io.feedline.bench.Photographs", "--list", names]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.machine = self.answer()[len("ready "):]

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"Feedline ended early with exit code {self.process.wait()}; see above")
        return line.strip()

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return self.answer()

    def rate(self, edge, seconds):
        images, used = self.ask("run", self.mode, edge, seconds).split()
        return int(images) / float(used)

    def samples(self, edge, index):
        self.ask("dump", self.mode, edge, index, self.file)
        return numpy.fromfile(self.file, dtype=numpy.uint8)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Photographs:
    def __init__(self, paths):
        self.files = [bytearray(path.read_bytes()) for path in paths]
        self.sizes = [Image.open(path).size for path in paths]
        self.boxes = numpy.ones((3, 4), numpy.float32)

    def shrunk(self, way, edge, index):
        """Resize's sizes: the fraction of the longer edge is cut off."""
        width, height = self.sizes[index]
        shorter = min(width, height)
        to = (int(edge * width / shorter), int(edge * height / shorter))
        scaled = self.boxes * numpy.array([to[0] / width, to[1] / height] * 2, numpy.float32)
        return numpy.ascontiguousarray(way(self.files[index], *to)), scaled

    def rate(self, way, edge, seconds):
        images = 0
        start = time.process_time()
        while True:
            for index in range(len(self.files)):
                self.shrunk(way, edge, index)
            images += len(self.files)
            used = time.process_time() - start
            if used >= seconds:
                return images / used


def difference(pairs):
    """Of samples, which are given as pairs of arrays, in words."""
    count = differing = total = square = largest = 0
    for one, other in pairs:
        apart = numpy.abs(one.astype(numpy.int16).ravel() - other.astype(numpy.int16).ravel()).astype(numpy.int64)
        count += apart.size
        differing += int((apart > 0).sum())
        largest = max(largest, int(apart.max()))
        total += int(apart.sum())
        square += int((apart * apart).sum())
    if differing == 0:
        return "none"
    decibel = 10 * math.log10(255 * 255 * count / square)
    return f"{100 * differing / count:.0f}%, {largest}, {total / count:.2f}, {decibel:.0f} dB"


def spread(values, digits):
    return "{:.{d}f} ({:.{d}f}-{:.{d}f})".format(statistics.median(values), min(values), max(values), d=digits)


def compare(options, ways, photographs, feedlines):
    count = range(len(photographs.files))
    for edge in options.edge or [256, 640, 800]:
        ours = [[feedline.samples(edge, index) for index in count] for feedline in feedlines]
        for feedline in feedlines:
            feedline.rate(edge, WARM_UP * options.seconds)
        print(f"\nShorter edge {edge}: {options.rounds} rounds, images per CPU-second\n")
        print("| way | rate | Feedline's by it | draft's by it | samples apart from Feedline's | from draft's |")
        print("|---|---|---|---|---|---|")
        rates = [[] for _ in feedlines]
        for name, way in ways.items():
            samples = [photographs.shrunk(way, edge, index)[0] for index in count]
            theirs = []
            ratios = [[] for _ in feedlines]
            for number in range(options.rounds):
                if number % 2 == 0:
                    theirs.append(photographs.rate(way, edge, options.seconds))
                mine = [feedline.rate(edge, options.seconds) for feedline in feedlines]
                if number % 2 == 1:
                    theirs.append(photographs.rate(way, edge, options.seconds))
                for which, rate in enumerate(mine):
                    rates[which].append(rate)
                    ratios[which].append(rate / theirs[-1])
            row = [name, spread(theirs, 1)] + [spread(each, 2) for each in ratios]
            print_row(row + [difference(zip(samples, each)) for each in ours])
        for name, rate, samples in zip(("Feedline", "Feedline, draft"), rates, ours):
            print_row([name, spread(rate, 1), "", ""] + [difference(zip(samples, each)) for each in ours])


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    options = parse_options()
    paths = jpegs(options)
    if options.enlarge:
        enlarge(paths, options.enlarge)
        return
    ways = {}
    versions = [f"Pillow {pillow_version}"]
    for name in options.only or WAYS:
        module, way = WAYS[name]
        try:
            importlib.import_module(module)
        except (ImportError, RuntimeError) as missing:  # RuntimeError: of another torch
            print(f"{name} is left out: {missing}", file=sys.stderr)
            continue
        ways[name] = way
        top = sys.modules[module.split(".")[0]]
        version = f"{top.__name__} {getattr(top, '__version__', '')}"
        if top.__name__ != "PIL" and version not in versions:
            versions.append(version)
    with tempfile.TemporaryDirectory() as scratch:
        feedlines = [Feedline(options, paths, scratch, mode) for mode in ("whole", "draft")]
        print(f"{feedlines[0].machine}; {', '.join(versions)}; {len(paths)} photographs")
        try:
            compare(options, ways, Photographs(paths), feedlines)
        finally:
            for feedline in feedlines:
                feedline.close()


if __name__ == "__main__":
    main()
