package io.feedline.formats.media.sound;

import java.nio.FloatBuffer;

/** The sources of samples that are not files: samples in memory, and simple changes of sources. */
final class SampleSources {
  private SampleSources() {}

  /** Returns the length of an array that holds {@code samples} samples of each channel. */
  static int floats(int channels, long samples) {
    long floats = channels * samples;
    if (floats > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d channels of %d samples are too long for memory; cut a part of the sound"
              .formatted(channels, samples));
    }
    return (int) floats;
  }

  record OfArrays(float[][] arrays) implements SampleSource {
    OfArrays {
      if (arrays.length == 0) {
        throw new IllegalArgumentException("a waveform has 1 channel or more, found 0");
      }
      for (float[] channel : arrays) {
        if (channel.length != arrays[0].length) {
          throw new IllegalArgumentException(
              "channels must have one length, found %d and %d samples"
                  .formatted(arrays[0].length, channel.length));
        }
      }
    }

    @Override
    public int channels() {
      return arrays.length;
    }

    @Override
    public long samples() {
      return arrays[0].length;
    }

    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) {
      for (int c = 0; c < arrays.length; c++) {
        out.put(at + c * stride, arrays[c], (int) from, count);
      }
    }
  }

  record Cropped(SampleSource source, long first, long samples) implements SampleSource.Changed {
    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception {
      source.read(first + from, count, out, at, stride);
    }
  }

  /** A source with zeros in front of its samples and after its samples. */
  record Padded(SampleSource source, long before, long behind) implements SampleSource.Changed {
    private static final float[] ZEROS = new float[Scratch.BLOCK];

    @Override
    public long samples() {
      return Math.addExact(Math.addExact(before, source.samples()), behind);
    }

    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception {
      long first = Math.min(Math.max(from, before), from + count);
      long end = Math.max(first, Math.min(from + count, before + source.samples()));
      int ahead = (int) (first - from);
      int inside = (int) (end - first);
      if (inside > 0) {
        source.read(first - before, inside, out, at + ahead, stride);
      }
      for (int c = 0; c < channels(); c++) {
        zero(out, at + c * stride, ahead);
        zero(out, at + c * stride + ahead + inside, count - ahead - inside);
      }
    }

    static void zero(FloatBuffer out, int at, int count) {
      for (int done = 0; done < count; done += ZEROS.length) {
        out.put(at + done, ZEROS, 0, Math.min(ZEROS.length, count - done));
      }
    }
  }

  record Mono(SampleSource source) implements SampleSource.Changed {
    @Override
    public int channels() {
      return 1;
    }

    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception {
      int channels = source.channels();
      float[] all = Scratch.take(floats(channels, count));
      Waveform.read(source, from, count, all);
      for (int c = 1; c < channels; c++) {
        add(all, c * count, count);
      }
      divide(all, count, channels);
      out.put(at, all, 0, count);
      Scratch.give(all);
    }

    private static void add(float[] samples, int from, int count) {
      for (int i = 0; i < count; i++) {
        samples[i] += samples[from + i];
      }
    }

    private static void divide(float[] samples, int count, float divisor) {
      for (int i = 0; i < count; i++) {
        samples[i] /= divisor;
      }
    }
  }

  /** A source whose samples are multiplied by a factor and limited to [-1, 1]. */
  record Scaled(SampleSource source, float factor) implements SampleSource.Changed {
    @Override
    public void read(long from, int count, FloatBuffer out, int at, int stride) throws Exception {
      source.read(from, count, out, at, stride);
      for (int c = 0; c < channels(); c++) {
        Scratch.change(out, at + c * stride, count, this::scale);
      }
    }

    private void scale(float[] samples, int count) {
      for (int i = 0; i < count; i++) {
        samples[i] = Math.max(-1, Math.min(1, samples[i] * factor));
      }
    }
  }
}
