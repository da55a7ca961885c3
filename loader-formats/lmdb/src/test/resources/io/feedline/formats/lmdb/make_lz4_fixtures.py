"""Makes the *.lz4 fixtures with Python's lz4.frame (lz4 4.0.2, liblz4 1.9.4), beside this script.

    python3 make_lz4_fixtures.py

Each frame holds content(150000) unless its name says otherwise; Content.java makes the same bytes.
"""
import pathlib

import lz4.frame as lz4f


def content(size):
    """3000 pseudo-random bytes over and over, with a byte changed now and then: every block refers
    to the ones before it where it may."""
    state = 12345
    out = bytearray()
    for i in range(size):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        if i < 3000:
            out.append(state >> 16 & 0xFF)
        else:
            out.append(out[i - 3000] ^ (1 if state >> 16 & 0x3FF == 0 else 0))
    return bytes(out)


def noise(size):
    state = 99
    out = bytearray()
    for _ in range(size):
        state = (state * 1103515245 + 12345) & 0x7FFFFFFF
        out.append(state >> 16 & 0xFF)
    return bytes(out)


HERE = pathlib.Path(__file__).parent
DATA = content(150000)


def write(name, frame):
    (HERE / name).write_bytes(frame)


write("default.lz4", lz4f.compress(DATA))
write("independent.lz4", lz4f.compress(DATA, block_linked=False))
write("block_checksum.lz4", lz4f.compress(DATA, block_checksum=True))
write("content_checksum.lz4", lz4f.compress(DATA, content_checksum=True))
write("no_content_size.lz4", lz4f.compress(DATA, store_size=False))
write("everything.lz4", lz4f.compress(
    DATA, block_linked=True, block_checksum=True, content_checksum=True, compression_level=9))
write("max_256k.lz4", lz4f.compress(DATA, block_size=lz4f.BLOCKSIZE_MAX256KB))
write("max_4m.lz4", lz4f.compress(DATA, block_size=lz4f.BLOCKSIZE_MAX4MB))
# Does not compress: stored as it is. Holds noise(5000).
write("noise.lz4", lz4f.compress(noise(5000), content_checksum=True))
write("empty.lz4", lz4f.compress(b""))

# Small blocks that refer far back, as a stream with auto_flush makes them.
stream = lz4f.LZ4FrameCompressor(block_linked=True, auto_flush=True)
frame = stream.begin()
for start in range(0, len(DATA), 7001):
    frame += stream.compress(DATA[start:start + 7001])
write("stream.lz4", frame + stream.flush())

# Runs that overlap themselves: matches at offsets 1, 2, 3, 7. Holds the four runs, 20000 bytes each.
runs = b"a" * 20000 + b"ab" * 10000 + (b"abc" * 6667)[:20000] + (b"abcdefg" * 2858)[:20000]
write("runs.lz4", lz4f.compress(runs))
