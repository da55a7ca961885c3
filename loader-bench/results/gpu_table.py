#!/usr/bin/env python3
"""Prints the figures of the GPU kit as tables, and beside them what Feedline is held to.

    python3 loader-bench/results/gpu_table.py DIRECTORY      with steps.jsonl, copies.jsonl, transforms.jsonl

Each run of Feedline is held against the fastest of PyTorch with the same means. A side is bound by
its loader if each of its rounds took more than 1.02 times as long a step as with one tensor. Where
a side is, images/s are compared: at least PyTorch's, or 1/1.02 of DJL's own with one tensor, which
no loader can exceed. Where neither is, images/s tell of the engines and their optimizers, and the
ratios are compared: at most PyTorch's, or 1.02.

Needs Python 3.8 and nothing else.
"""

import collections
import json
import os
import sys

SAME = ["device", "model", "data", "batch_size", "image_size", "workers", "memory", "normalize_on_device"]
BOUND = 1.02
# Of the one tensor's utilisation, over a stretch of so many seconds: the driver measures rarely.
LEAST_BUSY = 0.95
BUSY_SECONDS = 30
# Float32 as the host; a share of a mixture may be rounded to a half.
ROUNDING = {"FLOAT32": 0, "FLOAT16": 4}


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


def label(line):
    return f"{line['model']}, {os.path.basename(line['data'])}, {kind(line)}"


