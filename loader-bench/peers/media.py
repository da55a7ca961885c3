#!/usr/bin/env python3
"""Python's half of io.feedline.bench.MediaTurns, which starts it and says how to run both.

Waits for lines on standard input and answers each with a line on standard output:

    run PEER,WORK,FILE SECONDS   works until that much CPU time of the process is gone; answers with
                                 a count of frames, clips, sounds or windows, and seconds

Needs torch, torchvision before 0.26, torchaudio before 2.9, av, soundfile and numpy: Debian 12 has
all (python3-torchaudio, python3-torchvision, python3-av, python3-soundfile).
"""

import random
import sys
import time

import av
import numpy
import soundfile
import torch
import torchaudio
import torchvision
from torchvision import transforms

CLIP_FRAMES = 16
CLIP_STEP = 4
SERIES = 100
SERIES_ROWS = 10_000
PAST = 96
FUTURE = 24


def pyav_frames(path):
    """Decodes all frames of a video to RGB, on one thread."""
    with av.open(path) as container:
        container.streams.video[0].thread_count = 1
        return sum(1 for frame in container.decode(video=0) if frame.to_ndarray(format="rgb24") is not None)


def torchvision_frames(path):
    return len(torchvision.io.read_video(path, pts_unit="sec", output_format="TCHW")[0])


class PyavClips:
    """Clips that begin at random frames: 16 frames, every fourth, stacked as RGB."""

    def __init__(self, path):
        self.container = av.open(path)
        self.stream = self.container.streams.video[0]
        self.stream.thread_count = 1
        self.frames = self.stream.frames
        self.rate = float(self.stream.average_rate)

    def __call__(self, path):
        first = random.randrange(self.frames - CLIP_FRAMES * CLIP_STEP)
        self.container.seek(int(first / self.rate / self.stream.time_base), stream=self.stream)
        wanted = set(range(first, first + CLIP_FRAMES * CLIP_STEP, CLIP_STEP))
        found = []
        for frame in self.container.decode(self.stream):
            if round(frame.pts * float(self.stream.time_base) * self.rate) in wanted:
                found.append(frame.to_ndarray(format="rgb24"))
                if len(found) == CLIP_FRAMES:
                    break
        self.use(torch.from_numpy(numpy.stack(found)))
        return 1

    def use(self, clip):
        """Takes a clip of shape (frames, height, width, 3)."""


class TorchvisionClips(PyavClips):
    def __call__(self, path):
        first = random.randrange(self.frames - CLIP_FRAMES * CLIP_STEP)
        video = torchvision.io.read_video(
            path,
            start_pts=first / self.rate,
            end_pts=(first + CLIP_FRAMES * CLIP_STEP - 1) / self.rate,
            pts_unit="sec",
        )[0]
        self.use(video[::CLIP_STEP].contiguous())
        return 1


TRAIN = transforms.Compose(
    [
        transforms.ConvertImageDtype(torch.float32),
        transforms.RandomResizedCrop(112),
        transforms.RandomHorizontalFlip(),
        transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
    ]
)


class Crops:
    """Clips that are cropped at random, flipped and normalized."""

    def use(self, clip):
        TRAIN(clip.permute(0, 3, 1, 2))


class PyavCrops(Crops, PyavClips):
    pass


class TorchvisionCrops(Crops, TorchvisionClips):
    pass


def torchaudio_sounds(path):
    torchaudio.load(path)
    return 1


def soundfile_sounds(path):
    samples, _ = soundfile.read(path, dtype="float32", always_2d=True)
    numpy.ascontiguousarray(samples.T)
    return 1


def torchaudio_seconds(path):
    torchaudio.load(path, frame_offset=44_100 * random.randrange(9), num_frames=44_100)
    return 1


def soundfile_seconds(path):
    samples, _ = soundfile.read(
        path, frames=44_100, start=44_100 * random.randrange(9), dtype="float32", always_2d=True
    )
    numpy.ascontiguousarray(samples.T)
    return 1


class Mels:
    def __init__(self, path):
        self.mel = torchaudio.transforms.MelSpectrogram(16_000)
        self.sound = torch.rand(1, 160_000) - 0.5

    def __call__(self, path):
        self.mel(self.sound)
        return 1


class Slices(torch.utils.data.Dataset):
    """Windows over arrays of 10^6 rows: slices of numpy's, as tutorials have them."""

    def __init__(self):
        self.columns = numpy.random.default_rng(0).random((SERIES, SERIES_ROWS, 2), dtype=numpy.float32)
        self.windows = SERIES_ROWS - PAST - FUTURE + 1

    def __len__(self):
        return SERIES * self.windows

    def __getitem__(self, index):
        series = self.columns[index // self.windows]
        first = index % self.windows
        behind = first + PAST + FUTURE
        return series[first : first + PAST], series[first + PAST : behind, :1]


class Windows:
    def __init__(self, path):
        self.loader = torch.utils.data.DataLoader(Slices(), batch_size=256, shuffle=True)
        self.batches = iter(self.loader)

    def __call__(self, path):
        batch = next(self.batches, None)
        if batch is None:
            self.batches = iter(self.loader)
            return self(path)
        return len(batch[0])


PEERS = {
    "pyav,frames": lambda path: pyav_frames,
    "torchvision,frames": lambda path: torchvision_frames,
    "pyav,clips": PyavClips,
    "torchvision,clips": TorchvisionClips,
    "pyav,crops": PyavCrops,
    "torchvision,crops": TorchvisionCrops,
    "torchaudio,sounds": lambda path: torchaudio_sounds,
    "soundfile,sounds": lambda path: soundfile_sounds,
    "torchaudio,seconds": lambda path: torchaudio_seconds,
    "soundfile,seconds": lambda path: soundfile_seconds,
    "torchaudio,mels": Mels,
    "torch,windows": Windows,
}


def main():
    torch.set_num_threads(1)
    print(
        f"ready av {av.__version__}, torch {torch.__version__}, torchvision {torchvision.__version__},"
        f" torchaudio {torchaudio.__version__}, soundfile {soundfile.__version__}",
        flush=True,
    )
    made = {}
    for line in sys.stdin:
        _, what, seconds = line.split()
        peer, work, path = what.split(",", 2)
        if what not in made:
            made[what] = PEERS[f"{peer},{work}"](path)
        count = 0
        start = time.process_time()
        while time.process_time() - start < float(seconds):
            count += made[what](path)
        print(f"{count} {time.process_time() - start:.6f}", flush=True)


if __name__ == "__main__":
    main()
