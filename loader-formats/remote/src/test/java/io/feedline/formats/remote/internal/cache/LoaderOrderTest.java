package io.feedline.formats.remote.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.DiskCache.Eviction;
import io.feedline.formats.remote.internal.fs.ObjectFileSystem;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.tfrecord.TfRecordFiles;
import io.feedline.formats.tfrecord.TfRecordWriter;
import io.feedline.internal.ReadOrderListener;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache in front of a bucket keeps what the order of a real loader needs soonest. */
@Timeout(120)
class LoaderOrderTest {

  private static final int SAMPLES = 160;
  private static final int SHARDS = 4;
  private static final int LINE_BYTES = 1 << 16;
  private static final int EPOCHS = 5;

  @TempDir private Path disk;
  private StubStore stub;
  private ObjectFileSystem files;
  private final Map<String, byte[]> objects = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    stub = new StubStore();
    files = stub.open();
    Random random = new Random(1);
    Path made = disk.resolve("made");
    try (StoreWriter<byte[]> writer =
        TfRecordWriter.builder(made).name("data").shards(SHARDS, SAMPLES).open()) {
      for (int i = 0; i < SAMPLES; i++) {
        byte[] record = new byte[5000 + random.nextInt(3000)];
        random.nextBytes(record);
        writer.write(record);
      }
      writer.commit();
    }
    try (Stream<Path> list = Files.list(made)) {
      for (Path each : list.filter(file -> file.toString().contains("-of-")).toList()) {
        put("tf/" + each.getFileName(), Files.readAllBytes(each));
      }
    }
    for (int i = 0; i < SAMPLES; i++) {
      byte[] image = new byte[3000 + random.nextInt(1000)];
      random.nextBytes(image);
      put("folder/class/%04d.jpg".formatted(i), image);
    }
  }

  private void put(String key, byte[] bytes) {
    stub.put(key, bytes);
    objects.put(key, bytes);
  }

  @AfterEach
  void stop() {
    files.close();
    stub.close();
  }

  /** The bucket's objects without the way to a server: thousands of requests take a while. */
  private final class Memory implements ObjectReader {
    @Override
    public RemoteObject stat(URI uri) throws IOException {
      return files.objects().stat(uri);
    }

    @Override
    public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
      files.objects().list(prefix, sink);
    }

    @Override
    public void read(RemoteObject object, long position, ByteBuffer target) {
      target.put(objects.get(KeyText.key(object.uri())), (int) position, target.remaining());
    }

    @Override
    public void close() {}
  }

  /** A cache that is asked by one thread at a time, and has written what it was given. */
  private final class Watched implements ObjectReader {
    private final CachedObjects cache;
    private final List<String> lines = new ArrayList<>();
    private int told;
    private int awaited;
    private int open;

    Watched(DiskCache options) {
      this.cache =
          new CachedObjects(
              options,
              new Memory(),
              new CacheDisk() {
                @Override
                void force(FileChannel channel, Path file) {}
              });
    }

    /** Has reads wait until so many epochs were told in all. */
    synchronized void await(int epochs) {
      awaited = epochs;
    }

    @Override
    public String server() {
      return cache.server();
    }

    @Override
    public RemoteObject stat(URI uri) throws IOException {
      return cache.stat(uri);
    }

    @Override
    public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
      cache.list(prefix, sink);
    }

    @Override
    public synchronized void read(RemoteObject object, long position, ByteBuffer target)
        throws IOException {
      try {
        while (told < awaited) {
          wait();
        }
        long end = position + target.remaining();
        for (long line = position / LINE_BYTES; line * LINE_BYTES < end; line++) {
          lines.add(KeyText.key(object.uri()) + "#" + line);
        }
        cache.read(object, position, target);
        cache.awaitWritten();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }

    private synchronized void tell() {
      told++;
      notifyAll();
    }

    @Override
    public ReadOrderListener listener(URI root) {
      ReadOrderListener listener = cache.listener(root);
      return new ReadOrderListener() {
        @Override
        public String name() {
          return listener.name();
        }

        @Override
        public Reads follow(Progress progress) {
          Reads reads = listener.follow(progress);
          open++;
          return new Reads() {
            @Override
            public void add(long position, Path file, long offset, long end) {
              reads.add(position, file, offset, end);
            }

            @Override
            public void known(long first, long end) {
              reads.known(first, end);
              tell();
            }

            @Override
            public void forget() {
              reads.forget();
            }

            @Override
            public void close() {
              reads.close();
              open--;
            }
          };
        }
      };
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  /** A cache that is told nothing. */
  private record Untold(ObjectReader cache) implements ObjectReader {
    @Override
    public String server() {
      return cache.server();
    }

    @Override
    public RemoteObject stat(URI uri) throws IOException {
      return cache.stat(uri);
    }

    @Override
    public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
      cache.list(prefix, sink);
    }

    @Override
    public void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
      cache.read(object, position, target);
    }

    @Override
    public void close() {}
  }

  private int lineLength(String line) {
    int hash = line.indexOf('#');
    long start = Long.parseLong(line.substring(hash + 1)) * LINE_BYTES;
    return (int) Math.min(LINE_BYTES, objects.get(line.substring(0, hash)).length - start);
  }

  private long cost(String prefix) {
    long cost = 0;
    for (Map.Entry<String, byte[]> each : objects.entrySet()) {
      for (long line = 0;
          each.getKey().startsWith(prefix) && line * LINE_BYTES < each.getValue().length; ) {
        cost += CacheDirectory.cost(lineLength(each.getKey() + "#" + line++));
      }
    }
    return cost;
  }

  private DiskCache cache(long bytes, Eviction eviction) {
    return DiskCache.at(disk.resolve("cache-" + bytes + eviction))
        .cacheBytes(bytes)
        .lineBytes(LINE_BYTES)
        .eviction(eviction)
        .build();
  }

  private TfRecordDataset records(ObjectFileSystem from) throws IOException {
    return TfRecordDataset.open(
        TfRecordFiles.builder(from.getPath("/tf/data-*"))
            .indexDirectory(disk.resolve("indexes"))
            .build());
  }

  private static <T> DataLoaderBuilder<T> loader(Dataset<T> dataset) {
    return DataLoader.builder(dataset)
        .collator((samples, batch) -> batch.values("sample", samples))
        .name("known")
        .batchSize(7)
        .shuffle(true)
        .seed(3);
  }

  private static void read(Iterable<Batch> epoch) {
    for (Batch batch : epoch) {
      batch.close();
    }
  }

  /**
   * Hits of the first reads with room for some bytes by Belady's MIN: what is needed last leaves,
   * be it the new line.
   */
  private long mostHits(List<String> lines, int counted, long bytes) {
    Map<String, List<Integer>> uses = new HashMap<>();
    for (int i = 0; i < lines.size(); i++) {
      uses.computeIfAbsent(lines.get(i), absent -> new ArrayList<>()).add(i);
    }
    Set<String> kept = new HashSet<>();
    long taken = 0;
    long hits = 0;
    for (int i = 0; i < counted; i++) {
      int now = i;
      String line = lines.get(i);
      if (kept.contains(line)) {
        hits++;
        continue;
      }
      kept.add(line);
      taken += CacheDirectory.cost(lineLength(line));
      while (taken > bytes) {
        String last =
            kept.stream()
                .max((a, b) -> Integer.compare(next(uses.get(a), now), next(uses.get(b), now)))
                .orElseThrow();
        kept.remove(last);
        taken -= CacheDirectory.cost(lineLength(last));
      }
    }
    return hits;
  }

  private static int next(List<Integer> uses, int after) {
    return uses.stream().filter(each -> each > after).findFirst().orElse(Integer.MAX_VALUE);
  }

  /** What a cache did in some epochs, and the most that any could have done. */
  private record Run(long hits, long most, int reads) {}

  private interface Opening {
    Dataset<?> open(ObjectFileSystem cached) throws IOException;
  }

  /** Reads epochs in the order of one loader, without anything ahead of it. */
  private Run inOrder(
      Opening opening, long bytes, Eviction eviction, UnaryOperator<DataLoaderBuilder<?>> options)
      throws Exception {
    Watched watched = new Watched(cache(CacheDirectory.OVERHEAD + bytes, eviction));
    try (ObjectFileSystem cached = StubStore.through(files, watched)) {
      Dataset<?> dataset = opening.open(cached);
      long hits = 0;
      int reads = 0;
      try (DataLoader<?> loader =
          options.apply(loader(dataset).numWorkers(0).readAhead(0)).build()) {
        for (int epoch = 0; epoch <= EPOCHS; epoch++) {
          hits = watched.cache.stats().hits();
          reads = watched.lines.size();
          watched.await(epoch + 2); // this one and the next are known
          read(loader);
        }
      }
      assertThat(watched.open).as("orders that are still followed").isZero();
      return new Run(hits, mostHits(watched.lines, reads, bytes), reads);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 50})
  void shouldHitAsOftenAsTheOptimumWhereLinesHaveSeveralSamples(int percent) throws Exception {
    records(files).close(); // which makes the index
    long room = cost("tf/") * percent / 100;
    Run farthest = inOrder(this::records, room, Eviction.FARTHEST_NEXT_USE, each -> each);
    Run kept = inOrder(this::records, room, Eviction.NONE, each -> each);
    Run recent = inOrder(this::records, room, Eviction.LEAST_RECENTLY_USED, each -> each);
    assertThat(farthest.hits()).isCloseTo(farthest.most(), within(farthest.most() / 50));
    assertThat(farthest.hits()).isGreaterThan(kept.hits() * 5 / 4);
    assertThat(farthest.hits()).isGreaterThan(recent.hits() * 5 / 4);
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 50})
  void shouldHitAsOftenAsTheOptimumWhereEachSampleIsAnObject(int percent) throws Exception {
    Opening folder = cached -> ImageFolder.of(cached.getPath("/folder")).encoded();
    long room = cost("folder/") * percent / 100;
    Run farthest = inOrder(folder, room, Eviction.FARTHEST_NEXT_USE, each -> each);
    Run recent = inOrder(folder, room, Eviction.LEAST_RECENTLY_USED, each -> each);
    assertThat(farthest.hits()).isEqualTo(farthest.most());
    assertThat(farthest.hits()).isGreaterThan(recent.hits() * 2);
  }

  @Test
  void shouldFollowTheOrderThroughPartsMixturesAndSeveralStores() throws Exception {
    records(files).close();
    Opening mixed =
        cached -> {
          Dataset<Object> shards = records(cached).map(record -> record);
          Dataset<Object> folder =
              ImageFolder.of(cached.getPath("/folder")).encoded().map(image -> image);
          return Dataset.concat(
              shards.split(new double[] {0.5, 0.5}, 1).get(0), folder.subset(20, 100));
        };
    long room = cost("") / 5;
    Run farthest = inOrder(mixed, room, Eviction.FARTHEST_NEXT_USE, each -> each);
    Run kept = inOrder(mixed, room, Eviction.NONE, each -> each);
    assertThat(farthest.hits()).isCloseTo(farthest.most(), within(farthest.most() / 50));
    assertThat(farthest.hits()).isGreaterThan(kept.hits());
  }

  @Test
  void shouldFollowAnOrderWithReplacement() throws Exception {
    records(files).close();
    long room = cost("tf/") / 5;
    UnaryOperator<DataLoaderBuilder<?>> drawn =
        each ->
            each.shuffle(false)
                .sampler(RandomSampler.builder(SAMPLES).seed(5).replacement(true).build());
    Run farthest = inOrder(this::records, room, Eviction.FARTHEST_NEXT_USE, drawn);
    assertThat(farthest.hits()).isCloseTo(farthest.most(), within(farthest.most() / 50));
  }

  @Test
  void shouldHitNearlyAsOftenWhereReadsAreAheadOfTheWorkers() throws Exception {
    records(files).close();
    long room = cost("tf/") / 5;
    Map<Eviction, Run> runs = new HashMap<>();
    for (Eviction eviction : Eviction.values()) {
      Watched watched = new Watched(cache(CacheDirectory.OVERHEAD + room, eviction));
      try (ObjectFileSystem cached = StubStore.through(files, watched);
          TfRecordDataset records = records(cached)) {
        watched.await(2);
        try (DataLoader<?> loader =
            loader(records).numWorkers(2).readAhead(4).readAheadBytes(1 << 17).build()) {
          int reads = 0;
          long hits = 0;
          for (int epoch = 0; epoch <= EPOCHS; epoch++) {
            synchronized (watched) {
              reads = watched.lines.size();
              hits = watched.cache.stats().hits();
            }
            watched.await(epoch + 2);
            read(loader);
          }
          runs.put(eviction, new Run(hits, mostHits(watched.lines, reads, room), reads));
        }
      }
    }
    Run farthest = runs.get(Eviction.FARTHEST_NEXT_USE);
    assertThat(farthest.hits()).isGreaterThan(farthest.most() * 3 / 4);
    assertThat(farthest.hits()).isGreaterThan(runs.get(Eviction.NONE).hits() * 5 / 4);
    assertThat(farthest.hits())
        .isGreaterThan(runs.get(Eviction.LEAST_RECENTLY_USED).hits() * 5 / 4);
  }

  /** The second rank is as if it were in another process, whose order this one is not told. */
  @Test
  void shouldKeepForOneRankWhatAnotherOneNeeds() throws Exception {
    records(files).close();
    long room = cost("tf/") / 4;
    Watched watched =
        new Watched(cache(CacheDirectory.OVERHEAD + room, Eviction.FARTHEST_NEXT_USE));
    try (ObjectFileSystem cached = StubStore.through(files, watched);
        ObjectFileSystem untold = StubStore.through(files, new Untold(watched));
        TfRecordDataset mine = records(cached);
        TfRecordDataset others = records(untold);
        DataLoader<?> first = rank(mine, 0);
        DataLoader<?> second = rank(others, 1)) {
      long hits = 0;
      int reads = 0;
      for (int epoch = 0; epoch <= EPOCHS; epoch++) {
        hits = watched.cache.stats().hits();
        reads = watched.lines.size();
        watched.await(epoch + 2);
        BatchIterator ours = first.iterator();
        BatchIterator theirs = second.iterator();
        while (ours.hasNext()) {
          ours.next().close();
          theirs.next().close();
        }
      }
      assertThat(hits).isGreaterThan(mostHits(watched.lines, reads, room) * 8 / 10);
    }
  }

  private static DataLoader<?> rank(Dataset<?> dataset, int rank) {
    return loader(dataset)
        .numWorkers(0)
        .readAhead(0)
        .distributed(new WorldInfo(rank, 2), Remainder.PAD)
        .build();
  }

  @Test
  void shouldFollowTheEpochThatIsBegunWhereAnotherWasBrokenOff() throws Exception {
    records(files).close();
    long room = cost("tf/") / 5;
    Watched watched =
        new Watched(cache(CacheDirectory.OVERHEAD + room, Eviction.FARTHEST_NEXT_USE));
    try (ObjectFileSystem cached = StubStore.through(files, watched);
        TfRecordDataset records = records(cached);
        DataLoader<?> loader = loader(records).numWorkers(0).readAhead(0).build()) {
      int told = 0;
      for (int epoch : new int[] {0, 1, 7, 8, 3, 4}) {
        // One that follows the one before was told; of another one both are.
        told += epoch == 0 || epoch == 7 || epoch == 3 ? 2 : 1;
        watched.await(told);
        BatchIterator batches = loader.epoch(epoch).iterator();
        for (int taken = 0; taken < 20; taken++) {
          batches.next().close();
        }
      }
      long most = mostHits(watched.lines, watched.lines.size(), room);
      assertThat(watched.cache.stats().hits()).isGreaterThan(most * 8 / 10);
    }
  }
}
