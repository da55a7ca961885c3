#!/usr/bin/env python3
"""A training step of PyTorch with its DataLoader, measured as io.feedline.bench.TrainStep is.

Trains the same network from the same weights, takes the same options and prints the same line of
JSON on standard output; its log goes to standard error.

    python3 loader-bench/peers/train_step.py --device gpu --data DIR --pin-memory
    python3 loader-bench/peers/train_step.py --copies       PyTorch's own copies to the GPU
    python3 loader-bench/peers/train_step.py --check        losses, to compare with TrainStep's

Blocks of steps on the loader's batches and on one batch that is reused take turns. A block begins
with an idle device and ends when the loss of its last step has been read; before it counts, as many
steps are taken as batches may have been prepared during the other kind's turn (workers times
--prefetch-factor). next() is the loader's, with the copy to the device, which is non_blocking, and
--normalize-on-device, if that is asked for. How busy the GPU is, is
taken over --busy-seconds, as TrainStep does it. Where PyTorch is measured otherwise than TrainStep:

  images_per_cpu_second  CPU time is that of this process and of all its workers (see epochs.py)
  --prefetch-to-device   the next batch is copied in a stream of its own while the former is trained
                         on, as NVIDIA's examples do it; DataLoader itself has no such thing

--copies prints one line for each of pageable and pinned and each size, and one for the ceiling, with
the figures of io.feedline.bench.HostToDevice.

Needs torch (written against 1.13 and 2.x), Linux, and for --data torchvision.
"""

import argparse
import json
import math
import os
import platform
import statistics
import sys
import time

import epochs
import nvml

CLASSES = 1000
MEAN = (0.485, 0.456, 0.406)
STD = (0.229, 0.224, 0.225)
# Basic units or bottlenecks, and how many in each stage: torchvision's.
NETWORKS = {"resnet18": (False, (2, 2, 2, 2)), "resnet50": (True, (3, 4, 6, 3))}
CEILING_BYTES = 1 << 28
# Of a stretch that is watched, and between two looks at the GPU; TrainStep's.
WATCHED_SECONDS = 30
SECONDS_BETWEEN_POLLS = 0.25


def parse_options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    number = epochs.at_least
    parser.add_argument("--device", choices=["gpu", "cpu"], default="gpu")
    parser.add_argument("--model", choices=sorted(NETWORKS), default="resnet50")
    parser.add_argument("--data", metavar="DIR", help="pictures; without it, noise in memory")
    parser.add_argument("--pictures", type=number(1), default=512, metavar="N", help="of noise")
    parser.add_argument("--image-size", type=number(32), default=224, metavar="N")
    parser.add_argument("--batch-size", type=number(2), default=128, metavar="N")
    parser.add_argument("--workers", type=number(0), default=os.cpu_count(), metavar="N")
    parser.add_argument("--prefetch-factor", type=number(1), default=2, metavar="N")
    parser.add_argument("--steps", type=number(1), default=20, metavar="N")
    parser.add_argument("--rounds", type=number(1), default=7, metavar="N")
    parser.add_argument("--warm-up", type=number(0), default=2, metavar="N")
    parser.add_argument("--asks", type=number(1), default=100, metavar="N")
    parser.add_argument("--busy-seconds", type=number(0), metavar="N",
                        help="of a stretch of each kind over which the GPU's utilisation is taken; 0: none")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--pin-memory", action="store_true", help="batches in page-locked memory")
    parser.add_argument("--normalize-on-device", action="store_true", help="pictures cross as bytes")
    parser.add_argument("--prefetch-to-device", action="store_true", help="copy in a stream of its own")
    parser.add_argument("--cudnn-benchmark", action="store_true",
                        help="let cuDNN try its algorithms (TrainStep: -Dai.djl.pytorch.cudnn_benchmark=true)")
    parser.add_argument("--copies", action="store_true", help="measure copies instead of steps")
    parser.add_argument("--bytes", type=sizes, default=[19267584, 77070336], metavar="N,...",
                        help="of a batch, for --copies")
    parser.add_argument("--batches", type=number(1), default=50, metavar="N", help="of a turn, for --copies")
    parser.add_argument("--check", action="store_true", help="print the losses of a few steps on fixed data")
    options = parser.parse_args()
    import torch

    if options.device == "cpu":
        for option in ("pin_memory", "prefetch_to_device", "busy_seconds", "copies"):
            if getattr(options, option):
                refuse(f"--{option.replace('_', '-')} needs --device gpu")
    elif not torch.cuda.is_available() and not options.check:
        refuse(f"--device gpu: torch {torch.__version__} finds no GPU")
    if options.prefetch_to_device and not options.pin_memory:
        refuse("--prefetch-to-device needs --pin-memory: a copy from other memory is waited for")
    return options


