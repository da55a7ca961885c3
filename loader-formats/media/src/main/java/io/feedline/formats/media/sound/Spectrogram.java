package io.feedline.formats.media.sound;

import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.nio.FloatBuffer;
import java.util.Objects;

/**
 * A transform that computes the spectrogram of a waveform: torchaudio's Spectrogram, with its
 * parameters and defaults. For n samples, the result has the shape (channels, nFft / 2 + 1, n /
 * hopLength + 1). Values differ from torchaudio's by at most 1e-5 of the largest value.
 *
 * <pre>{@code
 * Spectrogram.of(400)
 * Spectrogram.of(1024).withHopLength(256).withWindow(Window.HAMMING).withPower(1)
 * }</pre>
 *
 * <p>Any frame length works; products of 2, 3 and 5 are fast. Immutable and thread-safe.
 */
public final class Spectrogram extends Transforms.Value
    implements Transform<Waveform, AudioFeatures> {

  /** The values that continue a waveform beyond its ends, by PyTorch's names. */
  public enum PadMode {
    /** The samples in reverse, without the outermost sample; the default. */
    REFLECT,
    /** The outermost sample. */
    REPLICATE,
    /** Zeros. */
    CONSTANT
  }

  /** The divisor that normalizes magnitudes, by torchaudio's names. */
  public enum Normalization {
    /** No divisor, the default. */
    NONE,
    /** The root of the window's energy, torchaudio's {@code normalized=True}. */
    WINDOW,
    /** The root of the frame's length. */
    FRAME_LENGTH
  }

  private record Options(
      int nFft,
      int winLength,
      int hopLength,
      Window window,
      double power,
      Normalization normalization,
      boolean center,
      PadMode padMode) {
    private static final int LONGEST = 1 << 20;

    Options {
      Objects.requireNonNull(window, "window");
      Objects.requireNonNull(normalization, "normalization");
      Objects.requireNonNull(padMode, "padMode");
      require(nFft >= 1 && nFft <= LONGEST, "nFft must be 1 to " + LONGEST + ", was " + nFft);
      require(
          winLength >= 1 && winLength <= nFft,
          "winLength must be 1 to nFft, " + nFft + ", was " + winLength);
      require(hopLength >= 1, "hopLength must be 1 or more, was " + hopLength);
      require(power > 0 && power <= 100, "power must be above 0 and at most 100, was " + power);
    }

    private static void require(boolean condition, String message) {
      if (!condition) {
        throw new IllegalArgumentException(message);
      }
    }
  }

  private final Options options;
  private final Stft stft;

  private Spectrogram(Options options) {
    super(options);
    this.options = options;
    this.stft = new Stft(factors(options), options.hopLength);
  }

  /** Returns a factor for each sample of a frame: the centered window after normalization. */
  private static float[] factors(Options options) {
    float[] window = options.window.factors(options.winLength);
    double energy = 0;
    for (float factor : window) {
      energy += factor * factor;
    }
    double divisor =
        switch (options.normalization) {
          case NONE -> 1;
          case WINDOW -> Math.sqrt(energy);
          case FRAME_LENGTH -> Math.sqrt(options.nFft);
        };
    float[] frame = new float[options.nFft];
    int left = (options.nFft - options.winLength) / 2;
    for (int i = 0; i < window.length; i++) {
      frame[left + i] = (float) (window[i] / divisor);
    }
    return frame;
  }

  /** Returns the transform with torchaudio's defaults, frames of 400 samples. */
  public static Spectrogram of() {
    return of(400);
  }

  /**
   * Returns the transform with a Hann window of the frame's length, frames that overlap by half,
   * the power 2, and reflection at the ends.
   *
   * @param nFft the number of samples of a frame, 1 to 1048576
   * @throws IllegalArgumentException if the number is out of its range
   */
  public static Spectrogram of(int nFft) {
    int hop = Math.max(1, nFft / 2);
    return new Spectrogram(
        new Options(nFft, nFft, hop, Window.HANN, 2, Normalization.NONE, true, PadMode.REFLECT));
  }

  /**
   * Returns this transform with a shorter window, in the middle of the frame, and frames that
   * overlap by half of the window.
   *
   * @param winLength the number of samples of the window, 1 to nFft
   * @throws IllegalArgumentException if the number is out of its range
   */
  public Spectrogram withWinLength(int winLength) {
    Spectrogram same = with("winLength", winLength);
    return same.withHopLength(Math.max(1, winLength / 2));
  }

  /**
   * Returns this transform with another number of samples from one frame to the next.
   *
   * @throws IllegalArgumentException if the number is below 1
   */
  public Spectrogram withHopLength(int hopLength) {
    return with("hopLength", hopLength);
  }

  /** Returns this transform with another window; {@link Window#HANN} is the default. */
  public Spectrogram withWindow(Window window) {
    return with("window", window);
  }

  /**
   * Returns this transform with another power of the magnitudes; by default 2, their squares.
   *
   * @throws IllegalArgumentException if the power is not above 0 and at most 100
   */
  public Spectrogram withPower(double power) {
    return with("power", power);
  }

  /** Returns this transform with another divisor; {@link Normalization#NONE} is the default. */
  public Spectrogram withNormalization(Normalization normalization) {
    return with("normalization", normalization);
  }

  /**
   * Returns this transform with frames at other places.
   *
   * @param center true, the default: half a frame of padding on both sides puts the middle of frame
   *     i at sample {@code i * hopLength}; false: frame i begins at this sample
   */
  public Spectrogram withCenter(boolean center) {
    return with("center", center);
  }

  /** Returns this transform with other values beyond the ends of the waveform. */
  public Spectrogram withPadMode(PadMode padMode) {
    return with("padMode", padMode);
  }

  /** Returns the number of frequencies, nFft / 2 + 1. */
  public int bins() {
    return stft.bins();
  }

  /** Returns the number of samples from one frame to the next. */
  public int hopLength() {
    return options.hopLength;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalArgumentException if the waveform is too short to fill a frame or be reflected
   */
  @Override
  public AudioFeatures apply(Waveform waveform) {
    int frames = frames(waveform);
    return new AudioFeatures(
        out ->
            write(
                waveform,
                (channel, first, lanes, rows) -> {
                  for (int bin = 0; bin < bins(); bin++) {
                    out.put((channel * bins() + bin) * frames + first, rows[bin], 0, lanes);
                  }
                }),
        waveform.channels(),
        bins(),
        frames,
        waveform.sampleRate());
  }

  int frames(Waveform waveform) {
    long length = waveform.samples();
    int margin = margin();
    boolean isShort = length + 2L * margin < options.nFft;
    boolean isReflected = options.padMode == PadMode.REFLECT;
    if (isShort || (margin > 0 && (isReflected ? length <= margin : length == 0))) {
      throw new IllegalArgumentException(
          "a waveform of %d samples is too short for frames of %d%s; PadTo makes it longer"
              .formatted(
                  waveform.samples(),
                  options.nFft,
                  isReflected && margin > 0
                      ? ", whose reflection takes more than %d".formatted(margin)
                      : ""));
    }
    return stft.frames(length + 2L * margin);
  }

  private int margin() {
    return options.center ? options.nFft / 2 : 0;
  }

  @FunctionalInterface
  interface Receiver {
    /** Receives consecutive frames: a row for each frequency, with a lane for each frame. */
    void accept(int channel, int firstFrame, int frames, float[][] rows);
  }

  /** Computes all frames, and passes at most {@link Scratch#LANES} at a time to a receiver. */
  void write(Waveform waveform, Receiver receiver) throws Exception {
    int samples = (int) waveform.samples();
    int margin = margin();
    int length = SampleSources.floats(1, samples + 2L * margin);
    int frames = frames(waveform);
    float[] signal = Scratch.take(SampleSources.floats(waveform.channels(), length));
    waveform.source().read(0, samples, FloatBuffer.wrap(signal), margin, length);
    for (int c = 0; c < waveform.channels(); c++) {
      int channel = c;
      pad(signal, c * length, samples);
      stft.transform(
          signal,
          c * length,
          frames,
          (first, lanes, re, im) -> {
            for (int bin = 0; bin < bins(); bin++) {
              power(re[bin], im[bin], lanes);
            }
            receiver.accept(channel, first, lanes, re);
          });
    }
    Scratch.give(signal);
  }

  private void pad(float[] signal, int at, int samples) {
    int from = at + margin();
    for (int i = 1; i <= margin(); i++) {
      int end = from + samples - 1;
      signal[from - i] =
          switch (options.padMode) {
            case REFLECT -> signal[from + i];
            case REPLICATE -> signal[from];
            case CONSTANT -> 0;
          };
      signal[end + i] =
          switch (options.padMode) {
            case REFLECT -> signal[end - i];
            case REPLICATE -> signal[end];
            case CONSTANT -> 0;
          };
    }
  }

  private void power(float[] re, float[] im, int lanes) {
    square(re, im, lanes);
    if (options.power == 1) {
      root(re, lanes);
    } else if (options.power != 2) {
      for (int t = 0; t < lanes; t++) {
        re[t] = (float) Math.pow(re[t], options.power / 2);
      }
    }
  }

  private static void square(float[] re, float[] im, int lanes) {
    for (int t = 0; t < lanes; t++) {
      re[t] = re[t] * re[t] + im[t] * im[t];
    }
  }

  private static void root(float[] values, int lanes) {
    for (int t = 0; t < lanes; t++) {
      values[t] = (float) Math.sqrt(values[t]);
    }
  }

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
}
