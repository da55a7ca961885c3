package io.feedline.formats.store.internal.shards;

import io.feedline.data.FormatException;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.FileStamp;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.internal.Closing;
import io.feedline.internal.Counts;
import io.feedline.internal.Digest;
import io.feedline.internal.Presence;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The indexes of all shards of a dataset, kept beside the shards, or in the {@link IndexCache} if
 * those are remote. Indexes that cannot be kept stay in memory.
 *
 * <p>Without a list of shards, all indexes are made when the dataset is opened. With a list, the
 * index of a shard is made when the shard is first read; the shard must then have the size and the
 * number of samples that the list says. A damaged shard counts as damaged until the dataset is
 * opened again, so it is not scanned for each of its samples.
 *
 * <p>Thread-safe. The caller closes it, which closes the shards; closing twice is allowed.
 */
public final class ShardIndexes implements Closeable {

  private static final Logger LOG = LoggerFactory.getLogger(ShardIndexes.class);

  private static final int ADDED_TOGETHER = 256;

  private final ChosenShards chosen;
  private final OpenFiles files;
  private final UnaryOperator<Path> places;
  private final int unit;
  private final ShardIndex.Scanner scanner;
  private final State[] states;
  private final Shards numbers;
  private final AtomicReference<IOException> unwritable = new AtomicReference<>();

  private final AtomicInteger added = new AtomicInteger();

  /** The state of a shard; its monitor is held while its index is made. */
  private static final class State {
    private volatile ShardIndex index;
    private @Nullable FormatException damage;
  }

  private ShardIndexes(
      ChosenShards chosen,
      OpenFiles files,
      UnaryOperator<Path> places,
      int unit,
      ShardIndex.Scanner scanner)
      throws IOException {
    this.chosen = chosen;
    this.files = files;
    this.places = places;
    this.unit = unit;
    this.scanner = scanner;
    this.states = new State[chosen.shards().size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = new State();
    }
    if (chosen.isListed()) {
      this.numbers = Shards.of(chosen.list().sizes());
      return;
    }
    List<ShardIndex> indexes = ShardTasks.all(chosen.shards(), files, this::loadOrScan);
    for (int i = 0; i < states.length; i++) {
      states[i].index = indexes.get(i);
    }
    this.numbers = Shards.of(indexes.stream().mapToLong(ShardIndex::samples).toArray());
  }

  /** Keeps indexes at {@code places}, or in memory if null; {@code unit} divides all offsets. */
  public static ShardIndexes open(
      ChosenShards shards,
      int openFiles,
      @Nullable UnaryOperator<Path> places,
      int unit,
      ShardIndex.Scanner scanner)
      throws IOException {
    OpenFiles files = new OpenFiles(openFiles);
    try {
      return new ShardIndexes(shards, files, places, unit, scanner);
    } catch (IOException | RuntimeException failure) {
      Closing.afterFailure(failure, files);
      throw failure;
    }
  }

  public ChosenShards chosen() {
    return chosen;
  }

  public OpenFiles files() {
    return files;
  }

  public Path path(long index) {
    return chosen.shards().get(numbers.shardOf(index));
  }

  @Override
  public void close() throws IOException {
    files.close();
  }

  public Shards numbers() {
    return numbers;
  }

  /** Returns the index of a shard; fails if the shard differs from its entry in the list. */
  public ShardIndex get(int shard) throws IOException {
    State state = states[shard];
    ShardIndex index = state.index;
    if (index == null) {
      synchronized (state) {
        index = state.index;
        if (index == null) {
          index = makeOnce(shard, state);
          state.index = index;
        }
      }
    }
    return index;
  }

  private ShardIndex makeOnce(int shard, State state) throws IOException {
    if (state.damage != null) {
      throw new FormatException(state.damage.getMessage(), state.damage);
    }
    try {
      Path path = chosen.shards().get(shard);
      PackedShard listed = chosen.list().shards().get(shard);
      requireBytes(path, FileStamp.of(path).size(), listed);
      ShardIndex index = loadOrScan(path);
      requireSamples(path, index, listed);
      return index;
    } catch (FormatException damage) {
      state.damage = damage;
      throw damage;
    }
  }

  static void requireBytes(Path shard, long bytes, PackedShard listed) throws FormatException {
    if (bytes != listed.bytes()) {
      throw FormatException.in(
          shard,
          "this has %d bytes, the list of shards says %d: it is %s, or another file"
              .formatted(bytes, listed.bytes(), bytes < listed.bytes() ? "cut off" : "longer"));
    }
  }

