package io.feedline.formats.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.batch.TensorSource;
import io.feedline.data.FormatException;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbTensorWriterTest {

  @TempDir Path folder;

  private Path path() {
    return folder.resolve("x.lmdb");
  }

  private static Map<String, Tensor> sample(int index, int length) {
    return Map.of("values", Tensor.of(new float[length]), "index", Tensor.of(new long[] {index}));
  }

  @Test
  void shouldSortTheNamesOfAMapWithoutOrder() throws Exception {
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      writer.write(sample(0, 3));
      writer.commit();
    }
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.fields()).extracting(TensorField::name).containsExactly("index", "values");
    }
  }

  @Test
  void shouldRememberOverAnInterruptionWhichLengthsVary() throws Exception {
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      writer.write(sample(0, 3));
      writer.write(sample(1, 5));
    }
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      assertThat(writer.written()).isEqualTo(2);
      writer.write(sample(2, 3));
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
      writer.write(sample(0, 3));
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
      writer.write(sample(1, 3));
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
      writer.write(sample(0, 2));
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
    try (StoreWriter<Map<String, ? extends TensorSource>> writer = LmdbTensors.writer(path())) {
      writer.commit();
    }
    try (LmdbTensors tensors = LmdbTensors.of(path())) {
      assertThat(tensors.size()).isZero();
      assertThat(tensors.fields()).isEmpty();
    }
  }
}
