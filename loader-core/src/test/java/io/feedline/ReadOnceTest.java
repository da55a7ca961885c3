package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.IterableDataset;
import io.feedline.data.IterableDataset.StreamSource;
import io.feedline.data.LoaderException;
import io.feedline.data.SampleStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that users open: again for each epoch, or once in all. */
@Timeout(60)
class ReadOnceTest {

  private static final class Source implements StreamSource<Long> {
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final long samples;

    Source(long samples) {
      this.samples = samples;
    }

    @Override
    public SampleStream<Long> open() {
      opened.incrementAndGet();
      return SampleStream.of(
          LongStream.range(0, samples).iterator(), () -> closed.incrementAndGet());
    }

    void assertOpenedAndClosed(int times) {
      assertThat(opened).hasValue(times);
      assertThat(closed).hasValue(times);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldOpenASourceOnceAndCloseItOnce(int workers) {
    Source source = new Source(10);
    try (DataLoader<Long> loader =
        Samples.loader(IterableDataset.once(source), 3, workers).build()) {
      // None of these looks at the samples.
      assertThat(loader.size()).isEmpty();
      assertThat(loader.state().position()).isZero();
      assertThat(loader.options().prefetchNextEpoch()).isFalse();
      BatchIterator first = loader.iterator();
      assertThat(Samples.rest(first)).isEqualTo(Samples.upTo(10));
      // Workers without work begin no other epoch.
      assertThat(first.hasNext()).isFalse();
      Refusals.assertThrown(
          IllegalStateException.class,
          loader::iterator,
          "Source",
          "can be read once",
          "new source",
          "IterableDataset.from");
      Refusals.assertThrown(
          IllegalStateException.class, () -> loader.epoch(0).iterator(), "can be read once");
    }
    source.assertOpenedAndClosed(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 8})
  void shouldCloseASourceOnceAfterABreakAndLetTheEpochGoOn(int workers) {
    for (int taken = 0; taken < 5; taken++) {
      Source source = new Source(12);
      try (DataLoader<Long> loader =
          Samples.loader(IterableDataset.once(source).map(sample -> sample + 1), 3, workers)
              .shuffleBuffer(taken % 2)
              .build()) {
        BatchIterator iterator = loader.iterator();
        List<Long> found = Samples.next(iterator, taken);
        Refusals.assertThrown(Exception.class, loader::iterator, "can be read once");
        // The refusal has ended nothing.
        if (taken == 2) {
          found.addAll(Samples.rest(iterator));
          assertThat(found).isEqualTo(LongStream.range(1, 13).boxed().toList());
        }
      }
      assertThat(source.closed).hasValue(source.opened.get());
      assertThat(source.opened.get())
          .isBetween(taken == 0 && workers == 0 ? 0 : taken > 0 ? 1 : 0, 1);
    }
  }

  /** Under a policy that skips what fails, a source that is spent would be an empty epoch. */
  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void shouldNotLetAnotherLoaderHaveAnEmptyEpoch(int workers) {
    Source source = new Source(10);
    IterableDataset<Long> dataset =
        IterableDataset.chain(List.of(IterableDataset.once(source), IterableDataset.of(List.of())));
    assertThat(dataset.readOnce()).isTrue();
    assertThat(dataset.map(sample -> sample).readOnce()).isTrue();
    try (DataLoader<Long> loader = DataLoader.builder(dataset).numWorkers(workers).build()) {
      assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(10));
    }
    try (DataLoader<Long> loader =
        DataLoader.builder(dataset).numWorkers(workers).errorPolicy(ErrorPolicy.skip()).build()) {
      BatchIterator iterator = loader.iterator();
      assertThat(iterator.hasNext()).isTrue();
      assertThatThrownBy(iterator::next)
          .isInstanceOf(LoaderException.class)
          .hasCauseInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("opening shard 0 of Source", "can be read once");
      assertThat(loader.quarantine().entries()).isEmpty();
    }
    source.assertOpenedAndClosed(1);
  }

