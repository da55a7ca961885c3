#!/usr/bin/env python3
"""Prints the figures of `measure gpu` as tables, and beside them what Feedline is held to.

    python3 loader-bench/results/gpu_table.py DIRECTORY      with steps.jsonl and copies.jsonl

Needs Python 3.8 and nothing else.
"""

import json
import os
import sys

SAME = ["model", "data", "batch_size", "image_size", "workers", "memory", "normalize_on_device"]


def lines(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def kind(line):
    said = [line["memory"]]
    if line["normalize_on_device"]:
        said.append("bytes")
    if line["transfer"] == "stream":
        said.append("ahead")
    return ", ".join(said)


def steps_table(steps):
    print("| network | pictures | loader | ms a step | one tensor | ratio | images/s | images/CPU-s"
          " | next() when ready, us: p50, p99 | GPU busy |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    for line in steps:
        busy = line["gpu_busy_percent"]
        per_cpu = line["images_per_cpu_second"]
        print(
            f"| {line['model']} | {os.path.basename(line['data'])} | {line['loader']}: {kind(line)}"
            f" | {line['step_ms']:.2f} | {line['synthetic_step_ms']:.2f}"
            f" | **{line['ratio']:.3f}** ({line['ratio_min']:.3f} - {line['ratio_max']:.3f})"
            f" | {line['images_per_second']:.0f} | {'' if per_cpu is None else format(per_cpu, '.0f')}"
            f" | {line['ready_p50_us']:.0f}, {line['ready_p99_us']:.0f}"
            f" | {'' if busy is None else format(busy, '.1f') + '%'} |"
        )


def verdict(met, text):
    return f"- {'met' if met else '**missed**'}: {text}"


def goals(steps, copies):
    for line in copies:
        if line["kind"] == "overlapped":
            yield verdict(
                line["ratio"] >= 0.95,
                f"pinned copies of {line['bytes'] / 1e6:.1f} MB, overlapped, reach {line['ratio']:.3f}"
                " of the machine's ceiling (goal 0.95)",
            )
    best = {}
    for line in steps:
        if line["loader"] == "torch":
            key = tuple(line[name] for name in SAME)
            best[key] = max(best.get(key, 0), line["images_per_second"])
    for line in steps:
        if line["loader"] != "feedline":
            continue
        name = f"{line['model']}, {os.path.basename(line['data'])}, {kind(line)}"
        if line["memory"] == "pinned":
            yield verdict(line["ready_p50_us"] < 100, f"{name}: next() takes {line['ready_p50_us']:.0f} us"
                          " when a batch is ready (goal: below 100)")
            yield verdict(line["ratio"] <= 1.02, f"{name}: a step takes {line['ratio']:.3f} times that of one"
                          " tensor (goal 1.02, where the processors keep up)")
        theirs = best.get(tuple(line[name] for name in SAME))
        if theirs:
            yield verdict(line["images_per_second"] >= theirs, f"{name}: {line['images_per_second']:.0f} images/s"
                          f" against PyTorch's best of {theirs:.0f} (goal: at least as many)")


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    steps = lines(os.path.join(sys.argv[1], "steps.jsonl"))
    copies = [line for line in lines(os.path.join(sys.argv[1], "copies.jsonl")) if line.get("loader") != "torch"]
    if not steps and not copies:
        sys.exit(f"no figures in {sys.argv[1]}")
    if steps:
        steps_table(steps)
        print()
    print("\n".join(goals(steps, copies)))


if __name__ == "__main__":
    main()
