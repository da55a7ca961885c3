package io.feedline.formats.image.mixing;

import static io.feedline.formats.image.Golden.number;
import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.batch.BatchTransform;
import io.feedline.batch.BatchTransform.MutableBatch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.formats.image.Golden;
import io.feedline.formats.image.TestImage;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.internal.SymmetricBeta;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.transform.SampleRandom;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * MixUp and CutMix: their arithmetic, which mixing.py has from PyTorch, and their place in a
 * loader.
 */
class BatchMixingTest {

  private static final int CLASSES = 7;

  // ---- the arithmetic -----------------------------------------------------------------------

  static Stream<List<String>> cases() throws Exception {
    return Golden.lines("mixing.txt").stream().map(List::of);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldMixAsTorchvisionDoes(List<String> words) {
    int rows = number(words.get(1));
    int height = number(words.get(2));
    int width = number(words.get(3));
    int classes = number(words.get(4));
    double share = Double.parseDouble(words.get(5));
    Tensor images = images(rows, height, width);
    Tensor labels = labels(rows, classes);
    double kept = share;

    if (words.get(0).equals("mixup")) {
      batch(images).mixRows("image", share);
    } else {
      Region box = CutMix.box(width, height, share, number(words.get(6)), number(words.get(7)));
      assertThat(List.of(box.x(), box.y(), box.x() + box.width(), box.y() + box.height()))
          .isEqualTo(words.subList(8, 12).stream().map(Integer::valueOf).toList());
      CutMix.pass(batch(images), "image", ImageLayout.CHW, box);
      kept = 1.0 - (double) (box.width() * box.height()) / (width * height);
    }
    batch(labels).mixRows("image", kept);

    assertThat(List.of(crc(images), crc(labels)))
        .isEqualTo(words.subList(words.size() - 2, words.size()));
  }

  @Test
  void shouldCutTheSameBoxWhateverTheLayout() {
    Region box = new Region(2, 1, 5, 4);
    Tensor planes = images(4, 7, 9);
    Tensor interleaved = interleaved(planes);

    CutMix.pass(batch(planes), "image", ImageLayout.CHW, box);
    CutMix.pass(batch(interleaved), "image", ImageLayout.HWC, box);

    assertThat(interleaved.toFloatArray()).isEqualTo(interleaved(planes).toFloatArray());
  }

  /** A batch with one tensor. */
  private static MutableBatch batch(Tensor tensor) {
    return (MutableBatch)
        Proxy.newProxyInstance(
            BatchMixingTest.class.getClassLoader(),
            new Class<?>[] {MutableBatch.class},
            (batch, method, arguments) ->
                switch (method.getName()) {
                  case "size", "valid" -> (int) tensor.shape().length(0);
                  case "tensor" -> tensor;
                  default -> InvocationHandler.invokeDefault(batch, method, arguments);
                });
  }

  private static Tensor images(int rows, int height, int width) {
    float[] values = new float[rows * 3 * height * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = (i * 40503 & 65535) / 16384f - 2;
    }
    return Tensor.of(values, rows, 3, height, width);
  }

  private static Tensor labels(int rows, int classes) {
    float[] values = new float[rows * classes];
    for (int row = 0; row < rows; row++) {
      values[row * classes + (row * 7 + 3) % classes] = 1;
    }
    return Tensor.of(values, rows, classes);
  }

  private static Tensor interleaved(Tensor planes) {
    Shape shape = planes.shape();
    int rows = (int) shape.length(0);
    int pixels = (int) (shape.length(2) * shape.length(3));
    float[] from = planes.toFloatArray();
    float[] to = new float[from.length];
    for (int i = 0; i < from.length; i++) {
      int row = i / (3 * pixels);
      int channel = i / pixels % 3;
      to[row * 3 * pixels + i % pixels * 3 + channel] = from[i];
    }
    return Tensor.of(to, rows, shape.length(2), shape.length(3), 3);
  }

  private static String crc(Tensor tensor) {
    ByteBuffer bytes = ByteBuffer.allocate(tensor.byteSize()).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(tensor.toFloatArray());
    return FixtureFiles.crc(bytes.array());
  }

  // ---- the share ----------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(doubles = {0.001, 0.2, 1, 4.5})
  void shouldDrawTheShareFromABetaDistribution(double alpha) {
    int draws = 20_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; i++) {
      double share = new SymmetricBeta(alpha).draw(new SampleRandom(5, 0, i, 0));
      assertThat(share).isBetween(0.0, 1.0);
      sum += share;
      squares += (share - 0.5) * (share - 0.5);
    }

    double variance = 1 / (4 * (2 * alpha + 1));
    // Five standard errors of the mean; the variance is off by less than a twentieth.
    assertThat(Math.abs(sum / draws - 0.5)).isLessThan(5 * Math.sqrt(variance / draws));
    assertThat(squares / draws / variance).isBetween(0.95, 1.05);
  }