def steps_table(steps):
    print("| network | pictures | loader | ms a step | one tensor | ratio | images/s | one tensor, images/s"
          " | images/CPU-s | next() when ready, us: p50, p99 | GPU busy: loader, one tensor |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for line in steps:
        per_cpu = line["images_per_cpu_second"]
        print(
            f"| {line['model']} | {os.path.basename(line['data'])} | {line['loader']}: {kind(line)}"
            f" | {line['step_ms']:.2f} | {line['synthetic_step_ms']:.2f}"
            f" | **{line['ratio']:.3f}** ({line['ratio_min']:.3f} - {line['ratio_max']:.3f})"
            f" | {line['images_per_second']:.0f} | {line['synthetic_images_per_second']:.0f}"
            f" | {'' if per_cpu is None else format(per_cpu, '.0f')}"
            f" | {line['ready_p50_us']:.0f}, {line['ready_p99_us']:.0f} | {busy(line)} |"
        )


def busy(line):
    """Both shares and over how long, or nothing."""
    if line["busy_unknown"]:
        return ""
    return (
        f"{line['gpu_busy_percent']:.1f}%, {line['synthetic_gpu_busy_percent']:.1f}%"
        f" in {line['busy_seconds']:.0f} s by {line['busy_source']}"
    )


def verdict(met, text):
    return f"- {'met' if met else '**missed**'}: {text}"


def is_bound(line):
    """By its loader, beyond the spread."""
    return line["ratio_min"] > BOUND


def against(ours, theirs):
    """The comparison with PyTorch, by what its rows allow to compare."""
    bound = [name for name, line in (("Feedline", ours), ("PyTorch", theirs)) if is_bound(line)]
    if bound:
        reachable = ours["synthetic_images_per_second"] / BOUND
        return verdict(
            ours["images_per_second"] >= min(theirs["images_per_second"], reachable),
            f"{label(ours)}: bound by the loader: {' and '.join(bound)}; {ours['images_per_second']:.0f} images/s"
            f" against PyTorch's {theirs['images_per_second']:.0f} (goal: at least as many, or {reachable:.0f},"
            " which is 1/1.02 of DJL's own with one tensor)",
        )
    return verdict(
        ours["ratio"] <= max(BOUND, theirs["ratio"]),
        f"{label(ours)}: neither is bound by its loader; a step takes {ours['ratio']:.3f} times that of one"
        f" tensor, with PyTorch {theirs['ratio']:.3f} (goal: at most that, or 1.02); the engines' own"
        f" {ours['synthetic_images_per_second']:.0f} and {theirs['synthetic_images_per_second']:.0f} images/s"
        " are not compared",
    )


def utilisation(line):
    """What can be said of a run whose GPU was watched."""
    loaded, synthetic, seconds = (
        line[key] for key in ("gpu_busy_percent", "synthetic_gpu_busy_percent", "busy_seconds")
    )
    said = f"{label(line)}: the GPU is {loaded:.1f}% busy, with one tensor {synthetic:.1f}%"
    if seconds < BUSY_SECONDS:
        return f"- not judged: {said}, over {seconds:.0f} s ({BUSY_SECONDS} are needed)"
    if synthetic == 0:
        return f"- not judged: {said}, which cannot be"
    return verdict(loaded > LEAST_BUSY * synthetic, f"{said} (goal: above 95% of that)")


def copy_goals(copies):
    for line in copies:
        if line["kind"] == "overlapped":
            yield verdict(
                line["ratio"] >= 0.95,
                f"pinned copies of {line['bytes'] / 1e6:.1f} MB, overlapped, reach {line['ratio']:.3f}"
                " of the machine's ceiling (goal 0.95)",
            )


def transforms_table(transforms):
    print("| transform on the device | batch | ms a batch | off the host's float32 by, units in the last place |")
    print("|---|---|---|---|")
    for line in transforms:
        print(
            f"| {line['transform']} | {line['batch_size']} of {line['image_size']}, {line['dtype']}"
            f" | {line['batch_ms']:.3f} ({line['batch_ms_min']:.3f} - {line['batch_ms_max']:.3f})"
            f" | {off_by(line)} |"
        )


def off_by(line):
    return "no number" if line["off_by"] is None else f"{line['off_by']:.2f}"


def transform_goals(transforms):
    for line in transforms:
        most = ROUNDING[line["dtype"]]
        met = line["off_by"] is not None and line["off_by"] <= most
        yield verdict(met, f"{line['transform']} on the device, {line['dtype']}: off by {off_by(line)}"
                      f" units in the last place of the largest value (goal: at most {most})")


def step_goals(steps):
    fastest = {}
    for line in steps:
        if line["loader"] == "torch":
            key = tuple(line[name] for name in SAME)
            if key not in fastest or line["images_per_second"] > fastest[key]["images_per_second"]:
                fastest[key] = line
    unwatched = collections.Counter()
    for line in steps:
        if line["loader"] != "feedline":
            continue
        if line["fallback"]:
            yield f"- note: {label(line)}: not through a copying stream: {line['fallback']}"
        if line["memory"] == "pinned":
            yield verdict(line["ready_p50_us"] < 100, f"{label(line)}: next() takes {line['ready_p50_us']:.0f} us"
                          " when a batch is ready (goal: below 100)")
            yield verdict(line["ratio"] <= BOUND, f"{label(line)}: a step takes {line['ratio']:.3f} times that of"
                          " one tensor (goal 1.02, where the processors keep up)")
        theirs = fastest.get(tuple(line[name] for name in SAME))
        if theirs:
            yield against(line, theirs)
        else:
            yield f"- not compared: {label(line)}: PyTorch has no run with the same means"
        if line["busy_unknown"]:
            unwatched[line["busy_unknown"]] += 1
        else:
            yield utilisation(line)
    for reason, runs in unwatched.items():
        yield f"- not judged: how busy the GPU is, in {runs} of Feedline's runs: {reason}"


def main():
    if len(sys.argv) != 2 or not os.path.isdir(sys.argv[1]):
        sys.exit(__doc__)
    steps = lines(os.path.join(sys.argv[1], "steps.jsonl"))
    copies = [line for line in lines(os.path.join(sys.argv[1], "copies.jsonl")) if line.get("loader") != "torch"]
    transforms = lines(os.path.join(sys.argv[1], "transforms.jsonl"))
    if not steps and not copies and not transforms:
        sys.exit(f"no figures in {sys.argv[1]}")
    if steps:
        steps_table(steps)
        print()
    if transforms:
        transforms_table(transforms)
        print()
    print("\n".join([*copy_goals(copies), *transform_goals(transforms), *step_goals(steps)]))


if __name__ == "__main__":
    main()
