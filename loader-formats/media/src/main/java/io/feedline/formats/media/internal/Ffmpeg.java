package io.feedline.formats.media.internal;

import static org.bytedeco.ffmpeg.global.avutil.AV_LOG_QUIET;
import static org.bytedeco.ffmpeg.global.avutil.av_log_set_level;
import static org.bytedeco.ffmpeg.global.avutil.av_strerror;

import java.nio.charset.StandardCharsets;
import org.bytedeco.ffmpeg.global.avcodec;
import org.bytedeco.ffmpeg.global.avformat;
import org.bytedeco.ffmpeg.global.avutil;
import org.bytedeco.javacpp.Loader;

/** FFmpeg's libraries: loads them once, and explains their error codes. */
public final class Ffmpeg {

  public static final long NO_TIME = avutil.AV_NOPTS_VALUE;

  private static final int MESSAGE_BYTES = 256;

  static {
    Loader.load(avutil.class);
    Loader.load(avcodec.class);
    Loader.load(avformat.class);
    // Failures become exceptions; messages about concealed damage are not printed.
    av_log_set_level(AV_LOG_QUIET);
  }

  private Ffmpeg() {}

  /**
   * Loads the libraries; the first call unpacks them into JavaCPP's cache.
   *
   * @throws UnsatisfiedLinkError if there are no libraries for this platform
   */
  public static void load() {
    // The initialization of the class has loaded the libraries.
  }

  static String message(int code) {
    byte[] text = new byte[MESSAGE_BYTES];
    av_strerror(code, text, text.length);
    int end = 0;
    while (end < text.length && text[end] != 0) {
      end++;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }
}
