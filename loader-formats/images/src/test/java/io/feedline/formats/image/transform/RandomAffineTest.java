package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomAffineTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return RandomAffine.builder(20).translate(0.2, 0.1).scale(0.5, 2).shear(10).build();
  }

  @Test
  void shouldTellItsConfiguration() {
    RandomAffine affine =
        RandomAffine.builder(-20, 30)
            .translate(0.1, 0.2)
            .scale(0.5, 2)
            .shear(-1, 2, -3, 4)
            .interpolation(Interpolation.BILINEAR)
            .center(4, 5.5)
            .fill(1, 2, 3)
            .build();

    assertThat(affine.minDegrees()).isEqualTo(-20);
    assertThat(affine.maxDegrees()).isEqualTo(30);
    assertThat(affine.translateX()).isEqualTo(0.1);
    assertThat(affine.translateY()).isEqualTo(0.2);
    assertThat(affine.minScale()).isEqualTo(0.5);
    assertThat(affine.maxScale()).isEqualTo(2);
    assertThat(affine.minShearX()).isEqualTo(-1);
    assertThat(affine.maxShearX()).isEqualTo(2);
    assertThat(affine.minShearY()).isEqualTo(-3);
    assertThat(affine.maxShearY()).isEqualTo(4);
    assertThat(affine.interpolation()).isEqualTo(Interpolation.BILINEAR);
    assertThat(affine.centerX()).hasValue(4);
    assertThat(affine.centerY()).hasValue(5.5);
    assertThat(affine.fill()).isEqualTo(0x010203);
    assertThat(affine)
        .hasToString(
            "RandomAffine(degrees=-20.0..30.0, translate=(0.1, 0.2), scale=0.5..2.0,"
                + " shearX=-1.0..2.0, shearY=-3.0..4.0, center=(4.0, 5.5),"
                + " interpolation=bilinear, fill=#010203)");
  }

  @Test
  void shouldDoNothingButTurnByDefault() {
    RandomAffine affine = RandomAffine.of(0);

    assertThat(affine.translateX()).isZero();
    assertThat(affine.translateY()).isZero();
    assertThat(affine.minScale()).isEqualTo(1);
    assertThat(affine.maxScale()).isEqualTo(1);
    assertThat(affine.minShearX()).isZero();
    assertThat(affine.maxShearX()).isZero();
    assertThat(affine.minShearY()).isZero();
    assertThat(affine.maxShearY()).isZero();
    assertThat(affine.centerX()).isEmpty();
    assertThat(affine.centerY()).isEmpty();
    assertThat(affine)
        .hasToString("RandomAffine(degrees=-0.0..0.0, interpolation=nearest, fill=#000000)");
  }

  @Test
  void shouldRejectOptionsOutOfRange() {
    assertThatThrownBy(() -> RandomAffine.of(-1)).hasMessageContaining("degrees", "was -1.0");
    assertThatThrownBy(() -> RandomAffine.builder(5).shear(-1))
        .hasMessage("shear must be 0 or more and finite, was -1.0; a range takes two numbers");
    assertThatThrownBy(() -> RandomAffine.builder(1).translate(0.5, 1.5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("translate y");
    assertThatThrownBy(() -> RandomAffine.builder(1).scale(0, 1)).hasMessageContaining("scale");
    assertThatThrownBy(() -> RandomAffine.builder(1).shear(-3)).hasMessageContaining("shear");
    assertThatThrownBy(() -> RandomAffine.builder(1).shear(0, 1, 2, 1))
        .hasMessageStartingWith("shear y");
    assertThatThrownBy(() -> RandomAffine.builder(1).center(0, Double.NaN).build())
        .hasMessageContaining("center");
    assertThatThrownBy(() -> RandomAffine.builder(1).interpolation(Interpolation.BOX).build())
        .hasMessageEndingWith("was box");
  }
}
