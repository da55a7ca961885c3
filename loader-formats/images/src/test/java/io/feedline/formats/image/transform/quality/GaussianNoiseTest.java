package io.feedline.formats.image.transform.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.image.Golden;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.transform.SampleRandom;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GaussianNoiseTest {

  private static Image noisy(GaussianNoise noise, Image image) {
    return noise.apply(image, new SampleRandom(3, 0, 0, 0));
  }

  /** Mean and deviation of what torchvision adds to as many samples; torchvision_v2_rest.py. */
  @Test
  void shouldAddNoiseOfTorchvisionsDistribution() throws Exception {
    byte[] gray = new byte[3 * 300 * 300];
    Arrays.fill(gray, (byte) 128);
    int lines = 0;
    for (String[] line : Golden.lines("torchvision_v2_rest.txt")) {
      if (line[0].equals("noise")) {
        lines++;
        double mean = Double.parseDouble(line[1]);
        double sigma = Double.parseDouble(line[2]);
        byte[] noisy =
            noisy(GaussianNoise.of(mean, sigma), Image.ofRgb(gray, 300, 300)).pixels().rgb();
        double sum = 0;
        double squares = 0;
        for (byte sample : noisy) {
          double added = (sample & 0xFF) - 128;
          sum += added;
          squares += added * added;
        }
        double found = sum / gray.length;
        double error = 4 * sigma * 255 / Math.sqrt(gray.length) * 1.5 + 1e-9;
        assertThat(found).isEqualTo(Double.parseDouble(line[3]), within(error));
        assertThat(Math.sqrt(squares / gray.length - found * found))
            .isEqualTo(Double.parseDouble(line[4]), within(error));
      }
    }
    assertThat(lines).isEqualTo(4);
  }

  @Test
  void shouldGiveGrayPixelsOneNumberEachAndLeaveAlpha() throws Exception {
    byte[] gray = new byte[3 * 64 * 64];
    Arrays.fill(gray, (byte) 128);
    Image one = Image.ofRgb(gray, 64, 64).convert(ImageMode.GRAY);
    byte[] noisy = noisy(GaussianNoise.of(0, 0.1), one).pixels().rgb();
    double squares = 0;
    for (int i = 0; i < noisy.length; i++) {
      assertThat(noisy[i]).isEqualTo(noisy[i / 3 * 3]);
      squares += Math.pow((noisy[i] & 0xFF) - 128, 2);
    }
    assertThat(Math.sqrt(squares / noisy.length)).isEqualTo(25.15, within(1.5));
    Image alpha = TestImage.noise(ImageMode.RGBA, 16, 16);
    byte[] before = new byte[4 * 256 * 4];
    byte[] after = new byte[4 * 256 * 4];
    Golden.written(alpha).get(0, before);
    Golden.written(noisy(GaussianNoise.of(), alpha)).get(0, after);
    assertThat(Arrays.copyOfRange(after, 3 * 1024, 4096))
        .isEqualTo(Arrays.copyOfRange(before, 3 * 1024, 4096));
    assertThat(after).isNotEqualTo(before);
  }

  @Test
  void shouldClipNoiseOfAnySize() throws Exception {
    Image gray = Image.ofRgb(new byte[3 * 4], 2, 2);

    assertThat(noisy(GaussianNoise.of(1e8, 0), gray).pixels().rgb()).containsOnly(0xFF);
    assertThat(noisy(GaussianNoise.of(-1e8, 0), gray).pixels().rgb()).containsOnly(0);
  }
}
