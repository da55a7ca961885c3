package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image.Pixels;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.Region;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GeometryTest {

  private static final int RECIPES = 400;

  @Test
  void shouldEqualDoingOneStepAfterTheOther() throws Exception {
    for (int seed = 0; seed < RECIPES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Image folded = TestImage.image(random.nextInt(1, 60), random.nextInt(1, 60));
      Image stepwise = folded;
      int steps = random.nextInt(1, 6);
      for (int i = 0; i < steps; i++) {
        UnaryOperator<Image> step = anyStep(folded.width(), folded.height(), random);
        folded = step.apply(folded);
        stepwise = step.apply(stepwise).pixels().toImage();
      }

      assertThat(folded.pixels().rgb())
          .as("seed %d: %s", seed, folded)
          .isEqualTo(stepwise.pixels().rgb());
    }
  }

  private static UnaryOperator<Image> anyStep(int width, int height, SplittableRandom random) {
    int w = random.nextInt(1, 50);
    int h = random.nextInt(1, 50);
    return switch (random.nextInt(6)) {
      case 0 -> Image::flipHorizontal;
      case 1 -> {
        Interpolation[] filters = Interpolation.values();
        Interpolation filter = filters[random.nextInt(filters.length)];
        yield image -> image.resize(w, h, filter);
      }
      case 2 -> image -> image.resize(w, h, Interpolation.BILINEAR, false);
      case 3 -> {
        Region somewhere = new Region(random.nextInt(-9, 60), random.nextInt(-9, 60), w, h);
        yield image -> image.crop(somewhere);
      }
      default -> {
        Region inside = within(width, height, random);
        yield image -> image.crop(inside);
      }
    };
  }

  private static Region within(int width, int height, SplittableRandom random) {
    int w = random.nextInt(1, width + 1);
    int h = random.nextInt(1, height + 1);
    return new Region(random.nextInt(width - w + 1), random.nextInt(height - h + 1), w, h);
  }

  @Test
  void shouldReadOnlyTheRowsThatATapTakes() throws Exception {
    CountingSource source = new CountingSource(50, 1000);

    source.image().resize(5, 100, Interpolation.BILINEAR, false).pixels();
    assertThat(source.rowsRead()).isEqualTo(200);

    source.image().resize(5, 100, Interpolation.BILINEAR).pixels();
    assertThat(source.rowsRead()).isEqualTo(200 + 1000);
  }

  @Test
  void shouldDecodeNothingForAPartThatLiesOutside() throws Exception {
    CountingSource source = new CountingSource(10, 10);

    Pixels pixels = source.image().crop(new Region(10, 0, 4, 2)).pixels();

    assertThat(pixels.rgb()).containsOnly(0);
    assertThat(source.decodes()).isZero();
  }

  @Test
  void shouldFoldTheUsualPipelinesIntoOnePass() {
    Geometry source = Geometry.of(new CountingSource(500, 400));

    Geometry train =
        source
            .crop(new Region(20, 30, 300, 200))
            .resize(224, 224, Interpolation.BILINEAR, true)
            .flip();
    Geometry validate =
        source.resize(320, 256, Interpolation.BILINEAR, true).crop(new Region(48, 16, 224, 224));

    assertThat(train.source()).isSameAs(source.source());
    assertThat(train.region()).isEqualTo(new Region(20, 30, 300, 200));
    assertThat(validate.source()).isSameAs(source.source());
    assertThat(validate.window()).isEqualTo(new Region(48, 16, 224, 224));
  }

  @Test
  void shouldMirrorACropThatFollowsAFlip() {
    Geometry flipped = Geometry.of(new CountingSource(10, 4)).flip();

    Geometry cropped = flipped.crop(new Region(1, 2, 3, 1));

    assertThat(cropped.window()).isEqualTo(new Region(6, 2, 3, 1));
    assertThat(cropped.flipped()).isTrue();
    assertThat(flipped.flip()).isEqualTo(Geometry.of(flipped.source()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Geometry.MAX_SIDE + 1, Integer.MAX_VALUE})
  void shouldRejectSidesOutOfRange(int side) {
    Geometry image = Geometry.of(new CountingSource(4, 4));

    assertThatThrownBy(() -> image.resize(side, 4, Interpolation.BOX, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(side + " x 4");
    assertThatThrownBy(() -> image.crop(new Region(0, 0, 4, side)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> image.crop(new Region(Integer.MIN_VALUE, 0, 4, 4)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(String.valueOf(Integer.MIN_VALUE));
  }
}
