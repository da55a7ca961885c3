package io.feedline.formats.media.sound;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.formats.media.sound.Spectrogram.Window;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares transforms with torchaudio's; torchaudio_transforms.py made the files. */
class TorchaudioTest {
  /** The bound of the largest difference, as a part of the largest value. */
  private static final double BOUND = 1e-5;

  /** The bound of decibels: a logarithm enlarges the rounding of what is nearly silent. */
  private static final double BOUND_OF_LOGARITHMS = 1e-4;

  record Case(List<String> words, float[] expected) {
    @Override
    public String toString() {
      return String.join(" ", words);
    }
  }

  static List<Case> values() throws IOException {
    FloatBuffer all =
        ByteBuffer.wrap(resource("bin")).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer();
    List<Case> cases = new ArrayList<>();
    for (List<String> words : lines()) {
      if (words.get(words.size() - 1).contains(",")) {
        int count = 1;
        for (String axis : words.get(words.size() - 1).split(",", -1)) {
          count *= Integer.parseInt(axis);
        }
        float[] expected = new float[count];
        all.get(expected);
        cases.add(new Case(words, expected));
      }
    }
    return cases;
  }

  static List<List<String>> masks() throws IOException {
    return lines().stream().filter(words -> words.get(0).matches("frequency|time")).toList();
  }

  private static List<List<String>> lines() throws IOException {
    String text = new String(resource("txt"), StandardCharsets.UTF_8);
    return text.lines().map(line -> Arrays.asList(line.split(" +"))).toList();
  }

  private static byte[] resource(String ending) throws IOException {
    try (InputStream in =
        TorchaudioTest.class.getResourceAsStream("torchaudio_transforms." + ending)) {
      return in.readAllBytes();
    }
  }

  @ParameterizedTest
  @MethodSource("values")
  void shouldComputeTheValuesOfTorchaudio(Case given) throws Exception {
    List<String> words = given.words;
    int end = words.size() - 1;
    Waveform sound =
        TestSound.of(
            Integer.parseInt(words.get(end - 3)),
            Integer.parseInt(words.get(end - 2)),
            Integer.parseInt(words.get(end - 1)));

    Tensor result = written(transform(words).apply(sound));

    assertThat(result.shape().toString().replaceAll("[( )]", "")).isEqualTo(words.get(end));
    float[] actual = result.toFloatArray();
    double largest = 0;
    double apart = 0;
    for (int i = 0; i < actual.length; i++) {
      largest = Math.max(largest, Math.abs(given.expected[i]));
      apart = Math.max(apart, Math.abs(given.expected[i] - actual[i]));
    }
    assertThat(apart / largest)
        .isLessThan(words.get(0).equals("decibels") ? BOUND_OF_LOGARITHMS : BOUND);
  }

  private static Tensor written(TensorSource source) throws Exception {
    return Waveform.written(source);
  }

  private static Transform<Waveform, ? extends TensorSource> transform(List<String> w) {
    return switch (w.get(0)) {
      case "resample" ->
          w.get(3).equals("SINC_INTERP_HANN")
              ? Resample.to(integer(w, 2))
              : Resample.to(integer(w, 2)).withKaiser(integer(w, 4), number(w, 5), number(w, 6));
      case "spectrogram" ->
          Spectrogram.of(integer(w, 1))
              .withWinLength(integer(w, 2))
              .withHopLength(integer(w, 3))
              .withWindow(Window.valueOf(w.get(4)))
              .withPower(number(w, 5))
              .withNormalization(Spectrogram.Normalization.valueOf(w.get(6)))
              .withCenter(w.get(7).equals("True"))
              .withPadMode(Spectrogram.PadMode.valueOf(w.get(8)));
      case "mel" -> mel(w);
      case "decibels" -> {
        AmplitudeToDB.Scale scale = AmplitudeToDB.Scale.valueOf(w.get(1));
        AmplitudeToDB decibels = AmplitudeToDB.of(scale);
        int power = scale == AmplitudeToDB.Scale.POWER ? 2 : 1;
        yield Spectrogram.of(400)
            .withPower(power)
            .andThen(w.get(2).equals("None") ? decibels : decibels.withTopDb(number(w, 2)));
      }
      case "mfcc" ->
          MFCC.of(integer(w, 2), MelSpectrogram.of(Spectrogram.of(), integer(w, 3)))
              .withNorm(MFCC.Norm.valueOf(w.get(4)))
              .withLogMels(w.get(5).equals("True"));
      case "gain" -> Gain.of(number(w, 1));
      case "decibel_gain" -> Gain.ofDecibels(number(w, 1));
      case "mono" -> Mono.of();
      default -> throw new IllegalArgumentException(w.get(0));
    };
  }

  private static MelSpectrogram mel(List<String> w) {
    Spectrogram frequencies = Spectrogram.of(integer(w, 2)).withHopLength(integer(w, 3));
    MelSpectrogram mel =
        MelSpectrogram.of(frequencies, integer(w, 4))
            .withNorm(MelSpectrogram.Norm.valueOf(w.get(7)))
            .withMelScale(MelSpectrogram.MelScale.valueOf(w.get(8)));
    return w.get(6).equals("None") ? mel : mel.withRange(number(w, 5), number(w, 6));
  }

  private static int integer(List<String> words, int word) {
    return Integer.parseInt(words.get(word));
  }

  private static double number(List<String> words, int word) {
    return Double.parseDouble(words.get(word));
  }

  @ParameterizedTest
  @MethodSource("masks")
  void shouldMaskTheRangesOfTorchaudio(List<String> words) throws Exception {
    int param = integer(words, 1);
    double p = number(words, 2);
    TorchRandom random = TorchRandom.ofSeed(integer(words, 3));
    boolean isTime = words.get(0).equals("time");
    AudioFeatures ones =
        new AudioFeatures(
            out -> {
              for (int i = 0; i < out.limit(); i++) {
                out.put(i, 1);
              }
            },
            1,
            128,
            150,
            16_000);

    AudioFeatures masked =
        isTime
            ? new TimeMasking(param, 0, p).apply(ones, random)
            : FrequencyMasking.of(param).apply(ones, random);

    Tensor values = masked.toTensor();
    int first = integer(words, 4);
    int length = integer(words, 5);
    for (int bin = 0; bin < 128; bin++) {
      for (int frame = 0; frame < 150; frame++) {
        int along = isTime ? frame : bin;
        boolean isMasked = along >= first && along < first + length;
        assertThat(values.get(0, bin, frame)).isEqualTo(isMasked ? 0f : 1f);
      }
    }
  }
}
