#!/usr/bin/env python3
"""Prints the figures of `measure scaling` as a table: what more workers bring.

    python3 loader-bench/results/scaling_table.py DIRECTORY [--warm-up N]

with a throughput-WORKERS.jsonl of io.feedline.bench.Throughput for each number of workers, perhaps a
torchvision-WORKERS.jsonl of peers/torchvision_loader.py, and empty.json, JMH's of EmptyLoader. The first
N epochs of each do not count, by default 2, and of torchvision one. Medians, with the smallest and the
greatest; of EmptyLoader JMH's mean and error. The speed-up is that of images/s.

Needs Python 3.8 and nothing else.
"""

import argparse
import glob
import json
import math
import os
import re
import statistics
import sys


def epochs(directory, name, warm_up):
    """By workers, the lines of the epochs that count."""
    found = {}
    for path in glob.glob(os.path.join(directory, f"{name}-*.jsonl")):
        workers = int(re.search(r"-(\d+)\.jsonl$", path).group(1))
        with open(path, encoding="utf-8") as file:
            counted = [json.loads(line) for line in file if line.strip()][warm_up:]
        if counted:
            found[workers] = counted
    return found


def empty(directory):
    """By workers, samples per second and JMH's error of them."""
    path = os.path.join(directory, "empty.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        results = json.load(file)
    return {
        int(result["params"]["workers"]): (
            float(result["primaryMetric"]["score"]),
            float(result["primaryMetric"]["scoreError"]),
        )
        for result in results
    }


def spread(lines, key):
    values = [line[key] for line in lines]
    return f"{statistics.median(values):.0f} ({min(values):.0f} - {max(values):.0f})"


def rate(lines):
    return statistics.median(line["images_per_second"] for line in lines)


def millions(score, error):
    """JMH has no error of a single iteration."""
    return f"{score / 1e6:.1f}" + ("" if math.isnan(error) else f" ± {error / 1e6:.1f}")


def table(found, peers, engine):
    print("| workers | images/s | speed-up | images/CPU-s | torchvision, images/s | Feedline / torchvision"
          " | empty samples/s, millions |")
    print("|---|---|---|---|---|---|---|")
    for workers in sorted(found.keys() | peers.keys() | engine.keys()):
        lines = found.get(workers)
        row = [str(workers)]
        row.append(spread(lines, "images_per_second") if lines else "")
        row.append(f"{rate(lines) / rate(found[1]):.2f}" if lines and 1 in found else "")
        row.append(spread(lines, "images_per_cpu_second") if lines else "")
        theirs = peers.get(workers)
        row.append(spread(theirs, "images_per_second") if theirs else "")
        row.append(f"{rate(lines) / rate(theirs):.2f}" if lines and theirs else "")
        row.append(millions(*engine[workers]) if workers in engine else "")
        print(f"| {' | '.join(row)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory")
    parser.add_argument("--warm-up", type=int, default=2, metavar="N")
    options = parser.parse_args()
    found, engine = epochs(options.directory, "throughput", options.warm_up), empty(options.directory)
    if not found and not engine:
        sys.exit(f"no figures in {options.directory}")
    table(found, epochs(options.directory, "torchvision", 1), engine)


if __name__ == "__main__":
    main()
