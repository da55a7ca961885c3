#!/usr/bin/env python3
"""Makes mutants.zip: damage to the pictures of pictures.zip, and what libjpeg-turbo makes of it.

    python3 make_mutants.py [cases] [seed]          (djpeg of libjpeg-turbo 2.1.5, on a processor with SSE2 or AVX2)

mutants.csv holds for each mutant: the picture's name, the bytes that are changed (offset=value, separated by spaces),
and the CRC-32 of the pixels of `djpeg -rgb -ppm`, or "refused" where it ends with an error.
Most mutants have extreme quantisers, which is where 16 bits do not suffice. The script is deterministic.
"""
import os
import random
import subprocess
import sys
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
choice = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 20260401)

with zipfile.ZipFile(os.path.join(HERE, "pictures.zip")) as pictures:
    sound = {name: pictures.read(name) for name in pictures.namelist() if name.startswith("sound/")}
# What lies outside of the segments, or behind the end, is judged otherwise by each reader.
names = sorted(name for name in sound if not any(word in name for word in ("garbage", "end", "trailing", "standalone")))


def segments(data):
    """(marker, begin, end) of the content of each segment up to the scan header."""
    at = 2
    while True:
        while data[at + 1] == 0xFF:
            at += 1
        marker, end = data[at + 1], at + 2 + (data[at + 2] << 8 | data[at + 3])
        yield marker, at + 4, end
        at = end
        if marker == 0xDA:
            return


def truth(data):
    done = subprocess.run(["djpeg", "-rgb", "-ppm"], input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    if done.returncode == 1:
        return "refused"
    return "%08x" % zlib.crc32(done.stdout.split(b"\n", 3)[3])


def changes(data):
    parts = list(segments(data))
    scan = parts[-1][2]
    quantisers = [at for marker, begin, end in parts if marker == 0xDB for at in range(begin, end) if (at - begin) % 65]
    codes = [at for marker, begin, end in parts if marker == 0xC4 for at in range(begin, end)]
    kind = choice.randrange(8)
    if kind == 0:
        return {choice.choice(quantisers): 255}
    if kind == 1:
        return {choice.choice(quantisers): choice.randrange(256) for _ in range(choice.randrange(1, 5))}
    if kind == 2:
        return {at: 255 for at in quantisers if choice.random() < 0.1}
    if kind == 3:
        return {choice.choice(codes): choice.randrange(256)}
    if kind == 4:
        return {choice.randrange(2, scan): choice.randrange(256)}
    if kind == 5:
        at = choice.randrange(2, scan)
        return {at: data[at] ^ 1 << choice.randrange(8)}
    at = choice.randrange(scan, len(data) - 2)
    damage = {at: data[at] ^ 1 << choice.randrange(8)}
    if kind == 7:
        damage[choice.choice(quantisers)] = choice.choice([128, 200, 255])
    return damage


lines = []
while len(lines) < CASES:
    name = choice.choice(names)
    damage = changes(sound[name])
    mutant = bytearray(sound[name])
    for at, value in damage.items():
        mutant[at] = value
    frame = next((begin for marker, begin, _ in segments(sound[name]) if marker in (0xC0, 0xC1)))
    height, width = mutant[frame + 1] << 8 | mutant[frame + 2], mutant[frame + 3] << 8 | mutant[frame + 4]
    if damage and width * height <= 1 << 20:
        cells = " ".join("%d=%d" % change for change in sorted(damage.items()))
        lines.append("%s,%s,%s" % (name, cells, truth(bytes(mutant))))

with zipfile.ZipFile(os.path.join(HERE, "mutants.zip"), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as zip:
    content = ("\n".join(lines) + "\n").encode()
    zip.writestr(zipfile.ZipInfo("mutants.csv", (1980, 1, 1, 0, 0, 0)), content, zipfile.ZIP_DEFLATED)
print(len(lines), "mutants,", sum(line.endswith("refused") for line in lines), "refused")
