package io.feedline.batch;

import static io.feedline.Refusals.assertRefused;
import static io.feedline.Refusals.assertThrown;
import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.data.LoaderException;
import io.feedline.internal.RecordType;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Classes in the shape of what Kotlin's compiler writes for data classes, and beans. */
class LikeRecordsTest {

  /** {@code data class Pair(val image: FloatArray, val isHard: Boolean)}. */
  public static final class Labeled {
    private final float[] image;
    private final boolean isHard;

    /** A property of the class's body, which is not a component. */
    private final long sum;

    public Labeled(float[] image, boolean isHard) {
      this.image = image;
      this.isHard = isHard;
      this.sum = image.length;
    }

    public float[] getImage() {
      return image;
    }

    public boolean isHard() {
      return isHard;
    }

    public long getSum() {
      return sum;
    }

    public float[] component1() {
      return image;
    }

    public boolean component2() {
      return isHard;
    }
  }

  /** The fields that beans share. */
  public abstract static class Named {
    private String name = "";

    public String getName() {
      return name;
    }

    public void setName(String name) {
      this.name = name;
    }
  }

  /** A bean. */
  public static final class Row extends Named {
    private double price;
    private boolean sold;

    public double getPrice() {
      return price;
    }

    public void setPrice(double price) {
      this.price = price;
    }

    public boolean isSold() {
      return sold;
    }

    public void setSold(boolean sold) {
      this.sold = sold;
    }
  }

  private static Row row(double price) {
    Row row = new Row();
    row.setName("at " + price);
    row.setPrice(price);
    row.setSold(price > 1);
    return row;
  }

  private static void assertLoaded(List<?> samples, Consumer<Batch> check) {
    Dataset<Object> dataset = Dataset.of(samples.size(), i -> (Object) samples.get((int) i));
    for (Dataset<Object> each : List.of(dataset, dataset.cached(1 << 20))) {
      try (DataLoader<Object> loader = DataLoader.builder(each).batchSize(samples.size()).build()) {
        for (int epoch = 0; epoch < 2; epoch++) {
          for (Batch batch : loader) {
            try (batch) {
              check.accept(batch);
            }
          }
        }
      }
    }
  }

  @Test
  void shouldCollateDataClassesAsRecords() {
    assertLoaded(
        List.of(new Labeled(new float[] {1, 2}, true), new Labeled(new float[2], false)),
        batch -> {
          assertThat(batch.tensors().keySet()).containsExactly("image", "isHard");
          assertThat(batch.tensor("image").toFloatArray()).containsExactly(1, 2, 0, 0);
          assertThat(batch.tensor("isHard").dtype()).isEqualTo(DType.BOOL);
        });
  }

  @Test
  void shouldCollateBeansAsRecords() {
    assertLoaded(
        List.of(row(0.5), row(1.5)),
        batch -> {
          assertThat(batch.tensors().keySet()).containsExactly("price", "sold");
          assertThat(batch.tensor("price").get(0)).isEqualTo(0.5);
          assertThat(batch.tensor("price").get(1)).isEqualTo(1.5);
          assertThat(batch.values("name")).isEqualTo(List.of("at 0.5", "at 1.5"));
        });
  }

  /** It has a field without a setter. */
  public static final class Half {
    private int read;

    public int getRead() {
      return read;
    }

    void count() {
      read++;
    }
  }

  @Test
  void shouldRefuseOtherClasses() {
    Half half = new Half();
    half.count();
    assertThat(half.getRead()).isEqualTo(1);
    for (Object other : List.of(half, new Object(), new Thread())) {
      assertThat(RecordType.isRecord(other)).isFalse();
    }
    assertThat(RecordType.isRecord(null)).isFalse();
    assertRefused(() -> RecordType.of(Half.class), "is not like a record");
    try (DataLoader<Object> loader =
        DataLoader.builder(Dataset.<Object>of(List.of(half))).build()) {
      assertThrown(
          LoaderException.class,
          () -> loader.iterator().next(),
          "Half; the default collator takes tensors");
    }
  }
}
