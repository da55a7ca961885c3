package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.image.pixel.Region;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CropTest {
  private static final Path FILE = Path.of("dir", "a cat.jpg");

  @ParameterizedTest
  @CsvSource({"423, 517", "500, 375", "1, 1", "1, 90", "90, 1", "2, 3", "5000, 200"})
  void shouldLieWithinTheImage(int width, int height) {
    RandomGenerator random = new SplittableRandom(1);
    for (int i = 0; i < 2000; i++) {
      Region region = Crop.draw(FILE, width, height, random).region();
      assertThat(region.width()).isBetween(1, width);
      assertThat(region.height()).isBetween(1, height);
      assertThat(region.x()).isBetween(0, width - region.width());
      assertThat(region.y()).isBetween(0, height - region.height());
    }
  }

  /** Over a large square nearly every first draw fits, so that the means are known. */
  @Test
  void shouldDrawAreasRatiosAndFlipsEvenly() {
    RandomGenerator random = new SplittableRandom(2);
    int count = 20_000;
    double area = 0;
    double logRatio = 0;
    int flips = 0;
    for (int i = 0; i < count; i++) {
      Crop crop = Crop.draw(FILE, 1000, 1000, random);
      Region region = crop.region();
      double part = region.width() * region.height() / 1e6;
      double ratio = (double) region.width() / region.height();
      assertThat(part).isBetween(0.079, 1.0);
      assertThat(ratio).isBetween(0.745, 1.342);
      area += part;
      logRatio += Math.log(ratio);
      flips += crop.flip() ? 1 : 0;
    }
    // Not (0.08 + 1) / 2: of ratio e^u only areas up to e^-|u| fit, the others are drawn again.
    assertThat(area / count).isCloseTo(0.478, within(0.008));
    assertThat(logRatio / count).isCloseTo(0, within(0.01));
    assertThat((double) flips / count).isCloseTo(0.5, within(0.02));
  }

  @Test
  void shouldTakeTheMiddleOfAStripThatHoldsNoCrop() {
    Region region = Crop.draw(FILE, 3000, 30, new SplittableRandom(3)).region();
    assertThat(region).isEqualTo(new Region(1480, 0, 40, 30));
  }

  @Test
  void shouldBeTheSameForTheSameSeed() {
    Crop crop = Crop.draw(FILE, 400, 300, new SplittableRandom(4));
    assertThat(Crop.draw(FILE, 400, 300, new SplittableRandom(4))).isEqualTo(crop);
    assertThat(Crop.draw(FILE, 400, 300, new SplittableRandom(5))).isNotEqualTo(crop);
  }

  @Test
  void shouldBeALineInEveryLocale() {
    Locale before = Locale.getDefault();
    try {
      Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
      assertThat(new Crop(FILE, new Region(1, 20, 1300, 4), true).toLine())
          .isEqualTo("1 20 1300 4 1 " + FILE);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldRefuseANameThatIsTwoLines() {
    Crop crop = new Crop(Path.of("a\nb.jpg"), new Region(0, 0, 1, 1), false);
    assertThatIllegalArgumentException().isThrownBy(crop::toLine).withMessageContaining("a\nb.jpg");
  }
}
