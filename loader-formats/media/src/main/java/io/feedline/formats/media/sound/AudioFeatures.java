package io.feedline.formats.media.sound;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import java.nio.ByteBuffer;
import java.nio.FloatBuffer;

/**
 * Features of a sound over time that are still to be computed: FLOAT32 values of shape (channels,
 * bins, frames), such as a spectrogram's.
 *
 * <p>They are a recipe, as their {@link Waveform} is: {@link #writeTo} reads the sound, and writes
 * the values into the row of a batch. Immutable and thread-safe.
 */
public final class AudioFeatures implements TensorSource {

  /** A function that writes all features to a buffer from index 0, in the order of the shape. */
  @FunctionalInterface
  interface Values {
    void write(FloatBuffer out) throws Exception;
  }

  private final Values values;
  private final int channels;
  private final int bins;
  private final int frames;
  private final int sampleRate;

  AudioFeatures(Values values, int channels, int bins, int frames, int sampleRate) {
    this.values = values;
    this.channels = channels;
    this.bins = bins;
    this.frames = frames;
    this.sampleRate = sampleRate;
    SampleSources.floats(channels, (long) bins * frames);
  }

  /** Returns the number of channels, 1 or more. */
  public int channels() {
    return channels;
  }

  /** Returns the number of frequencies, mel bands or coefficients of a frame. */
  public int bins() {
    return bins;
  }

  /** Returns the number of frames. */
  public int frames() {
    return frames;
  }

  /** Returns the sample rate of the sound, in Hz. */
  public int sampleRate() {
    return sampleRate;
  }

  Values values() {
    return values;
  }

  int elements() {
    return channels * bins * frames;
  }

  AudioFeatures with(Values changed) {
    return new AudioFeatures(changed, channels, bins, frames, sampleRate);
  }

  @Override
  public DType dtype() {
    return DType.FLOAT32;
  }

  /** {@inheritDoc} The shape is (channels, bins, frames). */
  @Override
  public Shape shape() {
    return Shape.of(channels, bins, frames);
  }

  @Override
  public void writeTo(ByteBuffer target) throws Exception {
    values.write(target.asFloatBuffer());
  }

  /**
   * Computes the features.
   *
   * @return a new tensor of shape (channels, bins, frames) in heap memory
   * @throws Exception if the sound cannot be read
   */
  public Tensor toTensor() throws Exception {
    return Waveform.written(this);
  }

  @Override
  public String toString() {
    return "AudioFeatures(%d channels, %d bins, %d frames, %d Hz)"
        .formatted(channels, bins, frames, sampleRate);
  }
}
