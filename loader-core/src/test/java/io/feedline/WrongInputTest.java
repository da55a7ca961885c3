package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.RowCollator;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Inputs of a user's that are wrong are named as the user knows them. */
@ExpectedLog({"gave the same int[] twice", "does not report its position"})
class WrongInputTest {

  private static LoaderException failure(DataLoaderBuilder<?> builder) {
    try (DataLoader<?> loader = builder.numWorkers(0).build()) {
      return catchThrowableOfType(LoaderException.class, () -> loader.forEach(Batch::close));
    }
  }

  @Test
  void shouldSayWhichElementOfAListIsNull() {
    List<Long> holey = Arrays.asList(1L, null, 3L);
    assertThatThrownBy(() -> Dataset.of(holey)).hasMessage("element 1 of the 3 samples is null");
    assertThatThrownBy(() -> Dataset.of((List<Long>) null)).hasMessage("samples");
    Dataset<Long> one = Dataset.of(List.of(1L));
    assertThatThrownBy(() -> Dataset.concat(Arrays.asList(one, null)))
        .hasMessage("element 1 of the 2 datasets is null");
    assertThatThrownBy(() -> IterableDataset.lines(Collections.singletonList((Path) null)))
        .hasMessage("element 0 of the 1 files is null");
    assertThat(failure(DataLoader.builder(IterableDataset.of(holey))))
        .hasMessageContainingAll("reading sample 1", "the sample is null");
  }

  @Test
  void shouldNameTypesAsUsersKnowThem() {
    for (Object sample : List.of(Set.of(2), new HashSet<>(Set.of(1)))) {
      assertThat(failure(DataLoader.builder(Dataset.of(2, index -> sample))))
          .hasMessageContaining(
              "the sample is of type " + (sample instanceof HashSet ? "HashSet" : "Set") + ";");
    }
    PaddingCollator<List<Integer>> collator = PaddingCollator.of("data");
    assertThat(failure(DataLoader.builder(Dataset.of(2, i -> List.of(1, 2))).collator(collator)))
        .hasMessageContaining("entry 'data' is of type List;");
  }

  @Test
  void shouldNotShowItsInsidesWhereAUserGivesNull() {
    IterableDataset<Long> nothing = (shard, epoch) -> null;
    List<IterableDataset<Long>> streams =
        List.of(
            nothing,
            nothing.map(sample -> sample),
            nothing.filter(sample -> true),
            nothing.take(3),
            IterableDataset.chain(List.of(nothing)),
            IterableDataset.from(() -> null));
    for (IterableDataset<Long> stream : streams) {
      assertThat(failure(DataLoader.builder(stream)))
          .as("%s", stream.name())
          .hasMessageContaining("opened nothing: null");
    }
    assertThat(failure(DataLoader.builder(IterableDataset.of(() -> null))))
        .hasMessageContaining("the iterator is null");
    assertThat(failure(DataLoader.builder(IterableDataset.of(List.of(1)).flatMap(one -> null))))
        .hasMessageContaining("a sample without parts has an empty list");
    Dataset<Long> numbers = Dataset.of(2, index -> index);
    assertThat(failure(DataLoader.builder(numbers).collator((RowCollator<Long>) sample -> null)))
        .hasMessageContaining("the collator's plan is null");
    assertThat(failure(DataLoader.builder(numbers).allocator(size -> null)))
        .hasMessageContaining("the allocator gave no memory");
  }

  @Test
  void shouldRefuseShardsThatAreNone() {
    Refusals.assertRefused(
        () -> DataLoader.builder(Samples.shards(true)).build(), "1 shard or more", "0");
    Refusals.assertThrown(
        Exception.class,
        () -> DataLoader.builder(Samples.shards(true, -5, -5)).distributed(0, 2).build().iterator(),
        "declares -5 samples");
  }

  /** A method reference whose method has forms of one and of two parameters. */
  @Test
  void shouldMapByAnOverloadedMethod() {
    List<Long> seen = new ArrayList<>();
    try (DataLoader<Long> loader =
        DataLoader.builder(IterableDataset.of(List.of("7", "8")).map(Long::parseLong)).build()) {
      for (Batch batch : loader) {
        try (batch) {
          seen.add(batch.tensor("data").toLongArray()[0]);
        }
      }
    }
    assertThat(seen).containsExactly(7L, 8L);
    assertThat(Dataset.of(List.of("9")).map("parse", Integer::parseInt).size()).isEqualTo(1);
  }

  @Test
  void shouldNotPadWithWhatANumberCannotBe() {
    for (double value : new double[] {1e300, -1e300, 1e-300}) {
      PaddingCollator<float[]> collator =
          PaddingCollator.<float[]>builder().pad("data", Padding.with(value)).build();
      Dataset<float[]> dataset = Dataset.of(2, index -> new float[(int) index + 1]);
      assertThat(failure(DataLoader.builder(dataset).batchSize(2).collator(collator)))
          .hasMessageContaining("entry 'data' is FLOAT32, which cannot be padded");
    }
  }

  /** A source that fills one object again and again would give the last content many times. */
  @Test
  void shouldWarnOfAnObjectThatIsHandedOutAgain() {
    int[] same = new int[1];
    try (CapturedLog log = new CapturedLog();
        DataLoader<int[]> loader =
            DataLoader.builder(IterableDataset.of(Collections.nCopies(5, same)))
                .prefetchNextEpoch(false)
                .build()) {
      loader.forEach(Batch::close);
      assertThat(log.lines("gave the same int[] twice")).hasSize(1);
    }
    try (CapturedLog log = new CapturedLog();
        DataLoader<String> loader =
            DataLoader.builder(IterableDataset.of(Collections.nCopies(5, "a"))).build()) {
      loader.forEach(Batch::close);
      assertThat(log.lines("gave the same")).isEmpty();
    }
  }
}