  // ---- in a loader --------------------------------------------------------------------------

  private static DataLoaderBuilder<LabeledImage> images(long size) {
    return DataLoader.builder(
            Dataset.of(
                size,
                index ->
                    new LabeledImage(
                        TestImage.image(12 + (int) index, 9).crop(new Region(0, 0, 12, 9)),
                        (int) index % CLASSES)))
        .seed(3)
        .batchSize(4);
  }

  /** The images and probabilities of a batch. */
  private record Mixed(List<Float> images, List<Float> probabilities, int valid) {}

  private static List<Mixed> deliver(DataLoaderBuilder<LabeledImage> builder) {
    List<Mixed> mixed = new ArrayList<>();
    try (DataLoader<LabeledImage> loader = builder.build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("label").dtype()).isEqualTo(DType.FLOAT32);
          assertThat(batch.tensor("label").shape()).isEqualTo(Shape.of(batch.size(), CLASSES));
          mixed.add(
              new Mixed(
                  floats(batch.tensor("image")), floats(batch.tensor("label")), batch.valid()));
        }
      }
    }
    return mixed;
  }

  private static List<Float> floats(Tensor tensor) {
    List<Float> list = new ArrayList<>();
    for (float value : tensor.toFloatArray()) {
      list.add(value);
    }
    return list;
  }

  static Stream<BatchTransform> transforms() {
    return Stream.of(
        MixUp.of(CLASSES, 0.8),
        CutMix.of(CLASSES),
        BatchTransform.oneOf(MixUp.of(CLASSES, 0.2), CutMix.of(CLASSES)),
        MixUp.of(CLASSES).andThen(CutMix.of(CLASSES)));
  }

  @ParameterizedTest
  @MethodSource("transforms")
  void shouldMixTheSameWhateverTheWorkers(BatchTransform transform) {
    List<Mixed> alone = deliver(images(22).batchTransform(transform).numWorkers(0));

    for (int workers : new int[] {1, 2, 8}) {
      assertThat(deliver(images(22).batchTransform(transform).numWorkers(workers)))
          .isEqualTo(alone);
    }
  }

  @ParameterizedTest
  @MethodSource("transforms")
  void shouldKeepProbabilitiesThatAddUpToOne(BatchTransform transform) {
    boolean mixed = false;
    for (Mixed batch : deliver(images(22).batchTransform(transform))) {
      for (int row = 0; row < batch.probabilities().size(); row += CLASSES) {
        List<Float> probabilities = batch.probabilities().subList(row, row + CLASSES);
        double sum = probabilities.stream().mapToDouble(Float::doubleValue).sum();
        assertThat(sum).isBetween(1 - 1e-6, 1 + 1e-6);
        mixed |= probabilities.stream().anyMatch(value -> value > 0 && value < 1);
      }
    }
    assertThat(mixed).isTrue();
  }

  @ParameterizedTest
  @MethodSource("transforms")
  void shouldMixAPaddedBatchAsAPartialOne(BatchTransform transform) {
    List<Mixed> partial = deliver(images(22).batchTransform(transform));
    List<Mixed> padded = deliver(images(22).padLast(true).batchTransform(transform));

    int last = partial.size() - 1;
    assertThat(padded.subList(0, last)).isEqualTo(partial.subList(0, last));
    assertThat(padded.get(last).valid()).isEqualTo(2);
    assertThat(padded.get(last).images()).isEqualTo(twice(partial.get(last).images()));
    assertThat(padded.get(last).probabilities())
        .isEqualTo(twice(partial.get(last).probabilities()));
  }

  private static List<Float> twice(List<Float> rows) {
    List<Float> twice = new ArrayList<>(rows);
    twice.addAll(rows);
    return twice;
  }

  @Test
  void shouldMakeProbabilitiesWhereItDoesNotMix() {
    List<Mixed> unmixed = deliver(images(8).batchTransform(MixUp.of(CLASSES).withProbability(0)));

    assertThat(new HashSet<>(unmixed.get(0).probabilities())).isEqualTo(Set.of(0f, 1f));
    try (DataLoader<LabeledImage> loader = images(8).build();
        Batch plain = loader.iterator().next()) {
      assertThat(unmixed.get(0).images()).isEqualTo(floats(plain.tensor("image")));
    }
  }

  /** A rectangle of bytes is moved as one of floats is. */
  @ParameterizedTest
  @EnumSource(
      value = DType.class,
      names = {"UINT8", "FLOAT16", "FLOAT64"})
  void shouldCutOutOfAnyDtype(DType dtype) {
    Region box = new Region(2, 1, 5, 4);
    Tensor floats = images(4, 7, 9);
    ByteBuffer memory = ByteBuffer.allocate(4 * 3 * 7 * 9 * dtype.bytes());
    Tensor tensor = Tensor.of(dtype, floats.shape(), memory);
    // Each element tells the float that it stands for, by a number that fits a byte.
    List<Float> values = floats(floats).stream().distinct().toList();
    List<Float> before = floats(floats);
    for (int i = 0; i < before.size(); i++) {
      tensor.bytes().put(i * dtype.bytes(), (byte) values.indexOf(before.get(i)));
    }

    CutMix.pass(batch(tensor), "image", ImageLayout.CHW, box);
    CutMix.pass(batch(floats), "image", ImageLayout.CHW, box);

    List<Float> after = floats(floats);
    assertThat(after).isNotEqualTo(before);
    for (int i = 0; i < after.size(); i++) {
      assertThat(tensor.bytes().get(i * dtype.bytes()))
          .isEqualTo((byte) values.indexOf(after.get(i)));
    }
  }

  @Test
  void shouldNameWhatCannotBeMixed() throws Exception {
    ToTensor bytes = ToTensor.of(DType.UINT8);
    Dataset<LabeledImage> dataset =
        Dataset.of(4, index -> new LabeledImage(bytes.apply(TestImage.image(5, 5)), (int) index));

    assertFails(
        DataLoader.builder(dataset),
        MixUp.of(CLASSES),
        "'image' is UINT8 (1, 3, 5, 5)",
        "transformOnDevice");
    assertFails(images(4), MixUp.of(2), "'label' has 2 at row 2; classes are numbered from 0 to 1");
    assertFails(images(4), MixUp.of(7).withImage("photo"), "no tensor 'photo'");
    assertFails(images(4), CutMix.of(7).withLabel("target"), "no tensor 'target'");
  }

  private static void assertFails(
      DataLoaderBuilder<LabeledImage> builder, BatchTransform transform, String... reasons) {
    try (DataLoader<LabeledImage> loader = builder.batchTransform(transform).build()) {
      refused(LoaderException.class, () -> loader.iterator().next(), reasons);
    }
  }
}
