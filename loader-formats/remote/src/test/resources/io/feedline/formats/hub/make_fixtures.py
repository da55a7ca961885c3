"""Makes what HubSplitsTest reads, with Hugging Face's datasets 5.0 as the reference.

    pip install datasets==5.0.1
    python make_fixtures.py [TREES [SEED]]

writes splits.json (generated trees of files, cards among them, and the files that datasets finds in
each for each configuration and split) and, in src/main/resources, data-files.txt (the extensions by
kinds of files).
"""

import json
import os
import random
import sys
import tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"

import datasets  # noqa: E402
from datasets import load, packaged_modules  # noqa: E402

HERE = Path(__file__).resolve().parent
MAIN = HERE.parents[5] / "main/resources/io/feedline/formats/hub"

DIRECTORIES = (
    "data data data train test validation dev val eval training my_train train-clean clean-train "
    "test.2 en de en/train en/test images __pycache__ .hidden train/train-1 trainer latest attest"
).split() + ["a train", "", "", ""]
NAMES = (
    "train test validation dev valid eval testing train_1 test-2 my-train my_test.part0 "
    "00000 x README notes metadata train-00000-of-00002 train-00001-of-00002 test-00000-of-00001 "
    "random_split-00000-of-00001 train-00000-of-00001-0123456789abcdef v.1-00000-of-00001 "
    "constrain contest train2 2train Train"
).split()
EXTENSIONS = (
    ".parquet .parquet .parquet .csv .csv .json .jsonl .txt .tar .png .jpg .JPG .Jpg .csv.gz .json.zst "
    ".md .py .tsv .arrow .wav .mp4 .bin"
).split() + [""]
PATTERNS = (
    "data/*.csv data/*.parquet train/* **/train* *.csv *.parquet ./train.csv train.parquet en/** "
    "**/*.json data/[a-t]*.csv data/tes?.csv data/[!t]*.csv *.[cj]s* de/train* data/train-* missing.csv "
    "data/* ** data/**/x.csv .hidden/* .hidden/** images/*.png data//test* train**"
).split()


def tree(rng):
    extensions = rng.sample(EXTENSIONS, rng.choice((1, 1, 1, 2, 3)))
    directories = rng.sample(DIRECTORIES, rng.choice((1, 2, 3)))
    files = set()
    for _ in range(rng.randint(1, 9)):
        name = rng.choice(NAMES) + rng.choice(extensions)
        directory = rng.choice(directories)
        files.add(f"{directory}/{name}" if directory else name)
    return sorted(each for each in files if each != "README.md")


def card(rng):
    if rng.random() < 0.5:
        return None
    configs = []
    for name in rng.sample(["default", "en", "de", "a b", "v1.0"], rng.randint(1, 3)):
        config = {"config_name": name}
        kind = rng.random()
        if kind < 0.25:
            config["data_files"] = rng.choice(PATTERNS)
        elif kind < 0.4:
            config["data_files"] = rng.sample(PATTERNS, 2)
        elif kind < 0.8:
            config["data_files"] = [
                {"split": split, "path": rng.choice((rng.choice(PATTERNS), rng.sample(PATTERNS, 2)))}
                for split in rng.sample(["train", "test", "validation", "extra_1"], rng.randint(1, 3))
            ]
        if rng.random() < 0.3:
            config["data_dir"] = rng.choice(["data", "en", "./data", "en/", "images"])
        if rng.random() < 0.15:
            config["default"] = True
        configs.append(config)
    # JSON is YAML; the header has what cards have.
    return "---\nlicense: mit\nconfigs: %s\n---\n# A card\n" % json.dumps(configs)


def found(root):
    """What datasets finds: the files of each configuration and split, and the default."""
    module = load.dataset_module_factory(str(root))
    parameters = module.builder_configs_parameters
    configs = {}
    for config in parameters.builder_configs:
        config._resolve_data_files(str(root), datasets.DownloadConfig())
        files = config.data_files
        if "data_files" not in (parameters.metadata_configs or {}).get(config.name, {}):
            # As datasets does without a card: files of one kind, since a reader takes no others.
            kind, _ = load.infer_module_for_data_files(files)
            files = files.filter(
                extensions=packaged_modules._MODULE_TO_EXTENSIONS[kind],
                file_names=packaged_modules._MODULE_TO_METADATA_FILE_NAMES[kind],
            )
        configs[config.name] = {
            str(split): [os.path.relpath(each, root) for each in paths] for split, paths in files.items()
        }
    return {"configs": configs, "default": parameters.default_config_name}


def case(rng):
    files, text = tree(rng), card(rng)
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve()
        for each in files:
            path = root / each
            if not path.is_dir() and not any(parent.is_file() for parent in path.parents):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.touch()
        if text is not None:
            (root / "README.md").write_text(text)
        files = sorted(
            str(each.relative_to(root)) for each in root.rglob("*") if each.is_file() and each.name != "README.md"
        )
        try:
            return {"files": files, "card": text, **found(root)}
        except Exception as error:
            return {"files": files, "card": text, "error": f"{type(error).__name__}: {error}"[:100]}


def main():
    trees = int(sys.argv[1]) if len(sys.argv) > 1 else 150
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 7)
    cases = []
    while len(cases) < trees:
        each = case(rng)
        if "error" not in each or rng.random() < 0.2:
            cases.append(each)
    (HERE / "splits.json").write_text("[\n" + ",\n".join(json.dumps(each) for each in cases) + "\n]\n")

    kinds = {"zip": [".zip"]}
    for extension, (module, _) in packaged_modules._EXTENSION_TO_MODULE.items():
        if extension == extension.lower():
            kinds.setdefault(module, []).append(extension)
    MAIN.mkdir(parents=True, exist_ok=True)
    (MAIN / "data-files.txt").write_text(
        "".join(" ".join([module] + extensions) + "\n" for module, extensions in kinds.items())
    )


if __name__ == "__main__":
    main()
