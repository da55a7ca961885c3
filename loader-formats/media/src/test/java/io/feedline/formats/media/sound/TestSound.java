package io.feedline.formats.media.sound;

/** The sound that the scripts of this package's fixtures compute too. */
final class TestSound {
  private TestSound() {}

  /** Returns a tone that rises, with noise and, in its middle, silence. */
  static Waveform of(int samples, int channels, int rate) {
    float[][] values = new float[channels][samples];
    long state = 12345;
    for (int c = 0; c < channels; c++) {
      for (int i = 0; i < samples; i++) {
        state = (state * 1103515245 + 12345) % (1L << 31);
        double noise = state / (double) (1L << 31) - 0.5;
        double tone = Math.sin(2 * Math.PI * (200 + 100 * c + i / 8.0) * i / rate);
        boolean isSilent = samples / 3 < i && i < samples / 2;
        values[c][i] = isSilent ? 0 : (float) (0.5 * tone + 0.3 * noise);
      }
    }
    return Waveform.of(values, rate);
  }
}
