package io.feedline.formats.media.sound;

import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_DBL;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_FLT;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_S16;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_S32;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_S64;
import static org.bytedeco.ffmpeg.global.avutil.AV_SAMPLE_FMT_U8;
import static org.bytedeco.ffmpeg.global.avutil.av_get_bytes_per_sample;
import static org.bytedeco.ffmpeg.global.avutil.av_get_packed_sample_fmt;
import static org.bytedeco.ffmpeg.global.avutil.av_sample_fmt_is_planar;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.ShortBuffer;
import org.bytedeco.ffmpeg.avutil.AVFrame;

/**
 * The form of a decoder's frames, and the conversion of their samples to floats. Integers of n bits
 * are divided by {@code 2^(n - 1)}, as FFmpeg and torchaudio do.
 *
 * @param format FFmpeg's sample format
 */
record AudioFrame(int rate, int channels, int format) {

  static AudioFrame of(AVFrame frame) {
    return new AudioFrame(frame.sample_rate(), frame.ch_layout().nb_channels(), frame.format());
  }

  /** Returns the bytes of one sample of all channels. */
  int bytes() {
    return channels * av_get_bytes_per_sample(format);
  }

  /** Copies samples from {@code first} on; writes channel c from {@code at + c * stride} on. */
  void copy(AVFrame frame, int first, int count, FloatBuffer out, int at, int stride) {
    boolean isPlanar = av_sample_fmt_is_planar(format) != 0;
    int sampleBytes = av_get_bytes_per_sample(format);
    int step = isPlanar ? 1 : channels;
    float[] values = Scratch.take(count);
    ByteBuffer samples = null;
    for (int c = 0; c < channels; c++) {
      if (isPlanar || c == 0) {
        samples =
            frame
                .extended_data(isPlanar ? c : 0)
                .capacity((long) (first + count) * step * sampleBytes)
                .position((long) first * step * sampleBytes)
                .asByteBuffer()
                .slice()
                .order(ByteOrder.nativeOrder());
      }
      convert(samples, isPlanar ? 0 : c, step, count, values);
      out.put(at + c * stride, values, 0, count);
    }
    Scratch.give(values);
  }

  private void convert(ByteBuffer samples, int from, int step, int count, float[] values) {
    int packed = av_get_packed_sample_fmt(format);
    if (packed == AV_SAMPLE_FMT_FLT) {
      FloatBuffer floats = samples.asFloatBuffer();
      if (step == 1) {
        floats.get(values, 0, count);
        return;
      }
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = floats.get(at);
      }
    } else if (packed == AV_SAMPLE_FMT_S16) {
      ShortBuffer shorts = samples.asShortBuffer();
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = shorts.get(at) * 0x1p-15f;
      }
    } else if (packed == AV_SAMPLE_FMT_S32) {
      IntBuffer ints = samples.asIntBuffer();
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = ints.get(at) * 0x1p-31f;
      }
    } else if (packed == AV_SAMPLE_FMT_U8) {
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = ((samples.get(at) & 0xFF) - 128) * 0x1p-7f;
      }
    } else if (packed == AV_SAMPLE_FMT_DBL) {
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = (float) samples.getDouble(8 * at);
      }
    } else if (packed == AV_SAMPLE_FMT_S64) {
      for (int i = 0, at = from; i < count; i++, at += step) {
        values[i] = samples.getLong(8 * at) * 0x1p-63f;
      }
    } else {
      throw new IllegalStateException("FFmpeg's sample format " + format + " is not supported");
    }
  }

  @Override
  public String toString() {
    return "%d channels at %d Hz".formatted(channels, rate);
  }
}
