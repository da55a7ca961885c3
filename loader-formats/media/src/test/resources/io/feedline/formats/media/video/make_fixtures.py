"""Makes the videos beside it, and the times and checksums of their frames as PyAV decodes them.

    apt-get install ffmpeg           (5.1)
    pip install av                   (18.1, which has FFmpeg 8)
    python make_fixtures.py

Each line of frames.csv is of a frame in the order of showing: file, number, time in ticks of the
stream, seconds, CRC-32 of its pixels as rgb24, which PyAV converts by swscale.
"""

import gzip
import pathlib
import subprocess
import zlib

import av

HERE = pathlib.Path(__file__).parent
# The hue turns, so that each frame differs from the one before.
MOVING = ["-f", "lavfi", "-i", "testsrc2=size=64x48:rate=25:duration=2,hue=h=t*180"]


def ffmpeg(*arguments):
    command = ["ffmpeg", "-v", "error", "-y", *arguments]
    subprocess.run(command, check=True, cwd=HERE)


def x264(name, parameters, *more, source=MOVING, pixels="yuv420p"):
    ffmpeg(*source, *more, "-c:v", "libx264", "-x264-params", parameters, "-pix_fmt", pixels,
           "-fflags", "+bitexact", "-flags:v", "+bitexact", name)


def make():
    x264("bframes.mp4", "keyint=12:min-keyint=12:scenecut=0:bframes=3:b-pyramid=normal")
    x264("opengop.mp4", "keyint=10:min-keyint=10:scenecut=0:bframes=3:open-gop=1")
    x264("intra.mp4", "keyint=1")
    x264("late.ts", "keyint=12:scenecut=0:bframes=2")
    x264("offset.mkv", "keyint=12:scenecut=0:bframes=2", "-output_ts_offset", "5")
    # Every fifth frame is missing, and the frames of the second half are shown twice as long.
    x264("variable.mp4", "keyint=12:scenecut=0:bframes=2", "-vf",
         "select='mod(n,5)',setpts='if(lt(T,1),PTS,2*PTS-1/TB)'", "-fps_mode", "vfr")
    # Cut between key frames without encoding: an edit list hides what lies before.
    ffmpeg("-ss", "0.7", "-i", "bframes.mp4", "-c", "copy", "edited.mp4")
    ffmpeg("-i", "bframes.mp4", "-c", "copy", "-metadata:s:v", "rotate=90", "turned.mp4")
    x264("odd.mkv", "keyint=12", source=["-f", "lavfi", "-i", "testsrc2=size=63x47:rate=25:duration=0.5,hue=h=t*180"],
         pixels="yuv444p")
    x264("deep.mkv", "keyint=12", "-frames:v", "13", pixels="yuv420p10le")
    x264("bt709.mp4", "keyint=12:colormatrix=bt709:colorprim=bt709:transfer=bt709", "-frames:v", "13",
         "-colorspace", "bt709")
    ffmpeg(*MOVING, "-frames:v", "30", "-c:v", "libx265", "-x265-params",
           "keyint=10:min-keyint=10:scenecut=0:bframes=3:open-gop=1:log-level=none", "opengop.mkv")
    ffmpeg(*MOVING, "-c:v", "mpeg4", "-bf", "2", "-g", "12", "-b:v", "200k", "xvid.avi")
    ffmpeg(*MOVING, "-frames:v", "30", "-c:v", "mpeg2video", "-bf", "2", "-g", "12", "-b:v", "200k", "mpeg2.mpg")
    # Fields: the lines of an image belong to two times.
    ffmpeg(*MOVING, "-frames:v", "16", "-c:v", "mpeg2video", "-flags", "+ildct+ilme", "-g", "12", "-b:v", "200k", "fields.mpg")
    # Two passes, so that some packets are invisible.
    for number in ("1", "2"):
        ffmpeg(*MOVING, "-c:v", "libvpx", "-auto-alt-ref", "1", "-lag-in-frames", "16", "-g", "25", "-b:v", "60k",
               "-pass", number, "hidden.webm")
    (HERE / "ffmpeg2pass-0.log").unlink()
    ffmpeg(*MOVING, "-frames:v", "30", "-c:v", "libvpx-vp9", "-g", "12", "-b:v", "60k", "vp9.webm")
    ffmpeg(*MOVING, "-frames:v", "13", "-c:v", "libaom-av1", "-cpu-used", "8", "-b:v", "60k", "av1.mp4")
    ffmpeg(*MOVING, "-frames:v", "5", "-c:v", "mjpeg", "-q:v", "8", "-pix_fmt", "yuvj420p", "motion.avi")
    # Long, but not in this repository: plain colors, uncompressed, 6.9 MB.
    ffmpeg("-f", "lavfi", "-i", "color=c=red:size=320x240:rate=25:duration=2.4,hue=h=t*90", "-c:v", "rawvideo",
           "-pix_fmt", "yuv420p", "-fflags", "+bitexact", "long.avi")
    long = HERE / "long.avi"
    (HERE / "long.avi.gz").write_bytes(gzip.compress(long.read_bytes(), mtime=0))
    long.unlink()
    ffmpeg("-f", "lavfi", "-i", "sine=frequency=440:duration=0.5", "sound.wav")


def rgb(frame):
    plane = frame.reformat(format="rgb24").planes[0]
    rows = memoryview(plane)
    return b"".join(
        rows[y * plane.line_size : y * plane.line_size + 3 * frame.width] for y in range(frame.height)
    )


def frames():
    for path in sorted(HERE.iterdir()):
        if path.suffix in (".py", ".csv", ".gz", ".wav"):
            continue
        with av.open(str(path)) as container:
            decoded = list(container.decode(video=0))
        for number, frame in enumerate(decoded):
            seconds = "" if frame.pts is None else f"{frame.time:.6f}"
            yield f"{path.name},{number},{frame.pts},{seconds},{zlib.crc32(rgb(frame)):08x}"


if __name__ == "__main__":
    make()
    (HERE / "frames.csv").write_text("\n".join(frames()) + "\n")
