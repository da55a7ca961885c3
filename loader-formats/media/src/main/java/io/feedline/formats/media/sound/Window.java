package io.feedline.formats.media.sound;

/** The periodic window by which a frame's samples are multiplied; PyTorch's names. */
public enum Window {
  /** {@code torch.hann_window}, the default. */
  HANN(0.5, 0.5, 0),
  /** {@code torch.hamming_window}. */
  HAMMING(0.54, 0.46, 0),
  /** {@code torch.blackman_window}. */
  BLACKMAN(0.42, 0.5, 0.08),
  /** {@code torch.ones}: the samples as they are. */
  RECTANGULAR(1, 0, 0);

  private final double a0;
  private final double a1;
  private final double a2;

  Window(double a0, double a1, double a2) {
    this.a0 = a0;
    this.a1 = a1;
    this.a2 = a2;
  }

  float[] factors(int length) {
    float[] factors = new float[length];
    for (int i = 0; i < length; i++) {
      double turn = 2 * Math.PI * i / length;
      factors[i] = (float) (a0 - a1 * Math.cos(turn) + a2 * Math.cos(2 * turn));
    }
    return factors;
  }
}
