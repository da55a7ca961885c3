#!/usr/bin/env python3
"""torchvision's ImageFolder behind PyTorch's DataLoader, measured as io.feedline.bench.Throughput is.

Takes the same options and prints the same line of JSON for each epoch on standard output; its log
goes to standard error. Needs torch and torchvision (written against 1.13 and 0.14).

    python3 loader-bench/peers/torchvision_loader.py --data DIR --pipeline train \\
        --batch-size 128 --workers 2 --epochs 3
"""

import sys

import epochs


def parse_options():
    parser = epochs.parser(__doc__)
    parser.add_argument("--format", choices=["imagefolder"], default="imagefolder")
    parser.add_argument("--decoder", choices=["auto", "pil", "torchvision"], default="auto",
                        help="auto is pil; torchvision is torchvision.io.decode_jpeg and the"
                        " transforms on tensors")
    parser.add_argument("--mode", choices=["rgb", "gray"], default="rgb",
                        help="gray is one channel, of which libjpeg decodes nothing else")
    parser.add_argument("--resize", choices=["antialias", "bilinear"], default="antialias",
                        help="as Throughput's; PIL is always antialiased")
    parser.add_argument("--draft", action="store_true",
                        help="let Pillow decode at a fraction of the size; the val pipeline only")
    options = parser.parse_args()
    if options.draft and (options.pipeline != "val" or options.mode == "gray" or options.decoder == "torchvision"):
        parser.error("--draft is for --pipeline val, and for Pillow's colors")
    if options.resize == "bilinear" and options.decoder != "torchvision":
        parser.error("PIL has no bilinear filter that is not antialiased: --decoder torchvision has")
    return options


def make_transform(options):
    """The pipelines of io.feedline.bench.Pipeline, for PIL's images or for tensors."""
    import torch
    from torchvision import transforms

    on_tensors = options.decoder == "torchvision"
    # Of PIL's images it must not be given.
    filter = {"antialias": options.resize == "antialias"} if on_tensors else {}
    to_tensor = transforms.ConvertImageDtype(torch.float32) if on_tensors else transforms.ToTensor()
    if options.pipeline == "train":
        geometry = [transforms.RandomResizedCrop(224, **filter), transforms.RandomHorizontalFlip(0.5)]
    else:
        geometry = [transforms.Resize(256, **filter), transforms.CenterCrop(224)]
    statistics = ((0.449,), (0.226,)) if options.mode == "gray" else ((0.485, 0.456, 0.406), (0.229, 0.224, 0.225))
    normalize = transforms.Normalize(*statistics)
    return transforms.Compose(geometry + [to_tensor, normalize])


def gray(path):
    from PIL import Image

    with open(path, "rb") as file:
        image = Image.open(file)
        # Without it convert makes colors, and gray of these.
        image.draft("L", image.size)
        return image.convert("L")


def draft(path):
    from PIL import Image

    with open(path, "rb") as file:
        image = Image.open(file)
        # Resize(256) makes the shorter side 256.
        image.draft("RGB", (256, 256))
        return image.convert("RGB")


def make_loader(options):
    from torchvision import io
    from torchvision.datasets import ImageFolder

    loading = {}
    if options.decoder == "torchvision":
        mode = io.ImageReadMode.GRAY if options.mode == "gray" else io.ImageReadMode.RGB
        loading["loader"] = lambda path: io.decode_jpeg(io.read_file(path), mode)
    elif options.mode == "gray":
        loading["loader"] = gray
    elif options.draft:
        loading["loader"] = draft
    dataset = ImageFolder(epochs.part(options), make_transform(options), **loading)
    return epochs.data_loader(dataset, options)


def main():
    options = parse_options()
    loader = make_loader(options)
    import torch
    import torchvision
    import PIL

    print(
        f"reading {len(loader.dataset)} images with torch {torch.__version__},"
        f" torchvision {torchvision.__version__}, Pillow {PIL.__version__}",
        file=sys.stderr,
    )
    epochs.run(loader, options)


if __name__ == "__main__":
    main()
