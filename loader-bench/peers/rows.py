#!/usr/bin/env python3
"""Rows of tables, windows over them and tokens of JSON lines per CPU-second: Feedline and Python's loaders in turns.

    pip install torch numpy pyarrow datasets zstandard
    python3 rows.py table|windows|tokens --dir DIR --java JAVA --class-path benchmarks.jar [--rounds 3]

Makes its files in DIR at first: 500,000 rows of 20 columns (float32, float64, int64) as Parquet with
Snappy, Arrow and CSV; 4 files of JSON lines in Zstandard, 40 MB unpacked. Each program loads an epoch to
get warm and then some epochs, and tells its CPU time, that of its workers included. A batch is a tensor
(1024, 20), or 8 rows of 2048 tokens, or 256 windows: every fifth one of 20 columns in 96 rows, and of one
column in the 24 rows behind; PyTorch slices them out of an array in memory, one by one or a batch in one gather. Nothing is cached between epochs but by the page cache, and by
TableDataset where the order is random. Prints a Markdown table: medians, and lowest and highest.
"""

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROWS, COLUMNS, BATCH, ROW_TOKENS = 500_000, 20, 1024, 2048
NAMES = ["x%d" % i for i in range(COLUMNS)]


def make_tables(directory):
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq

    rng = np.random.default_rng(0)
    kinds = [np.float32, np.float64, np.int64]
    columns = {}
    for i, name in enumerate(NAMES):
        kind = kinds[i % 3]
        columns[name] = rng.integers(0, 1000, ROWS) if kind == np.int64 else rng.normal(size=ROWS).astype(kind).round(4)
    table = pa.table(columns)
    pq.write_table(table, directory / "t.parquet", row_group_size=100_000)
    with pa.OSFile(str(directory / "t.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
        out.write_table(table, max_chunksize=10_000)
    pyarrow.csv.write_csv(table.slice(0, ROWS // 5), directory / "t.csv")


def make_texts(directory):
    import zstandard

    rng = random.Random(0)
    words = ["".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randint(1, 10))) for _ in range(5000)]
    for part in range(4):
        lines = []
        size = 0
        while size < 10_000_000:
            text = " ".join(rng.choice(words) for _ in range(rng.randint(20, 800)))
            lines.append(json.dumps({"id": len(lines), "text": text, "source": "made"}))
            size += len(text)
        (directory / ("part-%d.jsonl.zst" % part)).write_bytes(
            zstandard.compress("\n".join(lines).encode() + b"\n")
        )


def cpu():
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def measure(loader, epochs, count):
    for batch in loader():
        pass
    before, total = cpu(), 0
    for _ in range(epochs):
        for batch in loader():
            total += count(batch)
    print(total, cpu() - before)


def torch_table(file, way, workers, epochs):
    import numpy as np
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet as pq
    import torch
    from torch.utils.data import DataLoader, Dataset, IterableDataset

    pa.set_cpu_count(1)
    torch.set_num_threads(1)

    def table():
        if file.endswith(".parquet"):
            return pq.read_table(file, columns=NAMES)
        if file.endswith(".csv"):
            return pyarrow.csv.read_csv(file)
        return pa.ipc.open_file(pa.memory_map(file)).read_all()

    def batches():
        if file.endswith(".parquet"):
            return pq.ParquetFile(file).iter_batches(BATCH, columns=NAMES)
        if file.endswith(".csv"):
            return (part for each in pyarrow.csv.open_csv(file) for part in pa.Table.from_batches([each]).to_batches(BATCH))
        return (part for each in batches_of_arrow() for part in pa.Table.from_batches([each]).to_batches(BATCH))

    def batches_of_arrow():
        source = pa.ipc.open_file(pa.memory_map(file))
        return (source.get_batch(i) for i in range(source.num_record_batches))

    class Whole(IterableDataset):
        """A batch of pyarrow's at a time, the best that is known: no Python object for a row."""

        def __iter__(self):
            for batch in batches():
                columns = [batch.column(name).to_numpy(zero_copy_only=False).astype(np.float32) for name in NAMES]
                yield torch.from_numpy(np.stack(columns, axis=1))

    class Each(Dataset):
        """A row at a time, of arrays in memory."""

        def __init__(self):
            whole = table()
            self.rows = np.stack([whole[name].to_numpy().astype(np.float32) for name in NAMES], axis=1)

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            return torch.from_numpy(self.rows[index])

    if way == "whole":
        data = Whole()
        # A stream would be given by each worker, so one has it all.
        loader = lambda: DataLoader(data, batch_size=None, num_workers=min(workers, 1))
    else:
        data = Each()
        loader = lambda: DataLoader(data, batch_size=BATCH, shuffle=True, num_workers=workers)
    measure(loader, epochs, len)


def torch_windows(file, way, workers, epochs):
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq
    import torch
    from torch.utils.data import DataLoader, Dataset

    torch.set_num_threads(1)
    whole = pq.read_table(file, columns=NAMES)
    rows = np.stack([whole[name].to_numpy().astype(np.float32) for name in NAMES], axis=1)

    class Slices(Dataset):
        def __len__(self):
            return (len(rows) - 120) // 5 + 1

        def __getitem__(self, index):
            at = 5 * index
            return torch.from_numpy(rows[at : at + 96]), torch.from_numpy(rows[at + 96 : at + 120, :1])

    class Gathers(Slices):
        """A batch in one step, the best that is known: no Python object for a window."""

        def __getitems__(self, indices):
            at = 5 * np.array(indices)[:, None]
            return torch.from_numpy(rows[at + np.arange(96)]), torch.from_numpy(rows[at + np.arange(96, 120), :1])

    if way == "slices":
        loader = lambda: DataLoader(Slices(), batch_size=256, shuffle=True, num_workers=workers)
    else:
        loader = lambda: DataLoader(Gathers(), batch_size=256, shuffle=True, num_workers=workers, collate_fn=lambda batch: batch)
    measure(loader, epochs, lambda batch: len(batch[0]))


def python_tokens(directory, way, workers, epochs):
    import numpy as np
    import torch
    from torch.utils.data import DataLoader, IterableDataset, get_worker_info

    torch.set_num_threads(1)
    files = sorted(str(f) for f in Path(directory).glob("*.jsonl.zst"))

    class Packed(IterableDataset):
        """Written by hand: zstandard, json, numpy."""

        def __iter__(self):
            import io

            import zstandard

            worker = get_worker_info()
            own = files[worker.id :: worker.num_workers] if worker else files
            parts, size = [], 0
            for file in own:
                with open(file, "rb") as raw:
                    lines = io.TextIOWrapper(zstandard.ZstdDecompressor().stream_reader(raw), encoding="utf-8")
                    for line in lines:
                        ids = np.frombuffer(json.loads(line)["text"].encode(), np.uint8)
                        parts.append(ids)
                        size += len(ids)
                        if size >= ROW_TOKENS:
                            whole = np.concatenate(parts)
                            full = size // ROW_TOKENS * ROW_TOKENS
                            for at in range(0, full, ROW_TOKENS):
                                yield torch.from_numpy(whole[at : at + ROW_TOKENS].astype(np.int64))
                            parts, size = [whole[full:]], size - full

    if way == "by hand":
        data = Packed()
    else:
        from datasets import load_dataset

        def tokenize(batch):
            return {"input_ids": [np.frombuffer(text.encode(), np.uint8).astype(np.int64) for text in batch["text"]]}

        def group(batch):
            whole = np.concatenate(batch["input_ids"])
            full = len(whole) // ROW_TOKENS * ROW_TOKENS
            return {"input_ids": list(whole[:full].reshape(-1, ROW_TOKENS))}

        data = (
            load_dataset("json", data_files=files, split="train", streaming=True)
            .map(tokenize, batched=True, remove_columns=["id", "text", "source"])
            .map(group, batched=True)
            .with_format("torch")
        )

    def count(batch):
        return (batch["input_ids"] if isinstance(batch, dict) else batch).numel()

    measure(lambda: DataLoader(data, batch_size=8, num_workers=workers), epochs, count)


def turns(args):
    directory = Path(args.dir)
    directory.mkdir(parents=True, exist_ok=True)
    feedline = [args.java, "-Xmx2g", "-XX:+UseParallelGC", "--enable-native-access=ALL-UNNAMED",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=error", "-cp", args.class_path, "io.feedline.bench.Rows"]
    peer = [sys.executable, __file__, "--peer"]
    works = []
    if args.what == "table":
        if not (directory / "t.csv").exists():
            make_tables(directory)
        for end in args.formats.split(","):
            file = str(directory / ("t." + end))
            for way in ("stream", "random"):
                works.append(("%s, Feedline, %s" % (end, way), feedline + ["table", file, way, str(args.epochs)]))
            for workers in ("0", "2"):
                for way in ("whole", "each"):
                    if (way, workers) != ("each", "0"):
                        works.append(("%s, PyTorch, %s, %s workers" % (end, "pyarrow's batches" if way == "whole" else "rows in memory", workers),
                                      peer + ["table", file, way, workers, str(args.epochs)]))
    elif args.what == "windows":
        if not (directory / "t.csv").exists():
            make_tables(directory)
        file = str(directory / "t.parquet")
        for way in ("random", "stream"):
            works.append(("Feedline, %s" % way, feedline + ["windows", file, way, str(args.epochs)]))
        for way in ("slices", "gathers"):
            for workers in ("0", "2"):
                works.append(("PyTorch, %s, %s workers" % (way, workers), peer + ["windows", file, way, workers, str(args.epochs)]))
    else:
        if not (directory / "part-3.jsonl.zst").exists():
            make_texts(directory)
        works.append(("Feedline", feedline + ["tokens", str(directory), str(args.epochs)]))
        for way in ("by hand", "datasets"):
            for workers in ("0", "2"):
                works.append(("PyTorch, %s, %s workers" % (way, workers), peer + ["tokens", str(directory), way, workers, str(args.epochs)]))
    rates = {name: [] for name, _ in works}
    for _ in range(args.rounds):
        for name, command in works:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(name + ": " + done.stderr[-2000:])
            count, seconds = done.stdout.split()[-2:]
            rates[name].append(float(count) / float(seconds))
    print("| %s per CPU-second, in thousands | median | lowest | highest |\n|---|---|---|---|" % ("rows" if args.what == "table" else args.what))
    for name, found in rates.items():
        print("| %s | %.0f | %.0f | %.0f |" % (name, statistics.median(found) / 1e3, min(found) / 1e3, max(found) / 1e3))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--peer"]:
        what, path, way, workers, epochs = sys.argv[2:]
        peers = {"table": torch_table, "windows": torch_windows, "tokens": python_tokens}
        peers[what](path, way, int(workers), int(epochs))
    else:
        parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("what", choices=["table", "windows", "tokens"])
        parser.add_argument("--dir", required=True)
        parser.add_argument("--java", default="java")
        parser.add_argument("--class-path", required=True)
        parser.add_argument("--formats", default="parquet,arrow,csv")
        parser.add_argument("--rounds", type=int, default=3)
        parser.add_argument("--epochs", type=int, default=3)
        turns(parser.parse_args())
