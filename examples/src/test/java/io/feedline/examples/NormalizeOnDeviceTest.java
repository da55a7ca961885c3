package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The two modules do not know each other; here is where their promises are held together. */
class NormalizeOnDeviceTest {
  private static final int WIDTH = 37;
  private static final int HEIGHT = 29;

  /** The first image has all bytes in all channels, the others are noise. */
  private static Image image(long index) {
    byte[] rgb = new byte[3 * WIDTH * HEIGHT];
    new Random(index).nextBytes(rgb);
    if (index == 0) {
      for (int i = 0; i < rgb.length; i++) {
        rgb[i] = (byte) (i / 3);
      }
    }
    return Image.ofRgb(rgb, WIDTH, HEIGHT);
  }

  @ParameterizedTest
  @CsvSource({"CHW, NCHW", "HWC, NHWC"})
  void shouldEqualTheHostsNormalizeBitForBit(ImageLayout crossing, Normalization.Layout layout) {
    Normalize onHost = Normalize.imagenet();
    Normalization onDevice =
        Normalization.builder("data", onHost.mean(), onHost.std()).layout(layout).build();
    Dataset<Image> bytes = Dataset.of(10, i -> image(i).toTensor(DType.UINT8, crossing));
    Dataset<Image> floats = Dataset.of(10, i -> onHost.apply(image(i)));
    try (DataLoader<Image> byteLoader = DataLoader.builder(bytes).batchSize(4).build();
        DataLoader<Image> floatLoader = DataLoader.builder(floats).batchSize(4).build();
        DeviceLoader device =
            DeviceLoader.builder(byteLoader)
                .device(Device.cpu())
                .normalizeOnDevice(onDevice)
                .build()) {
      var expected = floatLoader.iterator();
      for (DeviceBatch batch : device) {
        try (batch;
            Batch host = expected.next()) {
          ByteBuffer found = batch.tensor(0).toByteBuffer().order(ByteOrder.nativeOrder());
          assertThat(batch.tensor(0).getShape().getShape())
              .containsExactly(host.size(), 3, HEIGHT, WIDTH);
          assertThat(found.mismatch(host.tensor(0).bytes())).isEqualTo(-1);
        }
      }
      assertThat(expected.hasNext()).isFalse();
    }
  }
}
