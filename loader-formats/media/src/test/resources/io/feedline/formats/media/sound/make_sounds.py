"""Makes sound files by FFmpeg, and sounds.csv with what FFmpeg decodes of them (Debian: apt-get install ffmpeg).

    /usr/bin/python3 make_sounds.py

A line of the table is a file, its rate, channels and samples, and every 499th value of the samples, channel after channel.
"""
import math
import os
import subprocess

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def sound(seconds, channels, rate):
    """A tone that rises, louder and softer, another for each channel, with a little noise."""
    t = np.arange(int(seconds * rate)) / rate
    noise = np.random.default_rng(7).standard_normal((channels, len(t)))
    tones = [np.sin(2 * math.pi * (220 + 60 * c + 300 * t) * t) * (0.3 + 0.2 * np.sin(9 * t)) for c in range(channels)]
    return (np.stack(tones) + 0.01 * noise).astype("<f4")


def ffmpeg(arguments, data=None):
    command = ["ffmpeg", "-v", "error", "-y", *arguments]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


SOUND = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
FILES = [
    ("pcm16.wav", 22050, 2, 0.5, ["-c:a", "pcm_s16le"]),
    ("pcm24.wav", 8000, 1, 0.5, ["-c:a", "pcm_s24le"]),
    ("pcm8.wav", 8000, 1, 0.5, ["-c:a", "pcm_u8"]),
    ("float.wav", 8000, 2, 0.3, ["-c:a", "pcm_f32le"]),
    ("double.wav", 8000, 1, 0.2, ["-c:a", "pcm_f64le"]),
    ("big.aiff", 8000, 2, 0.3, ["-c:a", "pcm_s16be"]),
    ("sixteen.flac", 16000, 2, 2.5, ["-c:a", "flac", "-sample_fmt", "s16"]),
    ("twentyfour.flac", 8000, 1, 0.5, ["-c:a", "flac", "-sample_fmt", "s32"]),
    ("constant.mp3", 22050, 1, 4.1, ["-c:a", "libmp3lame", "-b:a", "24k"]),
    ("variable.mp3", 44100, 2, 1.3, ["-c:a", "libmp3lame", "-q:a", "6"]),
    ("headless.mp3", 22050, 1, 1.1, ["-c:a", "libmp3lame", "-b:a", "24k", "-write_xing", "0", "-id3v2_version", "0"]),
    ("vorbis.ogg", 22050, 2, 4.0, ["-c:a", "libvorbis", "-q:a", "0"]),
    ("flac.oga", 8000, 1, 2.0, ["-c:a", "flac", "-sample_fmt", "s16"]),
    ("opus.ogg", 48000, 1, 2.0, ["-c:a", "libopus", "-b:a", "24k"]),
    ("aac.m4a", 22050, 1, 4.0, ["-c:a", "aac", "-b:a", "32k"]),
    ("adts.aac", 22050, 1, 3.0, ["-c:a", "aac", "-b:a", "32k"]),
    ("aac.ts", 22050, 1, 3.0, ["-c:a", "aac", "-b:a", "32k"]),
    ("opus.webm", 48000, 1, 2.0, ["-c:a", "libopus", "-b:a", "24k"]),
    ("vorbis.mkv", 22050, 1, 2.0, ["-c:a", "libvorbis", "-q:a", "0"]),
]

with open(f"{HERE}/sounds.csv", "w") as table:
    for name, rate, channels, seconds, arguments in FILES:
        raw = ["-f", "f32le", "-ar", str(rate), "-ac", str(channels), "-i", "-"]
        ffmpeg([*raw, *SOUND, *arguments, f"{HERE}/{name}"], sound(seconds, channels, rate).T.tobytes())
    video = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=10:duration=2", "-pix_fmt", "yuv420p", "-c:v", "libx264"]
    raw = ["-f", "f32le", "-ar", "22050", "-ac", "1", "-i", "-"]
    ffmpeg([*raw, *video, *SOUND, "-c:a", "aac", "-b:a", "32k", f"{HERE}/film.mp4"], sound(2, 1, 22050).tobytes())
    for name, rate, channels in [file[:3] for file in FILES] + [("film.mp4", 22050, 1)]:
        decoded = ffmpeg(["-i", f"{HERE}/{name}", "-vn", "-f", "f32le", "-"])
        values = np.frombuffer(decoded, "<f4").reshape(-1, channels).T
        shown = " ".join(f"{value:.6f}" for value in values.reshape(-1)[::499])
        table.write(f"{name},{rate},{channels},{values.shape[1]},{shown}\n")
