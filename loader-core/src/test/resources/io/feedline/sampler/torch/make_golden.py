#!/usr/bin/env python3
"""Lets PyTorch write down what its generator, samplers and loader do, for TorchGoldenTest.

    python make_golden.py

writes the *.txt.gz beside it. The ones committed were made by PyTorch 2.13.0+cpu (x86-64, AVX-512,
glibc) under Python 3.11. A line is one case, or one loader with a case per epoch; a sequence is kept
as the CRC-32 of its numbers in little-endian byte order, indices as 64 bits.
"""

import gzip
import math
import os
import random
import zlib

import numpy as np
import torch
from torch.utils.data import DataLoader, DistributedSampler, RandomSampler, SubsetRandomSampler
from torch.utils.data import WeightedRandomSampler, random_split

HERE = os.path.dirname(os.path.abspath(__file__))
choose = random.Random(20260101)


def generator(seed):
    g = torch.Generator()
    g.manual_seed(seed)
    return g


def crc(*parts):
    value = 0
    for part in parts:
        if isinstance(part, list):
            part = np.array(part, dtype="<i8")
        elif isinstance(part, torch.Tensor):
            part = part.numpy()
        value = zlib.crc32(part.tobytes(), value)
    return "%x" % value


def after(g):
    """Where the generator stands: 24 bits of its next word."""
    return [int(torch.rand(1, generator=g).item() * 2**24)]


def write(name, columns, lines):
    text = "# PyTorch %s, make_golden.py\n# %s\n" % (torch.__version__, columns)
    data = (text + "".join(line + "\n" for line in lines)).encode()
    with open(os.path.join(HERE, name + ".txt.gz"), "wb") as f:
        f.write(gzip.compress(data, 9, mtime=0))
    print("%-14s %6d lines" % (name, len(lines)))


def seeds(count):
    some = [0, 1, 42, -1, -7, 2**32 - 1, 2**33 + 5, 2**63 - 1, -(2**63)]
    return some[:count] + [choose.randrange(-(2**63), 2**63) for _ in range(count - len(some))]


def random_numbers():
    lines = []

    def add(kind, seed, arguments, values, g):
        lines.append(" ".join(map(str, (kind, seed, *arguments, crc(values, after(g))))))

    for seed in seeds(40):
        for n in (1, 2, 311, 312, 313, 700):
            g = generator(seed)
            add("random64", seed, (n,), torch.empty(n, dtype=torch.int64).random_(-(2**63), None, generator=g), g)
            g = generator(seed)
            add("random_", seed, (n,), torch.empty(n, dtype=torch.int64).random_(generator=g), g)
            g = generator(seed)
            add("rand32", seed, (n,), torch.rand(n, generator=g), g)
            g = generator(seed)
            add("rand64", seed, (n,), torch.rand(n, dtype=torch.float64, generator=g), g)
        bounds = [(0, 1), (0, 10), (-5, 7), (0, 2**28 - 1), (0, 2**28), (-(2**27), 2**27), (0, 2**31 + 5),
                  (0, 2**32 - 1), (0, 2**32), (3, 2**40), (-(2**62), 2**62 + 12345), (-(2**63), 2**63 - 1)]
        bounds += [sorted((choose.randrange(-(2**b), 2**b), 2**b)) for b in range(1, 62, 6)]
        for low, high in bounds:
            g = generator(seed)
            add("randint", seed, (low, high, 20), torch.randint(low, high, (20,), generator=g), g)
        for low, high in [(0.08, 1.0), (math.log(3 / 4), math.log(4 / 3)), (-1.0, 1.0), (0.0, 0.0),
                          (0.1, 1e6), (-1e30, 1e30), (choose.random(), 1 + choose.random())]:
            g = generator(seed)
            add("uniform32", seed, (low, high, 100), torch.empty(100).uniform_(low, high, generator=g), g)
            g = generator(seed)
            drawn = torch.empty(100, dtype=torch.float64).uniform_(low, high, generator=g)
            add("uniform64", seed, (low, high, 100), drawn, g)
    write("random", "what, seed, arguments, CRC of the numbers and of the next 24 bits", lines)


def permutations():
    lines = []
    many = [(n, s) for s in seeds(12) for n in range(201)]
    more = [(n, s) for s in seeds(6) for n in (255, 256, 623, 624, 625, 626, 1000, 1248, 1249, 4096, 10007, 50000)]
    for n, seed in many + more + [(200000, 5), (200000, -3), (1281167, 0)]:
        g = generator(seed)
        lines.append("%d %d %s" % (n, seed, crc(torch.randperm(n, generator=g), after(g))))
    write("randperm", "n, seed, CRC of randperm(n) and of the next 24 bits", lines)


