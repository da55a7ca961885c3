"""Makes torchaudio_transforms.txt and .bin by torchaudio 0.13 (Debian: apt-get install python3-torchaudio).

    /usr/bin/python3 torchaudio_transforms.py

Each line of the text is a case: a name, its arguments, the samples, channels and rate of the input, and the shape of
the result, whose float32 values (little-endian) follow those of the case before in the binary file. The inputs are
computed, here and in the test alike. A mask has no values: its line ends with its first position and its length.
"""
import math
import os
import warnings

import numpy as np
import torch
import torchaudio.functional as F
import torchaudio.transforms as T

warnings.simplefilter("ignore")
HERE = os.path.dirname(os.path.abspath(__file__))


def sound(samples, channels, rate):
    """A tone that rises, with noise and, in its middle, silence."""
    result = np.zeros((channels, samples))
    state = 12345
    for c in range(channels):
        for i in range(samples):
            state = (state * 1103515245 + 12345) % 2**31
            noise = state / 2**31 - 0.5
            tone = math.sin(2 * math.pi * (200 + 100 * c + i / 8) * i / rate)
            result[c, i] = 0 if samples // 3 < i < samples // 2 else 0.5 * tone + 0.3 * noise
    return torch.from_numpy(result.astype(np.float32))


WINDOWS = {
    "HANN": torch.hann_window,
    "HAMMING": torch.hamming_window,
    "BLACKMAN": torch.blackman_window,
    "RECTANGULAR": torch.ones,
}
NORMALIZATIONS = {"NONE": False, "WINDOW": "window", "FRAME_LENGTH": "frame_length"}
METHODS = {"SINC_INTERP_HANN": "sinc_interpolation", "SINC_INTERP_KAISER": "kaiser_window"}


def resample(rate, new, method, width, rolloff, beta):
    return T.Resample(rate, new, METHODS[method], width, rolloff, beta)


def spectrogram(n_fft, win, hop, window, power, normalized, center, mode):
    return T.Spectrogram(
        n_fft, win, hop, 0, WINDOWS[window], power, NORMALIZATIONS[normalized], center=center, pad_mode=mode.lower()
    )


def mel(rate, n_fft, hop, n_mels, f_min, f_max, norm, scale):
    return T.MelSpectrogram(
        rate, n_fft, None, hop, f_min, f_max, n_mels=n_mels, norm=None if norm == "NONE" else "slaney",
        mel_scale=scale.lower(),
    )


def decibels(scale, top_db):
    return lambda x: T.AmplitudeToDB(scale.lower(), top_db)(T.Spectrogram(power=2 if scale == "POWER" else 1)(x))


def mfcc(rate, n_mfcc, n_mels, norm, log_mels):
    return T.MFCC(
        rate, n_mfcc, norm=None if norm == "NONE" else "ortho", log_mels=log_mels, melkwargs={"n_mels": n_mels}
    )


def gain(amplitude):
    return T.Vol(amplitude)


def decibel_gain(by):
    return T.Vol(by, "db")


def mono():
    return lambda x: x.mean(0, keepdim=True)


KAISER = ("SINC_INTERP_KAISER", 64, 0.9475937167399596, 14.769656459379492)
HANN = ("SINC_INTERP_HANN", 6, 0.99, 14.769656459379492)
CASES = [
    (resample, (16000, 8000, *HANN), 1001, 2, 16000),
    (resample, (44100, 16000, *HANN), 3000, 1, 44100),
    (resample, (8000, 44100, *HANN), 300, 1, 8000),
    (resample, (48000, 22050, *KAISER), 2000, 1, 48000),
    (resample, (16000, 15999, *HANN), 500, 1, 16000),
    (resample, (16000, 24000, "SINC_INTERP_KAISER", 16, 0.85, 8.5), 700, 1, 16000),
    (resample, (16000, 48000, *HANN), 1, 1, 16000),
    (spectrogram, (400, 400, 200, "HANN", 2, "NONE", True, "REFLECT"), 2000, 2, 16000),
    (spectrogram, (512, 512, 128, "HANN", 2, "NONE", True, "REFLECT"), 1500, 1, 16000),
    (spectrogram, (256, 200, 50, "HAMMING", 1, "WINDOW", True, "REPLICATE"), 900, 1, 16000),
    (spectrogram, (101, 101, 50, "HANN", 2, "NONE", False, "REFLECT"), 1000, 1, 16000),
    (spectrogram, (350, 350, 100, "BLACKMAN", 3, "FRAME_LENGTH", True, "CONSTANT"), 1000, 1, 16000),
    (spectrogram, (243, 243, 81, "RECTANGULAR", 2, "NONE", True, "REFLECT"), 1000, 1, 16000),
    (spectrogram, (154, 33, 16, "HANN", 0.5, "NONE", True, "REFLECT"), 200, 1, 16000),
    (spectrogram, (16, 16, 4, "HANN", 2, "NONE", False, "REFLECT"), 700, 1, 16000),
    (mel, (16000, 400, 200, 128, 0.0, None, "NONE", "HTK"), 2000, 2, 16000),
    (mel, (22050, 1024, 256, 80, 20.0, 7600.0, "SLANEY", "SLANEY"), 3000, 1, 22050),
    (mel, (16000, 400, 160, 64, 0.0, None, "SLANEY", "HTK"), 1500, 1, 16000),
    (mel, (44100, 2048, 512, 40, 0.0, 20000.0, "NONE", "SLANEY"), 5000, 1, 44100),
    (decibels, ("POWER", None), 1000, 1, 16000),
    (decibels, ("POWER", 30.0), 1000, 2, 16000),
    (decibels, ("MAGNITUDE", 80.0), 1000, 1, 16000),
    (mfcc, (16000, 40, 128, "ORTHO", False), 3000, 2, 16000),
    (mfcc, (16000, 13, 40, "NONE", True), 2000, 1, 16000),
    (gain, (1.9,), 300, 1, 16000),
    (decibel_gain, (-6.5,), 300, 1, 16000),
    (mono, (), 300, 3, 16000),
]

with open(f"{HERE}/torchaudio_transforms.txt", "w") as lines, open(f"{HERE}/torchaudio_transforms.bin", "wb") as values:
    for make, arguments, samples, channels, rate in CASES:
        result = make(*arguments)(sound(samples, channels, rate))
        shape = ",".join(map(str, result.shape))
        lines.write(f"{make.__name__} {' '.join(map(str, arguments))} {samples} {channels} {rate} {shape}\n")
        values.write(result.contiguous().numpy().astype("<f4").tobytes())
    for seed in range(20):
        for name, axis, param, p in [("frequency", 1, 27, 1.0), ("time", 2, 100, 1.0), ("time", 2, 100, 0.3)]:
            torch.manual_seed(seed)
            masked = F.mask_along_axis(torch.ones(1, 128, 150), param, 0.0, axis, p)[0]
            zero = (masked[0] if axis == 2 else masked[:, 0]) == 0
            first = int(zero.nonzero()[0]) if zero.any() else 0
            lines.write(f"{name} {param} {p} {seed} {first} {int(zero.sum())}\n")
