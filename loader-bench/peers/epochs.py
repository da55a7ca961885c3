"""What all peers of PyTorch share: their options, and an epoch measured as Throughput measures it.

A peer calls `parser` and adds its own options, makes a DataLoader by `data_loader`, and hands it to
`run`, which prints one line of JSON for each epoch on standard output. Where PyTorch is measured
otherwise than io.feedline.bench.Throughput:

  cpu_seconds     user and system time of this process and of all its workers: those alive are read
                  from /proc (Linux only), those that have ended come from getrusage.
  peak_rss_mb     the sum of the peaks (VmHWM) of this process and its workers. Pages that they
                  share, above all the libraries, are counted once for each.
  process_to_first_batch_ms
                  in the place of jvm_to_first_batch_ms: epoch 0: from the start of the interpreter's
                  process to the first batch; later: null.
  first_batch_ms  as in Throughput. Epoch 0 starts the workers, which stay for the later epochs
                  (persistent_workers), the fastest that PyTorch offers; --no-persistent-workers
                  starts them for each epoch, its default.
  p50_ms ...      as in Throughput. A worker of PyTorch makes whole batches, so with n workers the
                  waits come in groups of n.

Nothing of the next epoch is prepared during an epoch; PyTorch cannot do that anyway.
"""

import argparse
import json
import math
import os
import resource
import sys
import time

MEGABYTE = 1 << 20
TICKS = os.sysconf("SC_CLK_TCK")


def parser(description):
    """The options that every peer has."""
    made = argparse.ArgumentParser(
        description=description + "\n" + __doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument("--data", required=True, metavar="PATH")
    made.add_argument("--pipeline", choices=["train", "val"], default="train")
    made.add_argument("--batch-size", type=at_least(1), default=128, metavar="N")
    made.add_argument("--workers", type=at_least(0), default=os.cpu_count(), metavar="N")
    made.add_argument("--epochs", type=at_least(1), default=3, metavar="N")
    made.add_argument("--repeat", type=at_least(1), default=1, metavar="N")
    made.add_argument("--seed", type=int, default=0, metavar="N")
    made.add_argument("--prefetch-factor", type=at_least(1), default=2, metavar="N")
    made.add_argument("--no-persistent-workers", action="store_true")
    made.add_argument("--paced", action="store_true",
                      help="wait for a line on standard input before each epoch")
    return made


def at_least(minimum):
    def parse(text):
        value = int(text)
        if value < minimum:
            raise argparse.ArgumentTypeError(f"must be {minimum} or more, was {value}")
        return value

    parse.__name__ = "number"
    return parse


def part(options):
    """DIR, or DIR/train or DIR/val where DIR has a train."""
    if not os.path.isdir(os.path.join(options.data, "train")):
        return options.data
    chosen = os.path.join(options.data, options.pipeline)
    print(f"{options.data} has a directory train: taking {chosen}", file=sys.stderr)
    return chosen


def data_loader(dataset, options):
    """PyTorch's DataLoader at its best."""
    import torch

    if options.repeat > 1:
        dataset = torch.utils.data.ConcatDataset([dataset] * options.repeat)
    torch.manual_seed(options.seed)
    # The main process only stacks, if that; more threads would spin and be counted.
    torch.set_num_threads(1)
    parallel = {}
    if options.workers > 0:
        parallel["prefetch_factor"] = options.prefetch_factor
        parallel["persistent_workers"] = not options.no_persistent_workers
    return torch.utils.data.DataLoader(
        dataset,
        batch_size=options.batch_size,
        shuffle=options.pipeline == "train",
        num_workers=options.workers,
        **parallel,
    )


def children():
    """The processes that this one has started and that are alive."""
    found = []
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/children", encoding="ascii") as file:
            found += file.read().split()
    return found


def stat_fields(pid):
    """The fields of /proc/PID/stat from the third on, which follow the name in brackets."""
    with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()


def cpu_seconds():
    """User and system time of this process and of its children, living or ended."""
    used = 0.0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        usage = resource.getrusage(who)
        used += usage.ru_utime + usage.ru_stime
    for pid in children():
        fields = stat_fields(pid)
        used += (int(fields[11]) + int(fields[12])) / TICKS
    return used


def process_age():
    """Seconds since this process was started, in steps of a tick (10 ms)."""
    with open("/proc/uptime", encoding="ascii") as file:
        return float(file.read().split()[0]) - int(stat_fields("self")[19]) / TICKS


def peak_rss_megabytes():
    total = 0
    for pid in ["self"] + children():
        with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as file:
            for line in file:
                if line.startswith("VmHWM:"):
                    total += int(line.split()[1]) * 1024
    return total / MEGABYTE


def nearest_rank(waits, percent):
    """In milliseconds; None where there is nothing to rank."""
    if not waits:
        return None
    return 1000 * sorted(waits)[math.ceil(percent * len(waits) / 100) - 1]


def measure(loader, epoch):
    images = 0
    first = None
    since_start = None
    waits = []
    cpu_start = cpu_seconds()
    start = time.perf_counter()
    batches = iter(loader)
    while True:
        asked = time.perf_counter()
        batch = next(batches, None)
        given = time.perf_counter()
        if batch is None:
            break
        images += len(batch[1])
        if first is not None:
            waits.append(given - asked)
        else:
            first = given - start
            since_start = process_age() if epoch == 0 else None
        del batch
    seconds = time.perf_counter() - start
    # Ends workers that are not persistent, so that what they used is counted.
    del batches
    cpu = cpu_seconds() - cpu_start
    return {
        "epoch": epoch,
        "images": images,
        "seconds": seconds,
        "cpu_seconds": cpu,
        "images_per_second": images / seconds,
        "images_per_cpu_second": images / cpu if cpu > 0 else None,
        "process_to_first_batch_ms": None if since_start is None else 1000 * since_start,
        "first_batch_ms": 1000 * first,
        "p50_ms": nearest_rank(waits, 50),
        "p99_ms": nearest_rank(waits, 99),
        "max_ms": nearest_rank(waits, 100),
        "peak_rss_mb": peak_rss_megabytes(),
    }


def run(loader, options):
    """Measures as many epochs as are asked for."""
    for epoch in range(options.epochs):
        if options.paced and not sys.stdin.readline():
            break
        print(json.dumps(measure(loader, epoch), allow_nan=False), flush=True)
