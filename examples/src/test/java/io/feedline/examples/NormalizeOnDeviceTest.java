package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.types.DataType;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.mixing.CutMix;
import io.feedline.formats.image.mixing.MixUp;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.gpu.DeviceBatch;
import io.feedline.gpu.DeviceLoader;
import io.feedline.gpu.Normalization;
import io.feedline.transform.Transform;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

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

  /** A quarter of float32 on the way up, half of it, and what PyTorch itself makes of float32. */
  @Test
  void shouldGiveTheSameHalvesOnEachWay() {
    Normalize normalize = Normalize.imagenet();
    Normalization onDevice =
        Normalization.builder("data", normalize.mean(), normalize.std())
            .dtype(DType.FLOAT16)
            .build();
    ToTensor half = ToTensor.of(DType.FLOAT16);
    try (DataLoader<Image> bytes = images(image -> image.toTensor(DType.UINT8, ImageLayout.CHW));
        DataLoader<Image> halves = images(image -> half.apply(normalize.apply(image)));
        DataLoader<Image> floats = images(normalize);
        DeviceLoader fromBytes =
            DeviceLoader.builder(bytes).device(Device.cpu()).normalizeOnDevice(onDevice).build();
        DeviceLoader fromHalves = DeviceLoader.of(halves, Device.cpu());
        DeviceLoader fromFloats = DeviceLoader.of(floats, Device.cpu())) {
      Iterator<DeviceBatch> halved = fromHalves.iterator();
      Iterator<DeviceBatch> whole = fromFloats.iterator();
      for (DeviceBatch batch : fromBytes) {
        try (batch;
            DeviceBatch second = halved.next();
            DeviceBatch third = whole.next()) {
          ByteBuffer expected = third.tensor(0).toType(DataType.FLOAT16, true).toByteBuffer();
          assertThat(second.tensor(0).getDataType()).isEqualTo(DataType.FLOAT16);
          assertThat(second.tensor(0).toByteBuffer()).isEqualTo(expected);
          assertThat(batch.tensor(0).toByteBuffer()).isEqualTo(expected);
        }
      }
    }
  }

  private static DataLoader<Image> images(Transform<Image, Image> transform) {
    return DataLoader.builder(Dataset.of(6, i -> transform.apply(image(i)))).batchSize(4).build();
  }

  private static final int CLASSES = 5;

  static Stream<BatchTransform> mixings() {
    return Stream.of(
        MixUp.of(CLASSES, 0.4),
        CutMix.of(CLASSES),
        RandomErasing.of(0.7).onBatches("image"),
        RandomErasing.of().withValue(1, 2, 3).onBatches("image"),
        BatchTransform.oneOf(MixUp.of(CLASSES), CutMix.of(CLASSES))
            .andThen(RandomErasing.of().onBatches("image")));
  }

  private static DataLoaderBuilder<LabeledImage> labeled(Transform<Image, Image> last) {
    return DataLoader.builder(
            Dataset.of(22, i -> new LabeledImage(last.apply(image(i)), (int) i % CLASSES)))
        .batchSize(4)
        .shuffle(true)
        .seed(5);
  }

  private static DeviceLoader mixing(DataLoader<?> host, BatchTransform mixing) {
    return DeviceLoader.builder(host)
        .device(Device.cpu())
        .normalizeOnDevice(Normalization.imagenet("image"))
        .transformOnDevice(mixing)
        .build();
  }

  /** Resumed at each of 20 places as well. */
  @ParameterizedTest
  @MethodSource("mixings")
  void shouldMixAsTheHostDoesBitForBit(BatchTransform mixing) {
    List<ByteBuffer> expected = new ArrayList<>();
    List<LoaderState> states = new ArrayList<>();
    try (DataLoader<LabeledImage> host =
        labeled(Normalize.imagenet()).batchTransform(mixing).build()) {
      while (expected.size() < 2 * 24) {
        for (BatchIterator batches = host.iterator(); batches.hasNext(); ) {
          states.add(host.state());
          try (Batch batch = batches.next()) {
            expected.add(copy(batch.tensor("image").bytes()));
            expected.add(copy(batch.tensor("label").bytes()));
          }
        }
      }
    }
    Transform<Image, Image> asBytes = ToTensor.of(DType.UINT8);
    try (DataLoader<LabeledImage> host = labeled(asBytes).build();
        DeviceLoader device = mixing(host, mixing)) {
      for (int place = 0; place <= 20; place++) {
        device.resume(states.get(place));
        int at = 2 * place;
        for (int batches = 0; batches < 4; ) {
          for (DeviceBatch batch : device) {
            try (batch) {
              assertThat(bytes(batch, "image")).isEqualTo(expected.get(at++));
              assertThat(bytes(batch, "label")).isEqualTo(expected.get(at++));
            }
            if (++batches == 4) {
              break;
            }
          }
        }
      }
    }
  }

  private static ByteBuffer copy(ByteBuffer bytes) {
    return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
  }

  private static ByteBuffer bytes(DeviceBatch batch, String column) {
    return batch.tensor(column).toByteBuffer();
  }
}
