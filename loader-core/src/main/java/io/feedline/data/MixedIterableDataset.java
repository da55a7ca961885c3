package io.feedline.data;

import io.feedline.data.Dataset.StoppingRule;
import io.feedline.internal.Closing;
import io.feedline.internal.Named;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler.Order;
import io.feedline.transform.SampleRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A mixture of streams by weights. A {@link MixRoute} says which stream's turn is next; the mixture
 * starts at a random position of the route's block.
 */
final class MixedIterableDataset<T> extends Named implements IterableDataset<T> {

  private final List<IterableDataset<T>> members;
  private final double[] weights;
  private final long seed;
  private final StoppingRule rule;
  private final MixRoute route;

  MixedIterableDataset(
      List<IterableDataset<T>> members, double[] weights, long seed, StoppingRule rule) {
    this.members = members;
    this.weights = weights.clone();
    this.seed = seed;
    this.rule = rule;
    this.route = MixRoute.ofStreams(members.size(), weights);
    if (rule == StoppingRule.ALL_EXHAUSTED && members.size() > 1 && readOnce()) {
      throw new IllegalArgumentException(
          "with %s a stream is read again until the others have ended, but %s can be read once only; use %s"
              .formatted(
                  rule,
                  members.stream()
                      .filter(IterableDataset::readOnce)
                      .map(IterableDataset::name)
                      .findFirst()
                      .orElseThrow(),
                  StoppingRule.FIRST_EXHAUSTED));
    }
  }

  @Override
  public List<String> transforms() {
    return members.stream().flatMap(each -> each.transforms().stream()).toList();
  }

  @Override
  public String fingerprint() {
    return members.stream()
        .map(IterableDataset::fingerprint)
        .collect(
            Collectors.joining(
                "+", "mix(" + Arrays.toString(weights) + "," + seed + "," + rule + ":", ")"));
  }

  @Override
  public boolean readOnce() {
    return members.stream().anyMatch(IterableDataset::readOnce);
  }

  @Override
  public String name() {
    return members.stream()
        .map(IterableDataset::name)
        .collect(Collectors.joining(", ", "mix(", ")"));
  }

  @Override
  public SampleStream<T> open(int shard, long epoch) {
    List<Lane<T>> lanes = new ArrayList<>();
    for (int member = 0; member < members.size(); member++) {
      lanes.add(new Lane<>(members.get(member), epoch, shardsOf(member, epoch)));
    }
    // The start is independent of the epoch, so members of one shard give equal samples in each
    // epoch.
    SampleRandom random = new SampleRandom(seed, 0, shard, 0);
    return new Mixture(lanes, random.nextInt(route.block()));
  }

  private int[] shardsOf(int member, long epoch) {
    int shards = members.get(member).shards();
    Order order = RandomSampler.of(shards, seed + member).order(epoch);
    return IntStream.range(0, shards).map(i -> (int) order.indexAt(i)).toArray();
  }

  private static final class Lane<T> {
    private final IterableDataset<T> member;
    private final long epoch;
    private final int[] shards;
    private JoinedStream<T> stream;

    /** True if the member has been read to its end at least once. */
    private boolean exhausted;

    private boolean empty;

    Lane(IterableDataset<T> member, long epoch, int[] shards) {
      this.member = member;
      this.epoch = epoch;
      this.shards = shards;
      this.stream = new JoinedStream<>(member, epoch, shards);
    }

    void beginAgain() throws IOException {
      stream.close();
      stream = new JoinedStream<>(member, epoch, shards);
    }
  }

  /**
   * The stream of a mixture. Its {@link #mark} (place) is the number of turns so far, then for each
   * lane (the stream of one dataset): its state (2: empty, 1: exhausted at least once, 0: neither),
   * the number of samples returned since it last began, the length of its mark, and its mark.
   */
  private final class Mixture implements SampleStream<T> {

    private static final int LANE_NUMBERS = 3;

    private final List<Lane<T>> lanes;
    private final int offset;
    private long turns;
    private boolean ended;

    Mixture(List<Lane<T>> lanes, int offset) {
      this.lanes = lanes;
      this.offset = offset;
    }

    @Override
    public @Nullable PendingSample<T> next() throws Exception {
      while (!ended) {
        int member = route.member(offset + turns);
        Lane<T> lane = lanes.get(member);
        if (lane.empty) {
          turns++;
          continue;
        }
        PendingSample<T> sample = take(lane);
        if (sample != null) {
          return sample;
        }
        lane.exhausted = true;
        lane.empty = lane.stream.given() == 0;
        ended =
            rule == StoppingRule.FIRST_EXHAUSTED || lanes.stream().allMatch(each -> each.exhausted);
        if (lane.empty) {
          throw new IOException(
              "dataset %d of the mixture, %s, has no samples"
                  .formatted(member, lane.member.name()));
        }
        if (!ended) {
          lane.beginAgain();
        }
      }
      return null;
    }

    /** Returns the lane's next sample, null at its end; a failing sample uses up the turn, too. */
    private @Nullable PendingSample<T> take(Lane<T> lane) throws Exception {
      long before = lane.stream.given();
      try {
        return lane.stream.next();
      } finally {
        turns += lane.stream.given() - before;
      }
    }

    @Override
    public List<Long> mark() {
      List<Long> mark = new ArrayList<>();
      mark.add(turns);
      for (Lane<T> lane : lanes) {
        List<Long> place = lane.stream.mark();
        if (place.isEmpty()) {
          return List.of();
        }
        mark.add(lane.empty ? 2L : lane.exhausted ? 1L : 0L);
        mark.add(lane.stream.given());
        mark.add((long) place.size());
        mark.addAll(place);
      }
      return mark;
    }

    @Override
    public void goTo(long samples, List<Long> mark) throws Exception {
      int from = 1;
      for (Lane<T> lane : lanes) {
        int begin = from + LANE_NUMBERS;
        long end = begin <= mark.size() ? begin + mark.get(begin - 1) : Long.MAX_VALUE;
        if (end < begin || end > mark.size() || mark.get(from) > 2 || mark.get(from + 1) < 0) {
          throw new IOException("%s is not a position in %s".formatted(mark, name()));
        }
        lane.exhausted = mark.get(from) > 0;
        lane.empty = mark.get(from) == 2;
        lane.stream.goTo(mark.get(from + 1), mark.subList(begin, (int) end));
        from = (int) end;
      }
      turns = mark.get(0);
    }

    @Override
    public void close() throws IOException {
      ended = true;
      try {
        Closing.each(lanes.stream().map(lane -> lane.stream).toList());
      } catch (IOException | RuntimeException e) {
        throw new IOException("a part of %s could not be closed".formatted(name()), e);
      }
    }
  }
}
