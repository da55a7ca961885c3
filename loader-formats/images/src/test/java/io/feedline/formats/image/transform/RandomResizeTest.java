package io.feedline.formats.image.transform;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.image.Image;
import io.feedline.transform.RandomTransform;
import org.junit.jupiter.api.Test;

class RandomResizeTest extends TransformContract {

  @Override
  protected RandomTransform<Image, Image> transform() {
    return Resize.random(5, 50);
  }

  @Test
  void shouldCheckAndTellItsOptions() {
    assertThat(Resize.random(5, 50))
        .hasToString("RandomResize(minEdge=5, maxEdge=50, interpolation=bilinear)");
    assertThatThrownBy(() -> Resize.random(5, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxEdge must be more than minEdge, 5, was 5");
    assertThatThrownBy(() -> Resize.random(0, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("minEdge");
  }
}
