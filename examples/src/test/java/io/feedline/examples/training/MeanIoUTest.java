package io.feedline.examples.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanIoUTest {

  @Test
  void shouldAverageTheOverlapOfAllIds() {
    MeanIoU iou = new MeanIoU(3);

    iou.add(new int[] {0, 0, 0, 1}, new int[] {0, 0, 1, 1});
    iou.add(new int[] {2, 2}, new int[] {2, 0});

    // 0: two of four; 1: one of two; 2: one of two.
    assertThat(iou.value()).isCloseTo((2 / 4.0 + 1 / 2.0 + 1 / 2.0) / 3, within(1e-9));
    assertThat(iou.ofBackground()).isCloseTo(3 / 6.0 / 3, within(1e-9));
  }

  @Test
  void shouldNotCountUnknownPixels() {
    MeanIoU iou = new MeanIoU(2);

    iou.add(new int[] {0, 1, 255, 255}, new int[] {0, 1, 0, 1});

    assertThat(iou.value()).isEqualTo(1);
  }

  @Test
  void shouldLeaveOutIdsThatAreNowhere() {
    MeanIoU iou = new MeanIoU(5);

    iou.add(new int[] {0, 1}, new int[] {0, 1});

    assertThat(iou.value()).isEqualTo(1);
    assertThat(iou.ofBackground()).isEqualTo(0.25);
    assertThat(new MeanIoU(5).value()).isZero();
  }
}
