package io.feedline.data;

import static io.feedline.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Datasets of what is in memory already: lists and tensors. */
class MemoryDatasetTest {

  /** Three samples: rows (0, 1), (2, 3), (4, 5) with the labels 7, 8, 9. */
  private static Map<String, Tensor> columns() {
    Map<String, Tensor> columns = new LinkedHashMap<>();
    columns.put("x", Tensor.of(new float[] {0, 1, 2, 3, 4, 5}, 3, 2));
    columns.put("label", Tensor.of(new long[] {7, 8, 9}));
    return columns;
  }

  @Nested
  class OfAList extends DatasetContract<String> {
    @Override
    protected Dataset<String> dataset() {
      return Dataset.of(List.of("a", "b", "c"));
    }
  }

  @Nested
  class OfTensors extends DatasetContract<Map<String, Tensor>> {
    @Override
    protected Dataset<Map<String, Tensor>> dataset() {
      return Dataset.ofTensors(columns());
    }
  }

  @Test
  void shouldGiveTheElementsOfTheListAsItWas() throws Exception {
    List<String> list = new ArrayList<>(List.of("a", "b"));
    Dataset<CharSequence> dataset = Dataset.of(list);
    list.set(0, "changed");

    assertThat(dataset.get(0)).isEqualTo("a");
    assertThat(dataset.size()).isEqualTo(2);
    assertThat(dataset.name()).isEqualTo("Dataset.of(list of 2)");
    assertThat(Dataset.of(List.of()).size()).isZero();
    assertThatThrownBy(() -> Dataset.of(Arrays.asList("a", null)))
        .isInstanceOf(NullPointerException.class);
  }

  @Test
  void shouldDescribeElementsByTheirTextWhereItTells() {
    assertThat(Dataset.of(List.of("a", "b")).describe(1)).isEqualTo("index 1, 'b'");
    assertThat(Dataset.of(List.of(Path.of("c", "d.txt"))).describe(0))
        .isEqualTo("index 0, '%s'".formatted(Path.of("c", "d.txt")));
    assertThat(Dataset.of(List.of("x".repeat(1000))).describe(0)).hasSizeLessThan(230);
    assertThat(Dataset.of(List.of(new Object())).describe(0)).isEqualTo("index 0");
  }

  @Test
  void shouldTellOtherContentsByTheirFingerprint() {
    Map<String, Tensor> other = columns();
    other.put("label", Tensor.of(new long[] {7, 8, 10}));
    Map<String, Tensor> renamed = new TreeMap<>(columns());
    List<String> fingerprints = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      fingerprints.add(Dataset.of(List.of("a", "bc")).fingerprint());
      fingerprints.add(Dataset.of(List.of("ab", "c")).fingerprint());
      fingerprints.add(Dataset.of(List.of("bc", "a")).fingerprint());
      fingerprints.add(Dataset.of(List.of(1, 2)).fingerprint());
      fingerprints.add(Dataset.of(List.of(new Object(), new Object())).fingerprint());
      fingerprints.add(Dataset.ofTensors(columns()).fingerprint());
      fingerprints.add(Dataset.ofTensors(other).fingerprint());
      fingerprints.add(Dataset.ofTensors(renamed).fingerprint());
    }
    assertThat(fingerprints.subList(0, 8)).doesNotHaveDuplicates();
    assertThat(fingerprints.subList(8, 16)).isEqualTo(fingerprints.subList(0, 8));
  }

  @Test
  void shouldGiveTheRowsOfTensorsWithoutACopy() throws Exception {
    ByteBuffer memory = ByteBuffer.allocateDirect(12);
    Tensor column = Tensor.of(DType.INT16, Shape.of(3, 1, 2), memory);
    Dataset<Map<String, Tensor>> dataset = Dataset.ofTensors(Map.of("c", column));

    Tensor row = dataset.get(2).get("c");
    memory.put(9, (byte) 5);

    assertThat(row.shape()).isEqualTo(Shape.of(1, 2));
    assertThat(row.dtype()).isEqualTo(DType.INT16);
    assertThat(row.toByteArray()).containsExactly(0, 5, 0, 0);
    assertThat(dataset.get(1).get("c").toByteArray()).containsExactly(0, 0, 0, 0);
  }

  @Test
  void shouldCollateRowsByTheirNames() {
    try (DataLoader<Map<String, Tensor>> loader =
        DataLoader.builder(Dataset.ofTensors(columns())).batchSize(2).numWorkers(0).build()) {
      List<String> batches = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          batches.add(
              batch.tensors().keySet()
                  + Arrays.toString(batch.tensor("x").toFloatArray())
                  + Arrays.toString(batch.tensor("label").toLongArray()));
        }
      }
      assertThat(batches)
          .containsExactly("[x, label][0.0, 1.0, 2.0, 3.0][7, 8]", "[x, label][4.0, 5.0][9]");
    }
  }

  @Test
  void shouldTakeTensorsWithoutRowsOrElements() throws Exception {
    assertThat(Dataset.ofTensors(Map.of("x", Tensor.of(new float[0], 0, 4))).size()).isZero();
    assertThat(
            Dataset.ofTensors(Map.of("x", Tensor.of(new float[0], 2, 0))).get(1).get("x").shape())
        .isEqualTo(Shape.of(0));
  }

  @Test
  void shouldRefuseTensorsThatHaveNoCommonRows() {
    Map<String, Tensor> columns = columns();
    columns.put("weight", Tensor.of(new float[2]));

    assertRefused(
        () -> Dataset.ofTensors(columns),
        "tensors must have first axes of one length: 'x' (3, 2), 'label' (3), 'weight' (2)");
    assertRefused(
        () -> Dataset.ofTensors(Map.of("x", Tensor.zeros(DType.FLOAT32, Shape.SCALAR))),
        "'x'",
        "scalar");
    assertRefused(() -> Dataset.ofTensors(Map.of()), "one or more");
  }
}
