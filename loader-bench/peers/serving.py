#!/usr/bin/env python3
"""torchvision's half of io.feedline.bench.Serving, which starts it and tells how to run both.

Waits for lines on standard input and answers each with a line on standard output:

    run REQUESTS,THREADS,CLOCK SECONDS   answers requests until that much time of the CLOCK, cpu or
                                         wall, is gone; answers with images and seconds
    dump pixels INDEX FILE               writes the tensor of one image, float32

A request decodes encoded images in memory by Pillow, makes one batch of them by torchvision, and
runs a model that takes the mean of each channel.
"""

import io
import pathlib
import sys
import threading
import time

import PIL
import torch
import torchvision
from PIL import Image
from torchvision import transforms

TRANSFORM = transforms.Compose(
    [
        transforms.Resize(256),
        transforms.CenterCrop(224),
        transforms.ToTensor(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]
)
CLOCKS = {"cpu": time.process_time, "wall": time.monotonic}


def tensor(data):
    return TRANSFORM(Image.open(io.BytesIO(data)).convert("RGB"))


def answer(request):
    batch = torch.stack([tensor(data) for data in request])
    return batch.mean((2, 3)).softmax(1).topk(1).indices.tolist()


def work(images, first, step, requests, over, counts):
    at = first
    while not over():
        answer([images[(at + i) % len(images)] for i in range(requests)])
        at += step * requests
        counts[first] += requests


def run(images, requests, threads, clock, seconds):
    start = clock()
    counts = [0] * threads
    with torch.inference_mode():
        workers = [
            threading.Thread(
                target=work,
                args=(images, i, threads, requests, lambda: clock() - start >= seconds, counts),
            )
            for i in range(threads)
        ]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    return sum(counts), clock() - start


def main():
    torch.set_num_threads(1)
    paths = pathlib.Path(sys.argv[1]).read_text().splitlines()
    images = [pathlib.Path(path).read_bytes() for path in paths]
    print(
        f"ready torchvision {torchvision.__version__}, torch {torch.__version__},"
        f" Pillow {PIL.__version__}",
        flush=True,
    )
    for line in sys.stdin:
        command, what, *rest = line.split()
        if command == "run":
            requests, threads, clock = what.split(",")
            count, used = run(images, int(requests), int(threads), CLOCKS[clock], float(rest[0]))
            print(f"{count} {used:.6f}", flush=True)
        else:
            pathlib.Path(rest[1]).write_bytes(tensor(images[int(rest[0])]).numpy().tobytes())
            print(f"dumped {rest[1]}", flush=True)


main()