def run(loader, taken):
    """The indices of an epoch of which so many batches are taken, or all and the end, if None."""
    indices = []
    batches = iter(loader)
    if taken is None:
        for batch in batches:
            indices += batch
    else:
        for _ in range(taken):
            indices += next(batches)
    return indices


def histories(batches):
    """Ways to go through epochs: how many batches are taken of each, None for an epoch to its end."""
    yield [None] * 6
    yield [choose.randrange(batches + 1) for _ in range(6)]
    yield [choose.choice([None, 0, min(1, batches), batches, choose.randrange(batches + 1)]) for _ in range(8)]


def batches_of(samples, batch, drop_last):
    return samples // batch if drop_last else -(-samples // batch)


def epochs(loader, history):
    return " ".join("%s:%s" % ("-" if k is None else k, crc(run(loader, k))) for k in history)


LOADER = "size seed numSamples replacement baseSeed batchSize dropLast ahead, batches taken of each epoch:CRC"


def loader_lines(make, shapes):
    lines = []
    for size, samples, replacement, base_seed, batch, drop_last, workers, prefetch in shapes:
        for history in histories(batches_of(samples, batch, drop_last)):
            seed = choose.choice(seeds(12))
            options = dict(batch_size=batch, drop_last=drop_last, collate_fn=list, num_workers=workers)
            if workers:
                options["prefetch_factor"] = prefetch
            loader = make(range(size), seed, samples, replacement, base_seed, options)
            head = (size, seed, samples, int(replacement), int(base_seed), batch, int(drop_last), workers * prefetch)
            lines.append(" ".join(map(str, head)) + " " + epochs(loader, history))
    return lines


def shapes(base_seeds):
    plain = [(n, b, d) for n in (1, 2, 3, 7, 10, 24, 100, 101, 626) for b in (1, 2, 5, 10, 32) for d in (False, True)]
    for n, b, d in plain:
        yield n, n, False, True, b, d, 0, 0
    for n, m in [(10, 3), (10, 10), (10, 20), (10, 25), (7, 100), (1, 4), (40, 31), (40, 32), (40, 33), (40, 64),
                 (40, 70), (5, 96), (1000, 999)]:
        for replacement in (False, True):
            for base_seed in base_seeds:
                for b, d in [(1, False), (4, True), (8, False), (32, False)]:
                    yield n, m, replacement, base_seed, b, d, 0, 0
    for n, m, replacement in [(10, 10, False), (23, 23, False), (20, 50, False), (20, 70, True)]:
        yield n, m, replacement, True, 5, False, 1, 2
        yield n, m, replacement, True, 4, True, 2, 1
    # From 2^28 values on, randint draws two words.
    for n in (2**28 - 1, 2**28, 2**31 + 11):
        yield n, 40, True, True, 8, False, 0, 0


def own_generator(data, seed, samples, replacement, base_seed, options):
    g = generator(seed)
    if samples == len(data) and not replacement and base_seed:
        return DataLoader(data, shuffle=True, generator=g, **options)
    sampler = RandomSampler(data, replacement=replacement, num_samples=samples, generator=g)
    return DataLoader(data, sampler=sampler, generator=g if base_seed else None, **options)


def global_generator(data, seed, samples, replacement, base_seed, options):
    torch.manual_seed(seed)
    if samples == len(data) and not replacement:
        return DataLoader(data, shuffle=True, **options)
    return DataLoader(data, sampler=RandomSampler(data, replacement=replacement, num_samples=samples), **options)


def loaders():
    write("loader_own", LOADER, loader_lines(own_generator, shapes((True, False))))
    write("loader_global", LOADER, loader_lines(global_generator, shapes((True,))))


def weights_of(n, a, b, m, d):
    return [float((i * a + b) % m) / d for i in range(n)]


