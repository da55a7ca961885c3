package io.feedline.formats.media.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.media.sound.Spectrogram.Window;
import io.feedline.sampler.TorchRandom;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transforms;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WaveformTest {
  private static float[] values(Waveform waveform) throws Exception {
    return waveform.toTensor().toFloatArray();
  }

  @Test
  void shouldReadRangesOfAResampledSoundAsOfTheWhole() throws Exception {
    for (int rate : new int[] {8000, 22_050, 48_000, 15_999}) {
      Waveform sound = Resample.to(rate).apply(TestSound.of(3000, 2, 16_000)).pad(10, 20);
      int samples = (int) sound.samples();
      float[] whole = values(sound);
      for (int from : new int[] {0, 5, 700, samples - 400}) {
        float[] part = values(sound.crop(from, 400));
        for (int c = 0; c < 2; c++) {
          int at = c * samples + from;
          assertThat(Arrays.copyOfRange(part, 400 * c, 400 * (c + 1)))
              .isEqualTo(Arrays.copyOfRange(whole, at, at + 400));
        }
      }
    }
  }

  @Test
  void shouldPadAndTrim() throws Exception {
    Waveform sound = Waveform.of(new float[][] {{1, 2, 3}}, 8000);
    assertThat(values(PadTo.of(5).apply(sound))).containsExactly(1, 2, 3, 0, 0);
    assertThat(values(Trim.of(2).apply(sound))).containsExactly(1, 2);
    assertThat(PadTo.of(2).apply(sound)).isSameAs(sound);
    assertThat(Trim.of(9).apply(sound)).isSameAs(sound);
    assertThat(values(sound.pad(2, 2).crop(0, 1))).containsExactly(0);
    assertThat(values(sound.pad(2, 2).crop(6, 1))).containsExactly(0);
    assertThat(values(sound.pad(2, 2).crop(4, 2))).containsExactly(3, 0);
    assertThat(values(RandomTrim.of(5).apply(sound, new SampleRandom(1, 2, 3, 0))))
        .containsExactly(1, 2, 3, 0, 0);
  }

  /** torch.manual_seed(3); torch.randint(0, 2001, (1,)) is 748 */
  @Test
  void shouldDrawThePlaceOfPyTorch() throws Exception {
    Waveform sound = TestSound.of(3000, 1, 8000);
    float[] cut = values(RandomTrim.of(1000).apply(sound, TorchRandom.ofSeed(3)));
    assertThat(cut).isEqualTo(Arrays.copyOfRange(values(sound), PLACE, PLACE + 1000));
  }

  private static final int PLACE = 748;

  @Test
  void shouldBeEqualByOptionsAndPrintThem() {
    assertThat(MFCC.of(13)).isEqualTo(MFCC.of(13)).isNotEqualTo(MFCC.of(14));
    assertThat(Spectrogram.of(512))
        .isEqualTo(Spectrogram.of(512))
        .hasSameHashCodeAs(Spectrogram.of(512));
    assertThat(Spectrogram.of(512)).asString().startsWith("Spectrogram(nFft=512, winLength=512");
    assertThat(Resample.to(8000)).isEqualTo(Resample.to(8000)).isNotEqualTo(Resample.to(8001));
  }

  @Test
  void shouldBeWrittenAsJsonAndRead() {
    RandomTransform<Waveform, AudioFeatures> all =
        Resample.to(16_000)
            .withKaiser(64, 0.95, 14.5)
            .andThen(Mono.of())
            .andThen(Gain.of(0.5))
            .andThen(RandomTrim.of(4000))
            .andThen(Trim.of(3000))
            .andThen(PadTo.of(5000))
            .andThen(
                MelSpectrogram.of(Spectrogram.of(512).withWindow(Window.HAMMING), 40)
                    .withRange(20, 7600))
            .andThen(AmplitudeToDB.of().withTopDb(80))
            .andThen(FrequencyMasking.of(5))
            .andThen(new TimeMasking(9, -1, 0.5));
    assertThat(Transforms.<Waveform, AudioFeatures>fromJson(Transforms.toJson(all))).isEqualTo(all);
    MFCC mfcc = MFCC.of(13).withLogMels(true).withNorm(MFCC.Norm.NONE);
    assertThat(Transforms.<Waveform, AudioFeatures>pureFromJson(Transforms.toJson(mfcc)))
        .isEqualTo(mfcc);
  }

  @Test
  void shouldRefuseImpossibleOptions() {
    Waveform sound = TestSound.of(100, 1, 8000);
    refused(() -> Spectrogram.of(0), "nFft must be 1 to 1048576, was 0");
    refused(() -> Spectrogram.of(8).withWinLength(9), "winLength must be 1 to nFft, 8, was 9");
    refused(() -> Spectrogram.of().apply(sound), "a waveform of 100 samples is too short");
    refused(() -> Spectrogram.of(400).withCenter(false).apply(sound), "too short");
    refused(() -> MelSpectrogram.of(Spectrogram.of(16), 0), "nMels must be 1 to 65536, was 0");
    refused(() -> MelSpectrogram.of().withRange(20, 10), "fMin must be 0 or more and below fMax");
    refused(() -> MFCC.of(129), "nMfcc must be 1 to the number of mel bands, 128, was 129");
    refused(() -> Resample.to(0), "newRate must be 1 or more, was 0");
    refused(() -> AmplitudeToDB.of().withTopDb(-1), "topDb must be 0 or more, was -1");
    refused(() -> FrequencyMasking.of(-1), "freqMaskParam must be 0 or more, was -1");
    refused(() -> Gain.of(-1), "factor must be 0 or more and finite, was -1");
    refused(() -> Waveform.of(new float[0][], 1), "1 channel or more, found 0");
    refused(() -> Waveform.of(new float[][] {{1}, {}}, 1), "one length, found 1 and 0 samples");
    refused(
        () -> Resample.to(1_999_999_973).apply(TestSound.of(10, 1, 1_999_999_943)),
        "resampling from 1999999943 Hz to 1999999973 Hz needs");
    assertThatThrownBy(() -> sound.crop(90, 11)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  private static void refused(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String message) {
    assertThatThrownBy(call)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