def refuse(message):
    print(message, file=sys.stderr)
    sys.exit(2)


def sizes(text):
    return [epochs.at_least(16)(part) for part in text.split(",")]


def hashed(sequence, shape, bound):
    """The numbers of io.feedline.bench.HashedNumbers."""
    import torch

    mask = 0xFFFFFFFF
    x = (torch.arange(math.prod(shape), dtype=torch.int64) * 0x9E3779B1 + sequence * 0x85EBCA77) & mask
    for _ in range(2):
        x = ((x ^ (x >> 16)) * 0x45D9F3B) & mask
    x = x ^ (x >> 16)
    return (bound * (x.double() / 2**31 - 1)).float().reshape(shape)


def make_network(name, classes):
    """torchvision's network of this name, from torch.nn alone, with hashed weights."""
    import torch
    from torch import nn

    bottlenecks, units = NETWORKS[name]

    def convolution(inputs, outputs, kernel, stride=1):
        return [
            nn.Conv2d(inputs, outputs, kernel, stride, padding=kernel // 2, bias=False),
            nn.BatchNorm2d(outputs),
        ]

    class Unit(nn.Module):
        def __init__(self, inputs, width, outputs, stride):
            super().__init__()
            if bottlenecks:
                layers = convolution(inputs, width, 1) + [nn.ReLU(inplace=True)]
                layers += convolution(width, width, 3, stride) + [nn.ReLU(inplace=True)]
                layers += convolution(width, outputs, 1)
            else:
                layers = convolution(inputs, width, 3, stride) + [nn.ReLU(inplace=True)]
                layers += convolution(width, outputs, 3)
            self.residual = nn.Sequential(*layers)
            projected = stride != 1 or inputs != outputs
            self.shortcut = nn.Sequential(*(convolution(inputs, outputs, 1, stride) if projected else []))

        def forward(self, x):
            return torch.relu_(self.residual(x) + self.shortcut(x))

    layers = convolution(3, 64, 7, 2) + [nn.ReLU(inplace=True), nn.MaxPool2d(3, 2, 1)]
    channels = 64
    for stage, count in enumerate(units):
        width = 64 << stage
        outputs = 4 * width if bottlenecks else width
        for unit in range(count):
            layers.append(Unit(channels, width, outputs, 2 if stage > 0 and unit == 0 else 1))
            channels = outputs
    layers += [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(channels, classes)]
    network = nn.Sequential(*layers)

    sequence = 0
    with torch.no_grad():
        for module in network.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                shape = tuple(module.weight.shape)
                module.weight.copy_(hashed(sequence, shape, math.sqrt(6 / math.prod(shape[1:]))))
                sequence += 1
            if isinstance(module, nn.Linear):
                module.bias.zero_()
    return network


class Training:
    """What io.feedline.bench.Training does with DJL."""

    def __init__(self, network, device):
        import torch

        self.network = network.to(device).train()
        self.loss = torch.nn.CrossEntropyLoss()
        self.optimizer = torch.optim.SGD(network.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)

    def step(self, images, labels):
        """The loss before the step; whoever reads it waits for the step."""
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(self.network(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss.detach()


def noise(options):
    """Pictures of noise that lie in memory as pixels, and RandomHorizontalFlip."""
    import torch

    side = options.image_size
    generator = torch.Generator().manual_seed(options.pictures)
    pixels = torch.randint(
        0, 256, (options.pictures, side, side, 3), dtype=torch.uint8, generator=generator
    )
    mean, std = constants()

    class Noise(torch.utils.data.Dataset):
        def __len__(self):
            return len(pixels)

        def __getitem__(self, index):
            picture = pixels[index].permute(2, 0, 1)
            if torch.rand(()) < 0.5:
                picture = picture.flip(2)
            if not options.normalize_on_device:
                picture = picture.float().div_(255).sub_(mean).div_(std)
            return picture.contiguous(), index % CLASSES

    return Noise()


def pictures(options):
    """torchvision's ImageFolder with RandomResizedCrop and RandomHorizontalFlip."""
    from torchvision import transforms
    from torchvision.datasets import ImageFolder

    steps = [transforms.RandomResizedCrop(options.image_size), transforms.RandomHorizontalFlip(0.5)]
    if options.normalize_on_device:
        steps += [transforms.PILToTensor()]
    else:
        steps += [transforms.ToTensor(), transforms.Normalize(MEAN, STD)]
    train = os.path.join(options.data, "train")
    return ImageFolder(train if os.path.isdir(train) else options.data, transforms.Compose(steps))


def constants():
    import torch

    return (torch.tensor(values).reshape(3, 1, 1) for values in (MEAN, STD))


class Shuffled:
    """All samples of a dataset in a random order, again and again."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        import torch

        while True:
            yield from torch.randperm(self.size).tolist()


class Batches:
    """The loader's batches on the device, and how long each took to be had."""

    def __init__(self, options, device):
        import torch

        dataset = noise(options) if options.data is None else pictures(options)
        parallel = {}
        if options.workers > 0:
            parallel = {"prefetch_factor": options.prefetch_factor, "persistent_workers": True}
        # What the beginning of an epoch costs is another question.
        self.loader = torch.utils.data.DataLoader(
            dataset,
            batch_size=options.batch_size,
            sampler=Shuffled(len(dataset)),
            drop_last=True,
            num_workers=options.workers,
            pin_memory=options.pin_memory,
            **parallel,
        )
        self.device = device
        self.normalize = options.normalize_on_device
        self.mean, self.std = (values.to(device) for values in constants())
        self.stream = torch.cuda.Stream(device) if options.prefetch_to_device else None
        self.iterator = iter(self.loader)
        self.ahead = None
        if self.stream:
            self.prefetch()

    def copied(self):
        """The next batch on its way."""
        return [tensor.to(self.device, non_blocking=True) for tensor in next(self.iterator)]

    def prefetch(self):
        import torch

        with torch.cuda.stream(self.stream):
            self.ahead = self.copied()

    def next(self, waits):
        import torch

        asked = time.perf_counter()
        if self.stream:
            current = torch.cuda.current_stream(self.device)
            current.wait_stream(self.stream)
            images, labels = self.ahead
            # Its memory is the other stream's; it must not be given away while this one reads it.
            images.record_stream(current)
            labels.record_stream(current)
            self.prefetch()
        else:
            images, labels = self.copied()
        if self.normalize:
            images = images.float().div_(255).sub_(self.mean).div_(self.std)
        waits.append(time.perf_counter() - asked)
        return images, labels


class Turns:
    """io.feedline.bench.StepTurns."""

    def __init__(self, training, batches, lead, steps):
        self.training, self.batches, self.lead, self.steps = training, batches, lead, steps
        self.images, self.labels = (tensor.clone() for tensor in batches.next([]))
        self.loss = None

    def block(self, step, steps):
        loss = None
        for _ in range(steps):
            loss = step()
        if loss is not None:
            self.loss = loss.item()

    def turn(self, step, lead):
        """Seconds and CPU seconds of a step."""
        self.block(lead, self.lead)
        cpu = epochs.cpu_seconds()
        start = time.perf_counter()
        self.block(step, self.steps)
        wall = time.perf_counter() - start
        return wall / self.steps, (epochs.cpu_seconds() - cpu) / self.steps

    def synthetic(self):
        return self.training.step(self.images, self.labels)

    def loaded(self, waits):
        return self.training.step(*self.batches.next(waits))

    def round(self, number, waits):
        turns = [
            lambda: self.turn(lambda: self.loaded(waits), lambda: self.loaded([])),
            lambda: self.turn(self.synthetic, self.synthetic),
        ]
        if number % 2 == 0:
            return turns[0](), turns[1]()
        synthetic = turns[1]()
        return turns[0](), synthetic

    def watch(self, gpu, least):
        """Both kinds of steps for so many seconds each, and how busy the GPU was meanwhile."""
        loaded = self.stretch(lambda: self.loaded([]), gpu, least)
        synthetic = self.stretch(self.synthetic, gpu, least)
        seconds = min(loaded[1], synthetic[1])
        known = loaded[0] is not None and synthetic[0] is not None
        source = "samples" if loaded[2] and synthetic[2] else "polls"
        return {
            "gpu_busy_percent": loaded[0],
            "synthetic_gpu_busy_percent": synthetic[0],
            "busy_seconds": seconds,
            "busy_source": source if known else None,
            "busy_unknown": None if known else f"the driver measured nothing in {seconds:.1f} s",
        }

    def stretch(self, step, gpu, least):
        """Percent, seconds and whether by samples; nothing waits for the GPU but its end."""
        self.block(step, self.lead)
        gpu.utilization()  # what came before is not of this stretch
        start = polled = now = time.perf_counter()
        while now - start < least:
            if now - polled >= SECONDS_BETWEEN_POLLS:
                gpu.poll()
                polled = now
            step()
            now = time.perf_counter()
        self.block(step, 1)
        seconds = time.perf_counter() - start
        return gpu.utilization(), seconds, gpu.has_samples

    def ask(self, asks, steps_between):
        taken = []
        for _ in range(asks):
            self.block(self.synthetic, steps_between)
            self.batches.next(taken)
        return taken


def unwatched(reason):
    line = dict.fromkeys(
        ["gpu_busy_percent", "synthetic_gpu_busy_percent", "busy_seconds", "busy_source"]
    )
    line["busy_unknown"] = reason
    return line


def utilization(options, turns, device):
    """How busy the GPU is; a GPU that does not tell costs this figure, and no other."""
    if device.type != "cuda":
        return unwatched("trained on the CPU")
    if options.busy_seconds == 0:
        return unwatched("--busy-seconds 0")
    try:
        gpu = nvml.Monitor(device.index or 0)
        try:
            return turns.watch(gpu, options.busy_seconds or WATCHED_SECONDS)
        finally:
            gpu.close()
    except nvml.NvmlError as e:
        return unwatched(str(e))


def micros(waits, percent):
    return 1000 * epochs.nearest_rank(waits, percent)


def spread(line, key, values):
    line[key] = statistics.median(values)
    line[key + "_min"] = min(values)
    line[key + "_max"] = max(values)


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for text in file:
            if text.startswith("model name"):
                return text.split(":", 1)[1].strip()
    return platform.machine()


def train(options):
    import torch

    device = torch.device("cuda" if options.device == "gpu" else "cpu")
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = options.cudnn_benchmark
    lead = max(1, options.workers * options.prefetch_factor)
    lead += 1 if options.prefetch_to_device else 0
    training = Training(make_network(options.model, CLASSES), device)
    batches = Batches(options, device)
    turns = Turns(training, batches, lead, options.steps)
    for number in range(options.warm_up):
        turns.round(number, [])
    waits = []
    rounds = [turns.round(number, waits) for number in range(options.rounds)]
    loss = turns.loss
    ratios = [loaded[0] / synthetic[0] for loaded, synthetic in rounds]
    busy = utilization(options, turns, device)
    ready = turns.ask(options.asks, 1 + math.ceil(max(ratios)))
    name = torch.cuda.get_device_name(device) if device.type == "cuda" else processor()
    line = {
        "loader": "torch",
        "model": options.model,
        "device": options.device,
        "device_name": name,
        "engine": f"torch {torch.__version__}",
        "runtime": f"Python {platform.python_version()}",
        "processor": processor(),
        "processors": os.cpu_count(),
        "data": options.data or "noise",
        "image_size": options.image_size,
        "batch_size": options.batch_size,
        "workers": options.workers,
        "transfer": "view" if device.type == "cpu" else "stream" if options.prefetch_to_device else "copy",
        "memory": "none" if device.type == "cpu" else "pinned" if options.pin_memory else "pageable",
        "fallback": None,
        "normalize_on_device": options.normalize_on_device,
        "prefetch_to_device": 1 if options.prefetch_to_device else 0,
        "copy_gb_per_second": None,
        "steps": options.steps,
        "rounds": options.rounds,
    }
    spread(line, "step_ms", [1000 * loaded[0] for loaded, _ in rounds])
    spread(line, "synthetic_step_ms", [1000 * synthetic[0] for _, synthetic in rounds])
    spread(line, "ratio", ratios)
    size = options.batch_size
    line["images_per_second"] = 1000 * size / line["step_ms"]
    line["synthetic_images_per_second"] = 1000 * size / line["synthetic_step_ms"]
    for which, key in enumerate(["images_per_cpu_second", "synthetic_images_per_cpu_second"]):
        used = statistics.median(both[which][1] for both in rounds)
        line[key] = size / used if used > 0 else None
    line["next_p50_us"] = micros(waits, 50)
    line["next_p99_us"] = micros(waits, 99)
    line["ready_p50_us"] = micros(ready, 50)
    line["ready_p99_us"] = micros(ready, 99)
    line.update(busy)
    line["loss"] = loss if math.isfinite(loss) else None
    print(
        f"{options.model} on {name} by torch {torch.__version__}, {options.workers} workers:"
        f" {line['step_ms']:.2f} ms a step, {line['synthetic_step_ms']:.2f} with one tensor,"
        f" ratio {line['ratio']:.3f} ({line['ratio_min']:.3f} - {line['ratio_max']:.3f}),"
        f" {line['images_per_second']:.1f} images/s; GPU busy:"
        f" {busy['busy_unknown'] or busy}",
        file=sys.stderr,
    )
    print(json.dumps(line, allow_nan=False), flush=True)


def copy_turn(sources, targets, batches):
    """Bytes per nanosecond of one copy after the other, each waited for, and a batch's time."""
    import torch

    times = []
    start = time.perf_counter()
    for i in range(batches):
        called = time.perf_counter()
        targets[i % len(targets)].copy_(sources[i % len(sources)], non_blocking=True)
        torch.cuda.current_stream().synchronize()
        times.append(time.perf_counter() - called)
    seconds = time.perf_counter() - start
    last = batches - 1
    if not torch.equal(targets[last % len(targets)].cpu(), sources[last % len(sources)]):
        sys.exit("what came back from the GPU is not what was sent")
    return batches * len(sources[0]) / seconds / 1e9, statistics.median(times)


def ceiling_turn(source, target, pieces):
    import torch

    first, last = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    first.record()
    for _ in range(pieces):
        target.copy_(source, non_blocking=True)
    last.record()
    last.synchronize()
    return pieces * len(source) / (first.elapsed_time(last) * 1e6)


def copies(options):
    import torch

    def memory(size, pinned):
        made = torch.randint(0, 256, (size,), dtype=torch.uint8)
        return made.pin_memory() if pinned else made

    rows = [(kind, size) for kind in ("pageable", "pinned") for size in options.bytes]
    sources = {row: [memory(row[1], row[0] == "pinned") for _ in range(4)] for row in rows}
    targets = {size: [torch.empty(size, dtype=torch.uint8, device="cuda") for _ in range(2)] for size in options.bytes}
    large = memory(CEILING_BYTES, True)
    large_target = torch.empty_like(large, device="cuda")
    pieces = max(1, options.batches * max(options.bytes) // CEILING_BYTES)
    found = {row: [] for row in rows}
    best = []
    for number in range(-options.warm_up, options.rounds):
        ceiling = ceiling_turn(large, large_target, pieces)
        turns = {row: copy_turn(sources[row], targets[row[1]], options.batches) for row in rows}
        if number >= 0:
            best.append(ceiling)
            for row, turn in turns.items():
                found[row].append(turn)
    machine = {
        "loader": "torch",
        "gpu": torch.cuda.get_device_name(),
        "cuda": torch.version.cuda,
        "engine": f"torch {torch.__version__}",
        "processor": processor(),
        "processors": os.cpu_count(),
        "batches": options.batches,
        "rounds": options.rounds,
    }
    for (kind, size), turns in [*found.items(), (("ceiling", CEILING_BYTES), [(rate, None) for rate in best])]:
        line = dict(machine, kind=kind, bytes=size)
        spread(line, "gb_per_second", [rate for rate, _ in turns])
        spread(line, "ratio", [rate / ceiling for (rate, _), ceiling in zip(turns, best)])
        line["batch_ms"] = size / line["gb_per_second"] / 1e6
        line["held_up_us"] = None if kind == "ceiling" else 1e6 * statistics.median(time for _, time in turns)
        print(
            f"torch {kind}, {size / 1e6:.1f} MB: {line['gb_per_second']:.1f} GB/s"
            f" ({line['gb_per_second_min']:.1f} - {line['gb_per_second_max']:.1f}),"
            f" {line['ratio']:.3f} of the ceiling",
            file=sys.stderr,
        )
        print(json.dumps(line, allow_nan=False), flush=True)


def check():
    """The losses of three steps from hashed weights on hashed pictures, on the CPU."""
    import torch

    for name in sorted(NETWORKS):
        training = Training(make_network(name, 10), "cpu")
        images = hashed(1000, (4, 3, 64, 64), 1)
        labels = torch.arange(4)
        losses = [training.step(images, labels).item() for _ in range(3)]
        parameters = sum(p.numel() for p in make_network(name, CLASSES).parameters())
        print(json.dumps({"model": name, "parameters": parameters, "losses": losses}), flush=True)


def main():
    options = parse_options()
    if options.check:
        check()
    elif options.copies:
        copies(options)
    else:
        train(options)


if __name__ == "__main__":
    main()
