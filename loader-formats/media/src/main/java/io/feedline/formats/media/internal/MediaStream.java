package io.feedline.formats.media.internal;

import static org.bytedeco.ffmpeg.global.avcodec.avcodec_get_name;
import static org.bytedeco.ffmpeg.global.avformat.AV_DISPOSITION_ATTACHED_PIC;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_AUDIO;
import static org.bytedeco.ffmpeg.global.avutil.AVMEDIA_TYPE_VIDEO;

import java.util.Locale;
import org.bytedeco.ffmpeg.avformat.AVStream;

/**
 * A stream of a container, as the container describes it. Times are in ticks of the stream.
 *
 * @param codec FFmpeg's name of the codec, such as {@code h264} or {@code flac}
 * @param tickSeconds the numerator of a tick's length in seconds
 * @param ticksPerSecond the denominator of a tick's length in seconds
 * @param duration the duration in ticks; {@link Ffmpeg#NO_TIME} if unknown
 */
public record MediaStream(
    int index, Kind kind, String codec, int tickSeconds, int ticksPerSecond, long duration) {

  public enum Kind {
    VIDEO,
    AUDIO,
    /** Subtitles, data, and cover pictures. */
    OTHER
  }

  static MediaStream of(AVStream stream) {
    int type = stream.codecpar().codec_type();
    Kind kind = Kind.OTHER;
    if (type == AVMEDIA_TYPE_AUDIO) {
      kind = Kind.AUDIO;
    } else if (type == AVMEDIA_TYPE_VIDEO
        && (stream.disposition() & AV_DISPOSITION_ATTACHED_PIC) == 0) {
      kind = Kind.VIDEO;
    }
    return new MediaStream(
        stream.index(),
        kind,
        avcodec_get_name(stream.codecpar().codec_id()).getString(),
        stream.time_base().num(),
        stream.time_base().den(),
        stream.duration());
  }

  public double seconds(long ticks) {
    return ticks * (double) tickSeconds / ticksPerSecond;
  }

  /** Returns a description for errors: {@code stream 0 (video, h264)}. */
  public String inWords() {
    return "stream %d (%s, %s)".formatted(index, kind.name().toLowerCase(Locale.ROOT), codec);
  }
}