def weighted():
    lines = []
    for n in (1, 2, 3, 10, 16, 17, 100, 1000, 1001, 20000):
        for replacement in (True, False):
            for samples in sorted({1, 2, 3, n // 70, n // 2, n, 2 * n if replacement else n}):
                for variant in range(6 if n < 2000 else 1):
                    a, b, m, d = choose.randrange(1, 10**6), choose.randrange(10**6), choose.choice([7, 1009, 10**9 + 7]), choose.choice([1, 3, 1e6])
                    if variant == 0:
                        a, b, m, d = 0, 1, 2, 1
                    weights = weights_of(n, a, b, m, d)
                    positive = sum(w > 0 for w in weights)
                    if samples < 1 or positive == 0 or (not replacement and samples > positive):
                        continue
                    for base_seed in (True, False):
                        batch = choose.choice([1, 4, 16]) if samples < 100 else samples // 7
                        history = [None, None, 0, 1, None, choose.randrange(batches_of(samples, batch, False) + 1), None]
                        seed = choose.choice(seeds(12))
                        g = generator(seed)
                        sampler = WeightedRandomSampler(weights, samples, replacement, generator=g)
                        loader = DataLoader(range(n), batch, sampler=sampler, collate_fn=list, generator=g if base_seed else None)
                        head = (n, a, b, m, d, samples, int(replacement), int(base_seed), seed, batch)
                        lines.append(" ".join(map(str, head)) + " " + epochs(loader, history))
    write("weighted", "n a b m d (weight i is (i * a + b) % m / d) numSamples replacement baseSeed seed batchSize, batches taken of each epoch:CRC", lines)


def subset():
    lines = []
    for n in (0, 1, 2, 3, 10, 24, 100, 626, 20000):
        indices = [i * 7919 % 100003 for i in range(n)]
        for kind in ("global", "both", "sampler"):
            for batch, drop_last, workers in ((1, False, 0), (4, True, 0), (8, False, 0), (5, False, 2)):
                for history in histories(batches_of(n, batch, drop_last)):
                    if batch == 1 and n > 1000:
                        continue
                    seed = choose.choice(seeds(12))
                    torch.manual_seed(seed)
                    g = None if kind == "global" else generator(seed)
                    options = {"prefetch_factor": 1} if workers else {}
                    loader = DataLoader(
                        range(100003), batch, sampler=SubsetRandomSampler(indices, generator=g), drop_last=drop_last,
                        collate_fn=list, generator=g if kind == "both" else None, num_workers=workers, **options)
                    head = (n, seed, int(kind != "sampler"), batch, int(drop_last), workers)
                    lines.append(" ".join(map(str, head)) + " " + epochs(loader, history))
    write("subset", "n (index i is i * 7919 % 100003) seed baseSeed batchSize dropLast ahead, batches taken of each epoch:CRC", lines)


def distributed():
    lines = []
    shapes = [(n, r) for n in (1, 2, 3, 8, 10, 11, 97, 1000) for r in (1, 2, 3, 4, 7, 8)]
    for n, replicas in shapes + [(3, 20), (5000, 16)]:
        for drop_last in (False, True):
            for shuffle in (False, True):
                for epoch in (0, 1, 7) if shuffle else (0,):
                    seed = choose.choice([0, 3, -2, 2**40]) if shuffle else 0
                    for rank in range(replicas) if replicas <= 4 else sorted({0, replicas // 2, replicas - 1}):
                        s = DistributedSampler(range(n), replicas, rank, shuffle, seed, drop_last)
                        s.set_epoch(epoch)
                        indices = list(s)
                        head = (n, replicas, rank, int(drop_last), int(shuffle), seed, epoch, len(indices))
                        lines.append(" ".join(map(str, head)) + " " + crc(indices))
    write("distributed", "size replicas rank dropLast shuffle seed epoch, length and CRC of the indices", lines)


def splits():
    lines = []

    def add(size, seed, what, parts):
        pieces = random_split(range(size), parts, generator=generator(seed))
        lengths = [len(p) for p in pieces]
        lines.append("%d %d %s %s %s" % (size, seed, what, ",".join(map(str, parts)), crc(lengths, *[list(p.indices) for p in pieces])))

    for size in (2, 3, 10, 11, 100, 101, 1000, 9999):
        for seed in seeds(10):
            cut = sorted(choose.randrange(size + 1) for _ in range(choose.randrange(4)))
            add(size, seed, "lengths", [b - a for a, b in zip([0] + cut, cut + [size])])
            for fractions in ([0.3, 0.3, 0.4], [0.8, 0.2], [0.7, 0.2, 0.1], [1.0], [0.0, 1.0], [1 / 3] * 3, [0.1] * 10, [1 / 7] * 7):
                add(size, seed, "fractions", fractions)
    write("split", "size seed what parts, CRC of the lengths and of the indices", lines)


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    random_numbers()
    permutations()
    loaders()
    weighted()
    distributed()
    splits()
    subset()
