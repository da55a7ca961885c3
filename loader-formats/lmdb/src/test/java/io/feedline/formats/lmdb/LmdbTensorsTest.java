package io.feedline.formats.lmdb;

import static io.feedline.formats.store.Refusals.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.lmdb.LmdbTensors.StoredTensor;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LmdbTensorsTest extends DatasetContract<Map<String, StoredTensor>> {

  private static final int SAMPLES = 5;

  @TempDir Path folder;

  @Override
  protected Dataset<Map<String, StoredTensor>> dataset() throws Exception {
    return LmdbTensors.of(write("x.lmdb", SAMPLES, i -> 300 + i));
  }

  /** Samples whose images take several blocks, or one, and carry their index. */
  private Path write(String name, int count, IntUnaryOperator widths) throws Exception {
    Path path = folder.resolve(name);
    FixtureFiles.write(
        LmdbTensors.writer(path),
        IntStream.range(0, count).mapToObj(i -> sample(i, widths.applyAsInt(i))).toList());
    return path;
  }

  private static Map<String, Tensor> sample(int index, int width) {
    byte[] pixels = Content.of(3 * 200 * width);
    pixels[0] = (byte) index;
    Map<String, Tensor> sample = new LinkedHashMap<>();
    sample.put("image", Tensor.of(pixels, 3, 200, width));
    sample.put("label", Tensor.of(DType.INT64, Shape.SCALAR, bytes(8).putLong(0, index)));
    sample.put("scores", Tensor.of(new float[] {index, 0.25f, -1}));
    return sample;
  }

  private static ByteBuffer bytes(int count) {
    return ByteBuffer.allocate(count).order(ByteOrder.nativeOrder());
  }

  @Test
  void shouldGiveWhatWasWritten() throws Exception {
    try (LmdbTensors tensors = LmdbTensors.of(write("written.lmdb", SAMPLES, i -> 300 + i))) {
      for (int i = 0; i < SAMPLES; i++) {
        Map<String, StoredTensor> found = tensors.get(i);
        Map<String, Tensor> expected = sample(i, 300 + i);
        assertThat(found.keySet()).containsExactly("image", "label", "scores");
        for (String name : found.keySet()) {
          assertThat(content(found.get(name))).isEqualTo(content(expected.get(name)));
          assertThat(content(found.get(name).read())).isEqualTo(content(expected.get(name)));
        }
      }
    }
  }

  @Test
  void shouldTellWhichLengthsVary() throws Exception {
    try (LmdbTensors tensors = LmdbTensors.of(folder.resolve("x.lmdb"))) {
      assertThat(tensors.fields())
          .containsExactly(
              new TensorField("image", DType.UINT8, List.of(3L, 200L, TensorField.VARYING)),
              new TensorField("label", DType.INT64, List.of()),
              new TensorField("scores", DType.FLOAT32, List.of(3L)));
    }
  }

  @ParameterizedTest
  @EnumSource(DType.class)
  void shouldKeepEveryDType(DType dtype) throws Exception {
    Path path = folder.resolve(dtype + ".lmdb");
    Tensor tensor =
        Tensor.of(dtype, Shape.of(2, 700), ByteBuffer.wrap(Content.noise(1400 * dtype.bytes())));
    FixtureFiles.write(LmdbTensors.writer(path), List.of(Map.of("x", tensor)));
    try (LmdbTensors tensors = LmdbTensors.of(path)) {
      assertThat(content(tensors.get(0).get("x"))).isEqualTo(content(tensor));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1024, 1025, 65536, 65537, 5 << 20})
  void shouldKeepEverySize(int size) throws Exception {
    Path path = folder.resolve(size + ".lmdb");
    Map<String, Tensor> sample = new LinkedHashMap<>();
    for (int i = 0; i < 3; i++) {
      sample.put("t" + i, Tensor.of(i == 1 ? Content.noise(size) : Content.of(size)));
    }
    FixtureFiles.write(LmdbTensors.writer(path), List.of(sample));
    try (LmdbTensors tensors = LmdbTensors.of(path)) {
      assertThat(content(tensors.get(0))).isEqualTo(content(sample));
    }
  }

  @Test
  void shouldReadFramesHoweverPythonCutsThem() throws Exception {
    try (LmdbTensors tensors = LmdbTensors.of(Databases.unpack("feedline_tensors", folder))) {
      assertThat(tensors.size()).isEqualTo(4);
      for (int i = 0; i < 4; i++) {
        Map<String, StoredTensor> sample = tensors.get(i);
        byte[] expected = new byte[6000];
        for (int j = 0; j < 6000; j++) {
          expected[j] = (byte) (j * (i + 1) % 251);
        }
        assertThat(sample.get("image").shape()).isEqualTo(Shape.of(3, 40, 50));
        assertThat(sample.get("image").read().toByteArray()).isEqualTo(expected);
        assertThat(sample.get("box").read().toFloatArray()).containsExactly(i, 0.5f);
        assertThat(sample.get("label").read().toLongArray()).containsExactly(i);
      }
    }
  }

  @Test
  void shouldFillBatches() throws Exception {
    Path path = write("equal.lmdb", 7, i -> 32);
    List<Long> labels = new ArrayList<>();
    try (LmdbTensors tensors = LmdbTensors.of(path);
        DataLoader<Map<String, StoredTensor>> loader =
            DataLoader.builder(tensors).batchSize(3).shuffle(true).numWorkers(2).build()) {
      for (Batch batch : loader) {
        try (batch) {
          long[] found = batch.tensor("label").toLongArray();
          ByteBuffer images = batch.tensor("image").bytes();
          for (int row = 0; row < found.length; row++) {
            labels.add(found[row]);
            byte[] image = new byte[3 * 200 * 32];
            images.get(image);
            assertThat(image).isEqualTo(sample((int) found[row], 32).get("image").toByteArray());
          }
        }
      }
    }
    assertThat(labels).containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L);
  }

  @Test
  void shouldRefuseToWriteSamplesAfterClosing() throws Exception {
    LmdbTensors tensors = LmdbTensors.of(folder.resolve("x.lmdb"));
    Map<String, StoredTensor> sample = tensors.get(0);
    tensors.close();

    assertThatThrownBy(() -> tensors.get(0)).isInstanceOf(IllegalStateException.class);
    refused(IllegalStateException.class, () -> sample.get("image").read(), "x.lmdb");
    assertThat(sample.get("label").read().toLongArray()).as("small ones are there").hasSize(1);
  }

  @Test
  void shouldLookAtChecksumsUnlessToldOtherwise() throws Exception {
    Path path = folder.resolve("noise.lmdb");
    byte[] noise = Content.noise(5000);
    FixtureFiles.write(LmdbTensors.writer(path), List.of(Map.of("x", Tensor.of(noise))));
    // Stored as it is, since it does not compress: only the checksum shows a changed byte.
    byte[] data = Files.readAllBytes(path.resolve("data.mdb"));
    int at = Collections.indexOfSubList(boxed(data), boxed(Arrays.copyOf(noise, 50)));
    data[at] ^= 1;
    noise[0] ^= 1;
    Files.write(path.resolve("data.mdb"), data);

    try (LmdbTensors verifying = LmdbTensors.of(path);
        LmdbTensors trusting = LmdbTensors.builder(path).verifyChecksums(false).build()) {
      refused(IOException.class, () -> verifying.get(0).get("x").read(), "key 0", "checksum");
      assertThat(trusting.get(0).get("x").read().toByteArray()).isEqualTo(noise);
    }
  }

  private static List<Byte> boxed(byte[] bytes) {
    List<Byte> list = new ArrayList<>();
    for (byte each : bytes) {
      list.add(each);
    }
    return list;
  }

  @Test
  void shouldBoundASample() throws Exception {
    try (LmdbTensors tensors =
        LmdbTensors.builder(folder.resolve("x.lmdb")).maxSampleBytes(180_000).build()) {
      refused(IOException.class, () -> tensors.get(0), "data.mdb, key 0", "limit");
    }
  }

  @Test
  void shouldDecompressNoMoreThanTheHeaderSays() throws Exception {
    Metadata plan =
        new Metadata(
            Metadata.Kind.TENSORS,
            0,
            List.of(),
            List.of(new TensorField("x", DType.UINT8, List.of(2L, 2L))));
    TensorTuple tuple = new TensorTuple(false, List.of(DType.UINT8), List.of(Shape.of(2, 2)));
    byte[] content = new byte[64 << 20];
    tuple.put(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN));
    byte[] honest = Lz4FrameTest.compress(content);
    // Without its size in the header the frame tells only block by block how much it holds.
    byte[] silent = withoutContentSize(honest);
    Path path = folder.resolve("bomb.lmdb");
    Files.createDirectories(path);
    try (UnfinishedDatabase database = new UnfinishedDatabase(path)) {
      database.add(ByteBuffer.wrap(honest));
      database.add(ByteBuffer.wrap(silent));
      database.finish(plan);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (LmdbTensors tensors = LmdbTensors.of(path)) {
      for (int i = 0; i < 2; i++) {
        int index = i;
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatThrownBy(() -> tensors.get(index))
            .isInstanceOf(IOException.class)
            .hasMessageContainingAll("data.mdb, key " + i, "takes 30 bytes, as its header says");
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(20 << 20);
      }
    }
  }

  private static byte[] withoutContentSize(byte[] frame) {
    byte[] without = new byte[frame.length - 8];
    System.arraycopy(frame, 0, without, 0, 6);
    without[4] &= ~Lz4Frame.CONTENT_SIZE;
    without[6] = (byte) (Lz4Frame.hash(ByteBuffer.wrap(without), 4, 2) >>> 8);
    System.arraycopy(frame, 15, without, 7, frame.length - 15);
    return without;
  }

  @Test
  void shouldFindDamageOrGiveWhatWasWritten() throws Exception {
    byte[] image = Content.of(3 * 200 * 32);
    Path path = folder.resolve("damaged.lmdb");
    Metadata plan =
        new Metadata(
            Metadata.Kind.TENSORS,
            0,
            List.of(),
            List.of(
                new TensorField("image", DType.UINT8, List.of(3L, 200L, 32L)),
                new TensorField("label", DType.INT64, List.of())));
    ByteSink frame = new ByteSink();
    TensorTuple tuple =
        new TensorTuple(
            true, List.of(DType.UINT8, DType.INT64), List.of(Shape.of(3, 200, 32), Shape.SCALAR));
    ByteBuffer header = bytes(tuple.headerBytes()).order(ByteOrder.LITTLE_ENDIAN);
    tuple.put(header);
    Lz4FrameWriter.compress(List.of(header.flip(), ByteBuffer.wrap(image), bytes(8)), frame);
    int count = 0;
    Files.createDirectories(path);
    try (UnfinishedDatabase database = new UnfinishedDatabase(path)) {
      for (int i = 0; i < frame.size(); i += 1 + i / 50) {
        byte[] damaged = frame.written().array().clone();
        damaged[i] ^= 0x21;
        database.add(ByteBuffer.wrap(damaged, 0, frame.size()));
        database.add(ByteBuffer.wrap(frame.array(), 0, i));
        count += 2;
      }
      database.finish(plan);
    }
    try (LmdbTensors tensors = LmdbTensors.of(path)) {
      assertThat(tensors.size()).isEqualTo(count);
      for (int i = 0; i < count; i++) {
        int index = i;
        assertThatThrownBy(
                () -> {
                  Map<String, StoredTensor> sample = tensors.get(index);
                  sample.get("image").read();
                })
            .as("value %d", i)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("data.mdb, key " + i);
      }
    }
  }

  private Path path() {
    return folder.resolve("new.lmdb");
  }

  private static Map<String, Tensor> row(int index, int length) {
    return Map.of("values", Tensor.of(new float[length]), "index", Tensor.of(new long[] {index}));
  }

  @Test
  void shouldRememberOverAnInterruptionWhichLengthsVary() throws Exception {
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      writer.write(row(0, 3));
      writer.write(row(1, 5));
    }
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      assertThat(writer.written()).isEqualTo(2);
      writer.write(row(2, 3));
      writer.commit();
    }
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.fields().get(1).shape()).containsExactly(TensorField.VARYING);
      assertThat(tensors.get(1).get("values").shape()).isEqualTo(Shape.of(5));
      assertThat(tensors.get(2).get("index").read().toLongArray()).containsExactly(2);
    }
  }

  @Test
  void shouldRefuseASampleOfAnotherKindAndKeepTheOthers() throws Exception {
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      writer.write(row(0, 3));
      assertThatThrownBy(() -> writer.write(Map.of("values", Tensor.of(new float[3]))))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("[values]", "[index, values]");
      assertThatThrownBy(
              () ->
                  writer.write(
                      Map.of("values", Tensor.of(new byte[3]), "index", Tensor.of(new long[1]))))
          .isInstanceOf(FormatException.class)
          .hasMessageContainingAll("'values'", "UINT8", "FLOAT32");
      assertThatThrownBy(() -> writer.write(Map.of())).isInstanceOf(FormatException.class);
      writer.write(row(1, 3));
      writer.commit();
    }
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.size()).isEqualTo(2);
      assertThat(tensors.get(1).get("index").read().toLongArray()).containsExactly(1);
    }
  }

  @Test
  void shouldWriteNothingOfASampleThatFails() throws Exception {
    TensorSource failing =
        new TensorSource() {
          @Override
          public DType dtype() {
            return DType.FLOAT32;
          }

          @Override
          public Shape shape() {
            return Shape.of(4);
          }

          @Override
          public void writeTo(ByteBuffer target) throws IOException {
            throw new IOException("cannot be decoded");
          }
        };
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      assertThatThrownBy(() -> writer.write(Map.of("x", failing)))
          .hasMessageContaining("cannot be decoded");
      assertThat(writer.written()).isZero();
      writer.write(row(0, 2));
      writer.commit();
    }
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.fields())
          .extracting(TensorField::name)
          .isEqualTo(List.of("index", "values"));
    }
  }

  @Test
  void shouldWriteAnEmptyDatabase() throws Exception {
    FixtureFiles.write(LmdbTensors.writer(path()), List.of());
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.size()).isZero();
      assertThat(tensors.fields()).isEmpty();
    }
  }
}
