package io.feedline.data;

import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.Together;
import io.feedline.batch.TensorSource;
import java.lang.reflect.Array;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The contract of every {@link Dataset}. The test of a dataset extends this, says how to make one,
 * and adds what is its own.
 *
 * <p>Samples are compared by {@linkplain #content content}: tensors by what they write, records,
 * lists, maps and arrays by their parts, anything else by {@code equals}.
 *
 * @param <T> a sample
 */
public abstract class DatasetContract<T> {

  private Dataset<T> dataset;

  /**
   * A new dataset of at least two samples that are not all equal. One that is {@link AutoCloseable}
   * is closed after the test.
   */
  protected abstract Dataset<T> dataset() throws Exception;

  @BeforeEach
  void makeDataset() throws Exception {
    dataset = dataset();
  }

  @AfterEach
  void closeDataset() throws Exception {
    if (dataset instanceof AutoCloseable closeable) {
      closeable.close();
    }
  }

  @Test
  void shouldPrintWhatItIs() {
    assertThat(dataset).asString().isNotBlank().doesNotMatch(".*@[0-9a-f]+");
    assertThat(dataset.name()).isNotBlank();
  }

  @Test
  void shouldKeepItsSize() throws Exception {
    long size = dataset.size();
    assertThat(size).isGreaterThanOrEqualTo(2);

    dataset.get(0);
    dataset.get(size - 1);

    assertThat(dataset.size()).isEqualTo(size);
  }

  @Test
  void shouldReadEveryIndexToASampleOfItsOwn() throws Exception {
    assertThat(readAll()).doesNotContainNull();
    assertThat(readAll().stream().distinct()).as("different samples").hasSizeGreaterThan(1);
  }

  @Test
  void shouldGiveEqualSamplesForEqualCalls() throws Exception {
    List<Object> first = readAll();
    List<Object> second = new ArrayList<>(first);
    for (long i = dataset.size() - 1; i >= 0; i--) {
      second.set((int) i, content(dataset.get(i, new SampleContext(0, 0, i))));
    }

    assertThat(second).isEqualTo(first);
  }

  @Test
  void shouldRefuseAnIndexOutOfRangeNamingItAndTheSize() {
    long size = dataset.size();
    for (long index : new long[] {-1, size, size + 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThrown(
          IndexOutOfBoundsException.class,
          () -> dataset.get(index),
          Long.toString(index),
          Long.toString(size));
    }
  }

  @Test
  void shouldGiveEightThreadsWhatItGivesOne() throws Exception {
    List<Object> expected = readAll();
    List<List<Object>> found =
        Together.inEightThreads(
            first -> {
              List<Object> samples = new ArrayList<>(expected);
              for (int i = 0; i < samples.size(); i++) {
                // Each begins elsewhere, so that they meet at the same and at different samples.
                int index = (i + first) % samples.size();
                samples.set(index, content(dataset.get(index)));
              }
              return samples;
            });
    assertThat(found).allSatisfy(samples -> assertThat(samples).isEqualTo(expected));
  }

  @Test
  void shouldDescribeAnyIndexWithoutFailing() {
    for (long i = 0; i < dataset.size(); i++) {
      assertThat(dataset.describe(i)).isNotBlank();
    }
    for (long index : new long[] {-1, dataset.size(), Long.MIN_VALUE, Long.MAX_VALUE}) {
      assertThat(dataset.describe(index)).contains(Long.toString(index));
    }
  }

  private List<Object> readAll() throws Exception {
    List<Object> samples = new ArrayList<>();
    for (long i = 0; i < dataset.size(); i++) {
      samples.add(content(dataset.get(i)));
    }
    return samples;
  }

  /** Returns a sample's content in a form that can be compared. */
  protected static Object content(Object sample) throws Exception {
    if (sample instanceof TensorSource tensor) {
      int bytes = Math.toIntExact(tensor.shape().elements() * tensor.dtype().bytes());
      ByteBuffer written = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
      tensor.writeTo(written);
      return List.of(tensor.dtype(), tensor.shape(), written.clear());
    }
    if (sample instanceof Record) {
      Map<String, Object> parts = new LinkedHashMap<>();
      for (RecordComponent part : sample.getClass().getRecordComponents()) {
        part.getAccessor().setAccessible(true);
        parts.put(part.getName(), content(part.getAccessor().invoke(sample)));
      }
      return parts;
    }
    if (sample instanceof Map<?, ?> map) {
      Map<Object, Object> parts = new LinkedHashMap<>();
      for (Map.Entry<?, ?> each : map.entrySet()) {
        parts.put(each.getKey(), content(each.getValue()));
      }
      return parts;
    }
    List<Object> parts = new ArrayList<>();
    if (sample instanceof List<?> list) {
      for (Object each : list) {
        parts.add(content(each));
      }
      return parts;
    }
    if (sample != null && sample.getClass().isArray()) {
      for (int i = 0; i < Array.getLength(sample); i++) {
        parts.add(content(Array.get(sample, i)));
      }
      return parts;
    }
    return sample;
  }
}