  @Test
  void shouldReadPastWhatWasDeliveredWhereASourceBeginsAgain() {
    LoaderState state =
        Samples.stateAfter(
            DataLoader.builder(IterableDataset.once(new Source(10))).batchSize(3).build(), 2);
    Source again = new Source(10);
    try (DataLoader<Long> loader =
        DataLoader.builder(IterableDataset.once(again)).batchSize(3).build()) {
      loader.resume(state);
      assertThat(Samples.rest(loader.iterator())).containsExactly(6L, 7L, 8L, 9L);
      loader.resume(state);
      Refusals.assertThrown(Exception.class, loader::iterator, "can be read once");
    }
    again.assertOpenedAndClosed(1);
  }

  @Test
  void shouldDealASourceThatIsReadOnce() {
    for (int rank = 0; rank < 3; rank++) {
      Source source = new Source(11);
      try (DataLoader<Long> loader =
          DataLoader.builder(IterableDataset.once(source)).distributed(rank, 3).build()) {
        assertThat(Samples.rest(loader.iterator()))
            .containsExactly(rank + 0L, rank + 3L, rank + 6L);
      }
      source.assertOpenedAndClosed(1);
    }
  }

  @Test
  void shouldOpenASourceOnceAnEpoch() {
    Source source = new Source(10);
    IterableDataset<Long> dataset = IterableDataset.from(source);
    assertThat(dataset.readOnce()).isFalse();
    assertThat(dataset.name()).isEqualTo("Source");
    try (DataLoader<Long> loader = Samples.loader(dataset, 4, 2).prefetchNextEpoch(false).build()) {
      for (int epoch = 0; epoch < 3; epoch++) {
        assertThat(Samples.rest(loader.iterator())).isEqualTo(Samples.upTo(10));
      }
    }
    source.assertOpenedAndClosed(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayWhichShardCannotBeOpenedAndWhy(boolean once) {
    StreamSource<Long> broken =
        () -> {
          throw new IOException("connection refused");
        };
    IterableDataset<Long> source =
        once ? IterableDataset.once(broken) : IterableDataset.from(broken);
    IterableDataset<Long> dataset =
        IterableDataset.chain(List.of(IterableDataset.of(List.of(1L, 2L)), source));
    try (DataLoader<Long> loader = DataLoader.builder(dataset).batchSize(2).build()) {
      BatchIterator iterator = loader.iterator();
      assertThat(Samples.next(iterator, 1)).containsExactly(1L, 2L);
      assertThatThrownBy(iterator::next)
          .isInstanceOfSatisfying(
              LoaderException.class,
              e -> {
                assertThat(e.dataset()).isEqualTo(dataset.name());
                assertThat(e.description())
                    .isEqualTo("position 2 of the stream, opening shard 0 of ReadOnceTest");
                assertThat(e.stage()).isEqualTo(LoaderException.Stage.READ);
              })
          .hasCauseInstanceOf(IOException.class)
          .hasRootCauseMessage("connection refused");
      assertThat(iterator.hasNext()).isFalse();
    }
  }

  @Test
  void shouldGiveTheIoExceptionThatAnIteratorCouldNotDeclare() {
    SampleStream<Long> stream =
        SampleStream.of(
            Stream.<Long>generate(
                    () -> {
                      throw new UncheckedIOException(new IOException("reset by peer"));
                    })
                .iterator());
    assertThatThrownBy(stream::next)
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("reset by peer");
  }

  @Test
  void shouldCloseAllResourcesOfAStreamOnceWhateverOneThrows() throws IOException {
    List<String> closed = new ArrayList<>();
    SampleStream<Long> stream =
        SampleStream.of(
            List.of(1L).iterator(),
            () -> {
              closed.add("reader");
              throw new IOException("reader");
            },
            () -> {
              closed.add("socket");
              throw new IllegalStateException("socket");
            },
            () -> closed.add("last"));
    assertThatThrownBy(stream::close)
        .isInstanceOf(IOException.class)
        .hasMessage("reader")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
    stream.close();
    assertThat(closed).containsExactly("reader", "socket", "last");
  }
}
