package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import org.junit.jupiter.api.Test;

class PsnrTest {

  @Test
  void shouldAverageTheRatiosOfImages() {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      NDArray truth = manager.zeros(new Shape(2, 3, 4, 4));
      NDArray image =
          manager
              .full(new Shape(1, 3, 4, 4), 0.1f)
              .concat(manager.full(new Shape(1, 3, 4, 4), 0.01f));

      assertThat(Psnr.mean(image, truth)).as("of 20 and 40 dB").isCloseTo(30, within(1e-3));
    }
  }

  @Test
  void shouldClipWhatIsNoColor() {
    try (NDManager manager = NDManager.newBaseManager(Device.cpu())) {
      NDArray black = manager.zeros(new Shape(1, 3, 4, 4));

      assertThat(Psnr.mean(black.sub(7), black)).isEqualTo(Psnr.LARGEST);
    }
  }

  @Test
  void shouldMeasureInDecibels() {
    assertThat(Psnr.ofError(0.01)).isCloseTo(20, within(1e-9));
    assertThat(Psnr.ofError(1)).isZero();
    assertThat(Psnr.ofError(0)).isEqualTo(Psnr.LARGEST);
  }
}
