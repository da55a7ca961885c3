package io.feedline.formats.media.sound;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.util.Objects;

/**
 * A sound that is still to be read: FLOAT32 samples, usually in [-1, 1], of shape (channels,
 * samples), with their sample rate. Like torchaudio's waveform tensor, but read only when needed.
 *
 * <p>A waveform is a recipe, as an {@code Image} is: its operations read nothing, and only
 * determine what {@link #writeTo} writes into the row of a batch. So a waveform of a file of an
 * hour, cut to two seconds, decodes two seconds, even if the cut comes after a resampling.
 *
 * <pre>{@code
 * Waveform speech = file.waveform().mono().crop(16_000, 32_000);
 * float[] samples = speech.toTensor().toFloatArray();
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 */
public final class Waveform implements TensorSource {

  private final SampleSource source;
  private final int sampleRate;

  Waveform(SampleSource source, int sampleRate) {
    if (sampleRate < 1) {
      throw new IllegalArgumentException("sampleRate must be 1 or more, was " + sampleRate);
    }
    this.source = source;
    this.sampleRate = sampleRate;
  }

  /**
   * Returns a waveform of samples in memory, which are not copied.
   *
   * @param channels 1 or more arrays of one length; the caller must not change them afterwards
   * @param sampleRate the sample rate in Hz, 1 or more
   * @throws IllegalArgumentException if there is no channel, lengths differ, or the rate is below 1
   */
  public static Waveform of(float[][] channels, int sampleRate) {
    return new Waveform(new SampleSources.OfArrays(channels), sampleRate);
  }

  /** Returns the sample rate, in Hz. */
  public int sampleRate() {
    return sampleRate;
  }

  /** Returns the number of channels, 1 or more. */
  public int channels() {
    return source.channels();
  }

  /** Returns the number of samples of each channel. */
  public long samples() {
    return source.samples();
  }

  /** Returns the duration in seconds. */
  public double seconds() {
    return (double) samples() / sampleRate;
  }

  SampleSource source() {
    return source;
  }

  Waveform with(SampleSource changed) {
    return new Waveform(changed, sampleRate);
  }

  /**
   * Returns a range of the samples.
   *
   * @param from the first sample
   * @param count the number of samples
   * @throws IndexOutOfBoundsException if the range is not within the samples
   */
  public Waveform crop(long from, long count) {
    Objects.checkFromIndexSize(from, count, samples());
    return from == 0 && count == samples()
        ? this
        : with(new SampleSources.Cropped(source, from, count));
  }

  /**
   * Returns this waveform with zeros added.
   *
   * @param before the number of zeros to add in front, 0 or more
   * @param behind the number of zeros to add at the end, 0 or more
   * @throws IllegalArgumentException if a number is negative
   */
  public Waveform pad(long before, long behind) {
    if (before < 0 || behind < 0) {
      throw new IllegalArgumentException(
          "padding must be 0 or more, was %d and %d".formatted(before, behind));
    }
    return before == 0 && behind == 0
        ? this
        : with(new SampleSources.Padded(source, before, behind));
  }

  /** Returns a waveform of one channel, the mean of all channels. */
  public Waveform mono() {
    return channels() == 1 ? this : with(new SampleSources.Mono(source));
  }

  @Override
  public DType dtype() {
    return DType.FLOAT32;
  }

  /** {@inheritDoc} The shape is (channels, samples). */
  @Override
  public Shape shape() {
    return Shape.of(channels(), samples());
  }

  @Override
  public void writeTo(ByteBuffer target) throws Exception {
    int samples = Math.toIntExact(samples());
    source.read(0, samples, target.asFloatBuffer(), 0, samples);
  }

  /**
   * Reads the samples.
   *
   * @return a new tensor of shape (channels, samples) in heap memory
   * @throws Exception if the samples cannot be read
   */
  public Tensor toTensor() throws Exception {
    return written(this);
  }

  static Tensor written(TensorSource source) throws Exception {
    Tensor tensor = Tensor.zeros(source.dtype(), source.shape());
    source.writeTo(tensor.bytes());
    return tensor;
  }

  /** Reads {@code count} samples of each channel, one channel after the other. */
  static void read(SampleSource source, long from, int count, float[] out) throws Exception {
    source.read(from, count, FloatBuffer.wrap(out), 0, count);
  }

  @Override
  public String toString() {
    return "Waveform(%d channels, %d samples, %d Hz)".formatted(channels(), samples(), sampleRate);
  }
}