  private static void requireSamples(Path shard, ShardIndex index, PackedShard listed)
      throws FormatException {
    // The samples before the damage of a damaged shard can be read.
    if (index.damage() == null
        ? index.samples() != listed.samples()
        : index.samples() > listed.samples()) {
      throw FormatException.in(
          shard,
          "this has %s, the list of shards says %d%s"
              .formatted(
                  Counts.of(index.samples(), "sample"),
                  listed.samples(),
                  index.damage() == null ? "" : "; the last is damage: " + index.damage()));
    }
  }

  public String digest(BiFunction<Path, ShardIndex, String> line) {
    return Digest.ofLines(
        IntStream.range(0, states.length)
            .mapToObj(i -> line.apply(chosen.shards().get(i).getFileName(), states[i].index)));
  }

  private Optional<ShardIndex> known(int shard) {
    return Optional.ofNullable(states[shard].index);
  }

  /** Returns a sample's range; empty for a damaged sample, and before the shard has an index. */
  public Optional<FileRange> range(long index) {
    int shard = numbers.shardOf(index);
    int sample = numbers.indexIn(shard, index);
    return known(shard)
        .filter(starts -> !starts.isDamage(sample))
        .map(
            starts ->
                new FileRange(
                    chosen.shards().get(shard),
                    starts.start(sample),
                    starts.end(sample) - starts.start(sample)));
  }

  /** Returns a sample's range, which is an estimate before the shard has an index. */
  public List<FileRange> parts(long index) {
    int shard = numbers.shardOf(index);
    if (known(shard).isPresent()) {
      return range(index).map(List::of).orElse(List.of());
    }
    PackedShard listed = chosen.list().shards().get(shard);
    double each = (double) listed.bytes() / listed.samples();
    long begin = (long) (each * numbers.indexIn(shard, index));
    return List.of(new FileRange(chosen.shards().get(shard), begin, (long) Math.ceil(each)));
  }

  /** Returns the offset of a sample; empty before the shard has an index. */
  public Optional<Long> start(long index) {
    int shard = numbers.shardOf(index);
    int sample = numbers.indexIn(shard, index);
    return known(shard)
        .map(starts -> starts.isDamage(sample) ? starts.end() : starts.start(sample));
  }

  /** Tests whether an index is kept; false if reading it is refused. */
  private static boolean exists(@Nullable Path kept) {
    try {
      return kept != null && Presence.exists(kept);
    } catch (IOException refused) {
      LOG.warn("{} is not used: it cannot be read: {}", kept, refused.toString());
      return false;
    }
  }

  private ShardIndex loadOrScan(Path shard) throws IOException {
    // The stamp is read before the scan. If the shard changes meanwhile, the stamp does not match.
    FileStamp before = FileStamp.of(shard);
    if (places == null || !before.identifies()) {
      return scanner.scan(files, shard);
    }
    Path beside = places.apply(shard);
    boolean writable = LocalFiles.include(beside);
    Path place = writable ? beside : IndexCache.placeOf(shard);
    ShardIndex kept = exists(place) ? ShardIndex.load(files, place, before, null, unit) : null;
    if (kept != null) {
      if (!writable) {
        IndexCache.used(place);
      }
      return kept;
    }
    QuickFingerprint fingerprint = null;
    ShardIndex index = null;
    if (!writable && exists(beside)) {
      fingerprint = QuickFingerprint.of(files, shard, before.size());
      index = ShardIndex.load(files, beside, before, fingerprint, unit);
    }
    if (index == null) {
      index = scanner.scan(files, shard);
    }
    if (!FileStamp.of(shard).equals(before)) {
      throw new IOException(shard + " changed while it was read");
    }
    if (place != null && index.damage() == null && unwritable.get() == null) {
      try {
        if (!writable) {
          LocalFiles.createPrivateDirectory(place.getParent());
        }
        if (fingerprint == null) {
          fingerprint = QuickFingerprint.of(files, shard, before.size());
        }
        index.save(place, before, fingerprint);
        if (!writable && added.getAndIncrement() % ADDED_TOGETHER == 0) {
          IndexCache.prune(place);
        }
      } catch (IOException e) {
        if (unwritable.compareAndSet(null, e)) {
          LOG.info(
              "the index of {} stays in memory and is made again next time, as it cannot be kept:"
                  + " {}",
              shard,
              e.toString());
        }
      }
    }
    return index;
  }
}
