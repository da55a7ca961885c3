package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.Probes;
import io.feedline.batch.Probes.Probe;
import io.feedline.data.Dataset;
import io.feedline.data.IterableDataset;
import io.feedline.data.LoaderException;
import io.feedline.data.Shards;
import io.feedline.internal.Json;
import io.feedline.sampler.BatchSampler;
import io.feedline.sampler.RandomSampler;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A loader that continues where another stood gives the batches that the other would have given,
 * bit for bit, whatever its workers, prefetching and order of delivery.
 */
@Timeout(120)
class ResumeTest {

  private static final int SIZE = 26;

  private static Named<Supplier<DataLoaderBuilder<Probe>>> indexed(
      String name, UnaryOperator<DataLoaderBuilder<Probe>> options) {
    return Named.of(name, () -> options.apply(DataLoader.builder(Probes.augmented(SIZE)).seed(9)));
  }

  private static Dataset<Probe> brittle(long size) {
    Dataset<Probe> read =
        Samples.probes(
            size,
            index -> Samples.failIf(index % 7 == 3 || (index >= 8 && index < 12), "bad " + index));
    return read.map((probe, random) -> probe.withDrawn(random));
  }

  private static Named<Supplier<DataLoaderBuilder<Probe>>> streamed(
      String name, boolean brittle, UnaryOperator<DataLoaderBuilder<Probe>> options) {
    return Named.of(
        name,
        () -> options.apply(DataLoader.builder(Shards.augmented(brittle, 7, 0, 1, 11, 5)).seed(9)));
  }

  private static Named<Supplier<DataLoaderBuilder<Probe>>> seeking(
      String name, boolean brittle, UnaryOperator<DataLoaderBuilder<Probe>> options) {
    return Named.of(
        name,
        () ->
            options.apply(
                DataLoader.builder(Shards.augmented(Shards.of(7, 0, 1, 11, 5).seekable(), brittle))
                    .seed(9)));
  }

  static Stream<Named<Supplier<DataLoaderBuilder<Probe>>>> cases() {
    ErrorPolicy skip = ErrorPolicy.skip();
    return Stream.of(
        indexed("in order", b -> b.batchSize(4)),
        indexed("shuffled, partial", b -> b.batchSize(4).shuffle(true)),
        indexed("shuffled, drop", b -> b.batchSize(4).shuffle(true).dropLast(true)),
        indexed("shuffled, pad", b -> b.batchSize(4).shuffle(true).padLast(true)),
        indexed("without batching", b -> b.withoutBatching().shuffle(true)),
        indexed(
            "batch sampler",
            b -> b.batchSampler(BatchSampler.of(RandomSampler.of(SIZE, 4), 5, false))),
        indexed("one batch", b -> b.batchSize(100).shuffle(true)),
        Named.of(
            "skip", () -> DataLoader.builder(brittle(SIZE)).batchSize(4).seed(9).errorPolicy(skip)),
        Named.of(
            "skip, pad",
            () ->
                DataLoader.builder(brittle(SIZE))
                    .batchSize(4)
                    .shuffle(true)
                    .padLast(true)
                    .errorPolicy(skip)),
        Named.of(
            "substitute",
            () ->
                DataLoader.builder(brittle(SIZE))
                    .batchSize(4)
                    .shuffle(true)
                    .errorPolicy(ErrorPolicy.substitute())),
        streamed("stream", false, b -> b.batchSize(4)),
        streamed("stream, drop", false, b -> b.batchSize(5).dropLast(true)),
        streamed("stream, pad", false, b -> b.batchSize(5).padLast(true)),
        streamed("stream without batching", false, b -> b.withoutBatching()),
        streamed("stream, interleaved", false, b -> b.batchSize(4).interleave(3)),
        streamed(
            "stream, mixed",
            false,
            b -> b.batchSize(4).interleave(2).shuffleShards(true).shuffleBuffer(6)),
        seeking("stream, seeking", false, b -> b.batchSize(4)),
        seeking(
            "stream, seeking, interleaved",
            true,
            b -> b.batchSize(4).interleave(3).errorPolicy(skip)),
        seeking(
            "stream, seeking, mixed",
            true,
            b -> b.batchSize(3).interleave(2).shuffleShards(true).errorPolicy(skip).padLast(true)),
        streamed("stream, skip", true, b -> b.batchSize(4).interleave(2).errorPolicy(skip)),
        streamed(
            "stream, mixed, skip",
            true,
            b ->
                b.batchSize(3)
                    .shuffleShards(true)
                    .shuffleBuffer(5)
                    .padLast(true)
                    .errorPolicy(skip)));
  }

  private static DataLoader<Probe> with(Supplier<DataLoaderBuilder<Probe>> options, int workers) {
    DataLoaderBuilder<Probe> builder = options.get().numWorkers(workers);
    if (workers > 0) {
      builder
          .prefetch(1 + workers % 4)
          .prefetchFirstEpoch(workers > 1)
          .prefetchNextEpoch(workers % 2 == 1);
    }
    return builder.build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldGoOnFromAnyBatchWithAnyNumberOfWorkers(Supplier<DataLoaderBuilder<Probe>> options) {
    int[] workers = {0, 8, 3, 1, 2};
    try (CapturedLog log = new CapturedLog();
        DataLoader<Probe> whole = with(options, 1)) {
      assertThat(log.text()).doesNotContain("ERROR");
      List<Probes.Delivered> stream = new ArrayList<>();
      // After so many batches, in which epochs a state was taken.
      List<LoaderState> states = new ArrayList<>(List.of(whole.state()));
      List<Integer> places = new ArrayList<>(List.of(0));
      for (int epoch = 0; epoch < 3; epoch++) {
        BatchIterator iterator = whole.iterator();
        assertThat(whole.state()).isEqualTo(states.get(states.size() - 1));
        while (iterator.hasNext()) {
          LoaderState before = whole.state();
          try (Batch batch = iterator.next()) {
            stream.add(Probes.Delivered.of(batch));
          }
          assertThat(whole.state()).isNotEqualTo(before);
          states.add(whole.state());
          places.add(stream.size());
        }
        states.add(whole.state());
        places.add(stream.size());
      }
      for (int i = 0; i < states.size(); i++) {
        String json = states.get(i).toJson();
        assertThat(json).hasSizeLessThan(300);
        LoaderState read = LoaderState.fromJson(json);
        assertThat(read).isEqualTo(states.get(i));
        try (DataLoader<Probe> resumed = with(options, workers[i % workers.length])) {
          resumed.resume(read);
          assertThat(resumed.state()).isEqualTo(read);
          List<Probes.Delivered> found = Probes.delivered(resumed, 3);
          List<Probes.Delivered> expected = stream.subList(places.get(i), stream.size());
          assertThat(found.subList(0, Math.min(found.size(), expected.size())))
              .as("from %s", json)
              .isEqualTo(expected);
        }
      }
    }
  }

  /** Reading costs time and, from a store elsewhere, money. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void shouldReadNothingTwiceFromAStreamThatSeeks(int interleave) {
    int samples = 24;
    for (int taken = 0; 4 * taken <= samples; taken++) {
      LoaderState state = Samples.stateAfter(seeking(Shards.of(7, 0, 1, 11, 5), interleave), taken);
      Shards shards = Shards.of(7, 0, 1, 11, 5);
      try (DataLoader<Probe> loader = seeking(shards, interleave)) {
        loader.resume(state);
        assertThat(loader.state()).isEqualTo(state);
        assertThat(Probes.delivered(loader, 1)).hasSize(6 - taken);
      }
      shards.assertAllClosed();
      assertThat(shards.read()).as("after %d batches", taken).isEqualTo(samples - 4 * taken);
    }
  }

  private static DataLoader<Probe> seeking(Shards shards, int interleave) {
    return Samples.loader(shards.seekable(), 4, 0).interleave(interleave).build();
  }

  @Test
  void shouldSayThatAPlaceInAStreamIsDamaged() {
    LoaderState state = Samples.stateAfter(seeking(Shards.of(7, 0, 1, 11, 5), 3), 1);
    assertThat(state.values().stream()).hasSize(4 + 3 * 4);
    for (int i = 0; i < state.values().stream().size(); i += i == 0 ? 1 : 2) {
      List<Long> damaged = new ArrayList<>(state.values().stream());
      damaged.set(i, -1L);
      assertDamaged(state, damaged);
    }
    assertDamaged(state, state.values().stream().subList(0, 5));
    List<Long> noShard = new ArrayList<>(state.values().stream());
    noShard.set(4, 5L);
    assertDamaged(state, noShard);
    List<Long> morePositions = new ArrayList<>(state.values().stream());
    morePositions.set(6, morePositions.get(6) + ShardReader.HOPELESS);
    assertDamaged(state, morePositions);
  }

  private static void assertDamaged(LoaderState state, List<Long> stream) {
    String json =
        ChangedState.checked(
            state.toJson().replace(Json.write(state.values().stream()), Json.write(stream)));
    Shards shards = Shards.of(7, 0, 1, 11, 5);
    try (DataLoader<Probe> loader = seeking(shards, 3)) {
      loader.resume(LoaderState.fromJson(json));
      BatchIterator iterator = loader.iterator();
      Refusals.assertThrown(
          LoaderException.class,
          iterator::next,
          "'stream' of the loader's state is damaged",
          "Shards",
          "5 shards");
      assertThat(iterator.hasNext()).isFalse();
    }
    shards.assertAllClosed();
  }

  /** States that were taken while batches came out of turn say which ones have come. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldGoOnWhereBatchesCameOutOfTurn(boolean stream) {
    List<Long> expected;
    try (DataLoader<Probe> loader = outOfTurn(stream, new Gate(), -1).numWorkers(0).build()) {
      expected = Probes.checksums(loader);
    }
    for (int slow = 0; slow < 8; slow++) {
      Gate gate = new Gate();
      List<Long> found = new ArrayList<>();
      LoaderState state;
      try (DataLoader<Probe> loader =
          outOfTurn(stream, gate, slow * 4L).numWorkers(2).prefetch(5).inOrder(false).build()) {
        BatchIterator iterator = loader.iterator();
        while (found.size() < Math.min(slow + 4, 7)) {
          try (Batch batch = iterator.next()) {
            assertThat(batch.number()).isNotEqualTo(slow);
            found.add(Probes.checksum(batch));
          }
        }
        state = loader.state();
        gate.open();
      }
      assertThat(state.position()).isEqualTo(slow * 4L);
      assertThat(state.values().ahead()).hasSize(Math.min(4, 7 - slow));
      for (int workers : new int[] {0, 1, 8}) {
        for (boolean inOrder : new boolean[] {true, false}) {
          List<Long> all = new ArrayList<>(found);
          try (DataLoader<Probe> loader =
              outOfTurn(stream, gate, -1).numWorkers(workers).inOrder(inOrder).build()) {
            loader.resume(LoaderState.fromJson(state.toJson()));
            assertThat(loader.state()).isEqualTo(state);
            all.addAll(Probes.checksums(loader));
            assertThat(all).containsExactlyInAnyOrderElementsOf(expected);
            if (!stream) {
              assertThat(Probes.checksums(loader)).hasSize(8);
            }
          }
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldStandBehindAllBatchesOnceTheSlowOneHasCome(boolean stream) {
    Gate gate = new Gate();
    try (DataLoader<Probe> loader =
        outOfTurn(stream, gate, 0).numWorkers(2).prefetch(5).inOrder(false).build()) {
      BatchIterator iterator = loader.iterator();
      Samples.take(iterator, 4);
      assertThat(loader.state().position()).isZero();
      assertThat(loader.state().values().ahead()).containsExactly(1L, 2L, 3L, 4L);
      gate.open();
      assertThat(Probes.each(iterator, 1, Batch::number)).containsExactly(0L);
      assertThat(loader.state().position()).isEqualTo(20);
      assertThat(loader.state().values().ahead()).isEmpty();
    }
  }

  /** The batch has no place of its own: the stream is read on from that of the one before. */
  @Test
  void shouldKeepThePlaceInAStreamBehindABatchThatCameOutOfTurn() {
    LoaderState state;
    List<Long> expected;
    try (DataLoader<Probe> loader = seeking(Shards.of(7, 0, 1, 11, 5), 1)) {
      BatchIterator iterator = loader.iterator();
      iterator.next().close();
      state = ChangedState.with(loader.state(), "ahead", List.of(2L));
      Samples.take(iterator, 2);
      expected = Probes.checksums(() -> iterator);
    }
    try (DataLoader<Probe> loader = seeking(Shards.of(7, 0, 1, 11, 5), 1)) {
      loader.resume(state);
      loader.iterator().next().close();
      state = loader.state();
    }
    assertThat(state.position()).isEqualTo(12);
    assertThat(state.values().ahead()).isEmpty();
    assertThat(state.values().stream()).isNotEmpty();
    try (DataLoader<Probe> loader = seeking(Shards.of(7, 0, 1, 11, 5), 1)) {
      loader.resume(state);
      assertThat(Probes.checksums(loader)).isEqualTo(expected);
    }
  }

  private static DataLoaderBuilder<Probe> outOfTurn(boolean stream, Gate gate, long slow) {
    Dataset<Probe> probes = Samples.probes(32, index -> gate.passIf(index == slow));
    return stream
        ? Samples.loader(IterableDataset.of(Samples.upTo(32)).map(probes::get), 4, 1)
        : Samples.loader(probes, 4, 1);
  }

  @Test
  void shouldLeaveOutWhatCameOutOfTurnAfterAChangeOfTheBatchSize() {
    for (boolean stream : new boolean[] {false, true}) {
      LoaderState state =
          Samples.stateAfter(
              outOfTurn(stream, new Gate(), -1).batchSize(3).numWorkers(0).build(), 1);
      // Batches of 8 from sample 3 on are numbered 1 (3 to 10), 2 (11 to 18), 3 (19 to 26), ...
      LoaderState ahead =
          ChangedState.with(
              ChangedState.with(ChangedState.with(state, "position", 3), "ahead", List.of(2L)),
              "batch_size",
              8);
      try (DataLoader<Probe> loader =
          outOfTurn(stream, new Gate(), -1).batchSize(8).numWorkers(2).build()) {
        loader.resume(ahead);
        assertThat(Probes.flat(Probes.indices(loader)))
            .isEqualTo(
                LongStream.concat(LongStream.range(3, 11), LongStream.range(19, 32)).toArray());
      }
    }
  }

  @Test
  void shouldCountFailuresOnwards() {
    List<String> whole = new ArrayList<>();
    for (int resumeEvery : new int[] {1000, 1, 2, 3}) {
      List<String> story = new ArrayList<>();
      LoaderState state = null;
      for (boolean more = true; more; ) {
        try (CapturedLog log = new CapturedLog();
            DataLoader<Probe> loader =
                Samples.loader(brittle(60), 4, 2)
                    .errorPolicy(ErrorPolicy.skip().atMost(9))
                    .build()) {
          if (state != null) {
            loader.resume(state);
          }
          BatchIterator iterator = loader.iterator();
          for (int i = 0; i < resumeEvery && more; i++) {
            // Asking twice must not count twice.
            more = iterator.hasNext();
            assertThat(iterator.hasNext()).isEqualTo(more);
            if (more) {
              story.add(tell(iterator));
            }
            state = loader.state();
          }
          if (iterator.hasNext()) {
            state = loader.state();
          }
          assertThat(log.text()).doesNotContain("ERROR");
        }
      }
      whole = whole.isEmpty() ? story : whole;
      assertThat(story).isEqualTo(whole);
    }
    assertThat(whole)
        .filteredOn(line -> line.contains("failed; the error policy"))
        .hasSizeBetween(1, 5);
  }

  private static String tell(BatchIterator iterator) {
    try (Batch batch = iterator.next()) {
      return batch.toString();
    } catch (LoaderException e) {
      return e.getMessage().replaceAll("failed in \\S+", "failed");
    }
  }

  private static LoaderState stateOf(DataLoaderBuilder<?> builder, int taken) {
    return Samples.stateAfter(builder.numWorkers(1).build(), taken);
  }

  private static void assertRefused(
      LoaderState state, DataLoaderBuilder<?> builder, String... parts) {
    try (DataLoader<?> loader = builder.numWorkers(1).build()) {
      LoaderState before = loader.state();
      assertThatThrownBy(() -> loader.resume(state))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("this state cannot be resumed here: ")
          .hasMessageContainingAll(parts);
      // And it stands where it stood.
      assertThat(loader.state()).isEqualTo(before);
      loader.iterator().next().close();
    }
  }

  private static DataLoaderBuilder<Probe> shuffled(long size) {
    return DataLoader.builder(Probes.dataset(size)).batchSize(4).shuffle(true);
  }

  @Test
  void shouldRefuseAStateOfSomethingElse() {
    LoaderState state = stateOf(shuffled(100).seed(1), 3);
    assertRefused(state, shuffled(101).seed(1), "another dataset", state.dataset());
    assertRefused(state, shuffled(100).seed(2), "seed is 1", "is 2");
    assertRefused(state, shuffled(100).seed(1).shuffle(false), "epoch 0 has another order");
    LoaderState ofBatches = ChangedState.with(state, "batch_size", 0);
    assertRefused(ofBatches, shuffled(100).seed(1), "batch size is 0, this loader's is 4");
    assertRefused(
        state,
        shuffled(100).shuffle(false).seed(1).sampler(RandomSampler.of(100, 2)),
        "another order",
        "another sampler");
    assertRefused(
        state,
        DataLoader.builder(Probes.dataset(100))
            .seed(1)
            .batchSampler(BatchSampler.of(RandomSampler.of(100, 1), 4, false)),
        "order");
    LoaderState stream = stateOf(DataLoader.builder(Shards.of(5, 5, 5)).shuffleShards(true), 2);
    assertRefused(stream, DataLoader.builder(Shards.of(5, 5)).shuffleShards(true), "dataset");
    assertRefused(stream, DataLoader.builder(Shards.of(5, 5, 5)), "order");
    assertRefused(
        stream, DataLoader.builder(Shards.of(5, 5, 5)).shuffleShards(true).interleave(2), "order");
    assertRefused(
        stream,
        DataLoader.builder(Shards.of(5, 5, 5)).shuffleShards(true).shuffleBuffer(4),
        "order");
  }

  /** Wherever two orders differ at all, they differ for a resume, in an epoch of a hundred. */
  @Test
  void shouldRefuseAnOrderThatDiffersInItsLastThird() {
    LoaderState state = stateOf(DataLoader.builder(Probes.dataset(100)), 3);
    assertRefused(
        state,
        DataLoader.builder(Probes.dataset(100))
            .sampler(
                epoch -> Samples.order(100, position -> position < 64 ? position : 163 - position)),
        "another order");
  }

  @Test
  void shouldRefuseABatchSamplerThatGroupsInAnotherWay() {
    BatchSampler four = BatchSampler.of(RandomSampler.of(40, 1), 4, false);
    LoaderState state = stateOf(DataLoader.builder(Probes.dataset(40)).batchSampler(four), 3);
    assertRefused(
        state,
        DataLoader.builder(Probes.dataset(40))
            .batchSampler(BatchSampler.of(RandomSampler.of(40, 2), 4, false)),
        "another order");
    assertRefused(
        state,
        DataLoader.builder(Probes.dataset(40))
            .batchSampler(
                epoch -> {
                  BatchSampler.BatchOrder order = four.order(epoch);
                  return Samples.batches(
                      order.batches(),
                      batch -> order.batchSize(batch),
                      (batch, row) -> order.indexAt(batch, row == 3 ? 3 : 2 - row));
                }),
        "another order");
  }

  @Test
  void shouldRefuseBatchesOutOfTurnThatCannotBe() {
    LoaderState state = stateOf(shuffled(100), 3);
    for (List<Long> ahead :
        List.of(List.of(-1L), List.of(0L), List.of(3L), List.of(25L), List.of(Long.MAX_VALUE))) {
      assertRefused(
          ChangedState.with(state, "ahead", ahead),
          shuffled(100),
          "out of turn",
          ahead.get(0).toString());
    }
    assertRefused(
        ChangedState.with(state, "ahead", List.of(5L)),
        shuffled(100).batchSize(5),
        "batch size 4",
        "not 5");
  }

  @Test
  void shouldRefuseATextThatIsNoState() {
    String good = stateOf(shuffled(100), 3).toJson();
    assertThat(LoaderState.fromJson(good).toJson()).isEqualTo(good);
    for (String[] change :
        new String[][] {
          {"\"feedline\":1", "\"feedline\":2", "version 2"},
          {"\"feedline\":1", "\"feedline\":0", "version 0"},
          {"\"feedline\":1,", "", "not a loader's state: it has the keys [dataset, order"},
          {"\"feedline\":1", "\"feedline\":\"1\"", "'feedline'"},
          {",\"check\":", ",\"cheque\":", "'check'"},
          {"\"dataset\":\"", "\"dataset\":5,\"x\":\"", "'dataset'"},
          {"\"order\":\"", "\"oder\":\"", "'order'"},
          {"\"seed\":0", "\"seed\":\"0\"", "'seed'"},
          {"\"epoch\":0", "\"epoch\":-1", "'epoch'"},
          {"\"position\":12", "\"position\":-12", "'position'"},
          {"\"position\":12", "\"position\":12.5", "'position'"},
          {"\"batch_size\":4", "\"batch_size\":4294967300", "'batch_size'"},
          {"\"world_size\":1", "\"world_size\":[1]", "'world_size'"},
          {"\"world_size\":1", "\"world_size\":0", "'world_size' must be from 1"},
          {"\"samples\":12", "\"offset\":-1,\"samples\":12", "'offset'"},
          {"\"samples\":12", "\"ahead\":3,\"samples\":12", "'ahead'"},
          {"\"samples\":12", "\"samples\":-1", "'samples'"},
          {"\"failures\":0", "\"failures\":null", "'failures'"},
        }) {
      assertThat(good).contains(change[0]);
      Refusals.assertRefused(
          () -> LoaderState.fromJson(good.replace(change[0], change[1])), change[2]);
    }
  }

  @Test
  void shouldTellWhereAStateEndsEarlyAndWhatToDo() {
    String good = stateOf(shuffled(100), 3).toJson();

    Refusals.assertRefused(
        () -> LoaderState.fromJson(good.substring(0, 50)),
        "the text ends early at position 50",
        "resume from an earlier checkpoint, or begin without one");
    for (String empty : new String[] {"", " \n"}) {
      Refusals.assertRefused(
          () -> LoaderState.fromJson(empty), "the text is empty", "earlier checkpoint");
    }
    Refusals.assertRefused(
        () -> LoaderState.fromJson("epoch 3"),
        "expected '{' at position 0, found 'epoch 3'",
        "LoaderState.toJson()");
  }

  private record Plus(long summand) implements Transform<Long, Long> {
    @Override
    public Long apply(Long input) {
      return input + summand;
    }
  }

  private static final class Noise implements RandomTransform<Long, Long> {
    @Override
    public Long apply(Long input, RandomGenerator random) {
      return input + random.nextInt(2);
    }
  }

  private static Dataset<Long> numbers() {
    return Dataset.of(24, index -> index);
  }

  private static LoaderState stateOfOne(Dataset<Long> dataset) {
    return LoaderState.fromJson(
        Samples.stateAfter(DataLoader.builder(dataset).batchSize(4).build(), 1).toJson());
  }

  private static void resume(Dataset<Long> dataset, LoaderState state, boolean same) {
    try (DataLoader<Long> loader = DataLoader.builder(dataset).batchSize(4).build()) {
      if (same) {
        loader.resumeSame(state);
      } else {
        loader.resume(state);
      }
      assertThat(loader.iterator().next().indices()).startsWith(4);
    }
  }

  @Test
  void shouldResumeWithTheSameTransforms() {
    Transform<Long, Long> lambda = number -> number;
    for (Dataset<Long> dataset :
        List.of(
            numbers(),
            numbers().map(new Plus(1)),
            numbers().map(new Plus(1).andThen(new Plus(2))),
            numbers().map(new Noise()).map(lambda))) {
      resume(dataset, stateOfOne(dataset), true);
    }
    resume(numbers().map(new Noise()), stateOfOne(numbers().map(new Noise())), true);
  }

  @Test
  @ExpectedLog(
      "is resumed with other transforms: number 2 was Plus[summand=64] and is Plus[summand=8]")
  void shouldWarnOfAnother() {
    LoaderState state = stateOfOne(numbers().map(new Plus(1)).map(new Plus(64)));
    Dataset<Long> other = numbers().map(new Plus(1)).map(new Plus(8));
    resume(other, state, false);
    Refusals.assertRefused(
        () -> resume(other, state, true), "number 2 was Plus[summand=64] and is Plus[summand=8]");
  }

  @Test
  void shouldRefuseOneMoreAndOneLess() {
    Dataset<Long> more = numbers().map(new Plus(1));
    assertThatThrownBy(() -> resume(more, stateOfOne(numbers()), true))
        .hasMessageEndingWith("number 1 was absent and is Plus[summand=1]");
    assertThatThrownBy(() -> resume(numbers(), stateOfOne(more), true))
        .hasMessageEndingWith("number 1 was Plus[summand=1] and is absent");
  }

  @Test
  void shouldKnowTheTransformsBelowOtherOperations() {
    Dataset<Long> mapped = numbers().map(new Plus(1));
    List<String> plus = List.of("Plus[summand=1]");
    assertThat(mapped.subset(2, 20).transforms()).isEqualTo(plus);
    assertThat(mapped.filter(number -> number > 3).transforms()).isEqualTo(plus);
    assertThat(Dataset.concat(mapped, numbers()).transforms()).isEqualTo(plus);
    assertThat(numbers().zip(mapped, Long::sum).transforms()).isEqualTo(plus);
    assertThat(Dataset.stack(Map.of("x", mapped)).transforms()).isEqualTo(plus);
    IterableDataset<Long> stream = IterableDataset.of(List.of(1L, 2L, 3L)).map(new Plus(1));
    assertThat(stream.transforms()).isEqualTo(plus);
    assertThat(stream.skip(2).take(3).transforms()).isEqualTo(plus);
    assertThat(stream.filter(number -> number > 3).transforms()).isEqualTo(plus);
  }
}
