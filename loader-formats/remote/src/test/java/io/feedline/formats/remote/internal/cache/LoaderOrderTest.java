package io.feedline.formats.remote.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.DiskCache.Eviction;
import io.feedline.formats.remote.internal.fs.ObjectFileSystem;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.remote.internal.s3.ObjectReader;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.internal.ReadOrderListener;
import io.feedline.sampler.DistributedSampler.Remainder;
import io.feedline.sampler.RandomSampler;
import io.feedline.sampler.Sampler;
import io.feedline.sampler.SubsetRandomSampler;
import io.feedline.sampler.WorldInfo;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A cache in front of a bucket keeps what the order of a real loader needs soonest, and moves
 * hardly more bytes than are asked for.
 */
@Timeout(120)
class LoaderOrderTest {

  private static final int SAMPLES = 160;
  private static final int SHARDS = 4;
  private static final int LINE_BYTES = 1 << 16;
  private static final int EPOCHS = 5;

  @TempDir private Path disk;
  @AutoClose private final StubStore stub = new StubStore();
  @AutoClose private final ObjectFileSystem files = stub.open();
  private final Map<String, byte[]> objects = new HashMap<>();

  @BeforeEach
  void start() throws IOException {
    Random random = new Random(1);
    Path made = disk.resolve("made");
    try (StoreWriter<byte[]> writer =
        TfRecordDataset.writer(made).name("data").shards(SHARDS, SAMPLES).open()) {
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
    records(files).close(); // makes the indexes
  }

  private void put(String key, byte[] bytes) {
    stub.put(key, bytes);
    objects.put(key, bytes);
  }

  /** A reader in front of another one, which knows no order and leaves the other one open. */
  private static class Forwarding implements ObjectReader {
    private final ObjectReader to;

    Forwarding(ObjectReader to) {
      this.to = to;
    }

    @Override
    public String server() {
      return to.server();
    }

    @Override
    public RemoteObject stat(URI uri) throws IOException {
      return to.stat(uri);
    }

    @Override
    public void list(URI prefix, Consumer<RemoteObject> sink) throws IOException {
      to.list(prefix, sink);
    }

    @Override
    public void read(RemoteObject object, long position, ByteBuffer target) throws IOException {
      to.read(object, position, target);
    }

    @Override
    public void close() {}
  }

  /** The bucket's objects without the way to a server: thousands of requests take a while. */
  private final class Memory extends Forwarding {
    Memory() {
      super(files.objects());
    }

    @Override
    public void read(RemoteObject object, long position, ByteBuffer target) {
      target.put(objects.get(KeyText.key(object.uri())), (int) position, target.remaining());
    }
  }

  /** A cache that is asked by one thread at a time, and has written what it was given. */
  private final class Watched extends Forwarding {
    private final ObjectReader origin;
    private final CachedObjects cache;
    private int told;
    private int awaited;
    private int open;
    private long asked;

    /** Until then reads are past the cache. */
    private boolean isOpened = true;

    Watched(long room, Eviction eviction) {
      this(cache(CacheDirectory.OVERHEAD + room, eviction), new Memory());
    }

    private Watched(DiskCache options, Memory origin) {
      super(origin);
      this.origin = origin;
      this.cache =
          new CachedObjects(
              options,
              origin,
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
    public synchronized void read(RemoteObject object, long position, ByteBuffer target)
        throws IOException {
      try {
        while (told < awaited) {
          wait();
        }
        if (!isOpened) {
          origin.read(object, position, target);
          return;
        }
        asked += target.remaining();
        cache.read(object, position, target);
        cache.awaitWritten();
      } catch (InterruptedException interrupted) {
        throw new AssertionError(interrupted);
      }
    }

    synchronized Run run() {
      CachedObjects.Stats stats = cache.stats();
      return new Run(stats.hits(), asked, stats.originBytes());
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
          return (Reads)
              Proxy.newProxyInstance(
                  Reads.class.getClassLoader(),
                  new Class<?>[] {Reads.class},
                  (proxy, method, arguments) -> {
                    method.invoke(reads, arguments);
                    if (method.getName().equals("known")) {
                      tell();
                    }
                    open -= method.getName().equals("close") ? 1 : 0;
                    return null;
                  });
        }
      };
    }

    @Override
    public void close() {
      cache.close();
    }
  }

  private long cost(String prefix) {
    long cost = 0;
    for (Map.Entry<String, byte[]> each : objects.entrySet()) {
      int left = each.getKey().startsWith(prefix) ? each.getValue().length : 0;
      for (; left > 0; left -= LINE_BYTES) {
        cost += CacheDirectory.cost(Math.min(left, LINE_BYTES));
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
    return TfRecordDataset.builder(from.getPath("/tf/data-*"))
        .indexDirectory(disk.resolve("indexes"))
        .build();
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

  /** The uses of a cache in some epochs: hits, and the bytes that were asked for and moved. */
  private record Run(long hits, long asked, long moved) {

    /** The part of each epoch but the first that fits is not moved again; some is, by chance. */
    void assertSpares(double part) {
      assertThat(moved).isLessThan((long) (asked * (1 - part)));
    }
  }

  private interface Opening {
    Dataset<?> open(ObjectFileSystem cached) throws IOException;
  }

  /** Reads epochs in the order of one loader, without anything ahead of it. */
  private Run inOrder(
      Opening opening,
      long room,
      Eviction eviction,
      boolean isKnown,
      int epochs,
      UnaryOperator<DataLoaderBuilder<?>> options)
      throws Exception {
    Watched watched = new Watched(room, eviction);
    watched.isOpened = false;
    ObjectReader through = isKnown ? watched : new Forwarding(watched);
    try (ObjectFileSystem cached = StubStore.through(files, through)) {
      Dataset<?> dataset = opening.open(cached);
      assertThat(dataset.get(0)).as("the index is there").isNotNull();
      watched.isOpened = true;
      try (DataLoader<?> loader =
          options.apply(loader(dataset).numWorkers(0).readAhead(0)).build()) {
        for (int epoch = 0; epoch < epochs; epoch++) {
          watched.await(isKnown ? epoch + 2 : 0); // this one and the next are known
          read(loader);
        }
      }
      assertThat(watched.open).as("orders that are still followed").isZero();
      return watched.run();
    }
  }

  /** Has lines leave that are needed last, and fetches at most a fiftieth more than if all stay. */
  private Run farthest(Opening opening, long room, UnaryOperator<DataLoaderBuilder<?>> options)
      throws Exception {
    Run farthest = inOrder(opening, room, Eviction.FARTHEST_NEXT_USE, true, EPOCHS, options);
    Run kept = inOrder(opening, room, Eviction.NONE, true, EPOCHS, options);
    assertThat(farthest.moved()).isLessThanOrEqualTo(kept.moved() * 51 / 50);
    return farthest;
  }

  /**
   * A line that makes others leave has to spare what it and they cost, which few do where all are
   * read as often: what is in stays.
   */
  @ParameterizedTest
  @ValueSource(ints = {20, 50})
  void shouldMoveNoMoreThanWhereAllStaysWhereLinesHaveSeveralSamples(int percent) throws Exception {
    long room = cost("tf/") * percent / 100;
    Run farthest = farthest(this::records, room, each -> each);
    farthest.assertSpares(percent * 0.006);
    Run recent =
        inOrder(this::records, room, Eviction.LEAST_RECENTLY_USED, true, EPOCHS, each -> each);
    assertThat(recent.moved()).isBetween(farthest.moved(), recent.asked() * 11 / 10);
  }

  /** An object that is read whole costs what was asked for: so its hits are the most there are. */
  @ParameterizedTest
  @ValueSource(ints = {20, 50})
  void shouldHitAsOftenAsTheOptimumWhereEachSampleIsAnObject(int percent) throws Exception {
    Opening folder = cached -> ImageFolder.of(cached.getPath("/folder")).encoded();
    long room = cost("folder/") * percent / 100;
    Run farthest = inOrder(folder, room, Eviction.FARTHEST_NEXT_USE, true, EPOCHS, each -> each);
    Run recent = inOrder(folder, room, Eviction.LEAST_RECENTLY_USED, true, EPOCHS, each -> each);
    assertThat(farthest.hits()).isEqualTo((EPOCHS - 1L) * (SAMPLES * percent / 100));
    assertThat(farthest.hits()).isGreaterThan(recent.hits() * 2);
    assertThat(farthest.moved()).isLessThan(recent.moved());
  }

  @Test
  void shouldFollowTheOrderThroughPartsMixturesAndSeveralStores() throws Exception {
    Opening mixed =
        cached -> {
          Dataset<Object> shards = records(cached).map(record -> record);
          Dataset<Object> folder =
              ImageFolder.of(cached.getPath("/folder")).encoded().map(image -> image);
          return Dataset.concat(
              shards.split(new double[] {0.5, 0.5}, 1).get(0), folder.subset(20, 100));
        };
    farthest(mixed, cost("") / 5, each -> each).assertSpares(0.15);
  }

  @Test
  void shouldFollowAnOrderWithReplacement() throws Exception {
    Sampler drawn = RandomSampler.builder(SAMPLES).seed(5).replacement(true).build();
    farthest(this::records, cost("tf/") / 5, each -> each.shuffle(false).sampler(drawn))
        .assertSpares(0.12);
  }

  @Test
  void shouldMoveLittleMoreWhereReadsAreAheadOfTheWorkers() throws Exception {
    long room = cost("tf/") / 5;
    Map<Eviction, Run> runs = new HashMap<>();
    for (Eviction eviction : Eviction.values()) {
      Watched watched = new Watched(room, eviction);
      try (ObjectFileSystem cached = StubStore.through(files, watched);
          TfRecordDataset records = records(cached)) {
        watched.await(2);
        try (DataLoader<?> loader =
            loader(records).numWorkers(2).readAhead(4).readAheadBytes(1 << 17).build()) {
          for (int epoch = 0; epoch <= EPOCHS; epoch++) {
            watched.await(epoch + 2);
            read(loader);
          }
          runs.put(eviction, watched.run());
        }
      }
    }
    Run farthest = runs.get(Eviction.FARTHEST_NEXT_USE);
    assertThat(farthest.moved()).isLessThan(runs.get(Eviction.NONE).moved() * 11 / 10);
    farthest.assertSpares(0.1);
  }

  private Run move(
      int percent, Eviction eviction, boolean isKnown, UnaryOperator<DataLoaderBuilder<?>> options)
      throws Exception {
    return inOrder(this::records, cost("tf/") * percent / 100, eviction, isKnown, 2, options);
  }

  @ParameterizedTest
  @CsvSource({
    "10, true, true", "30, true, true", "60, true, true", "100, true, true",
    "10, false, true", "30, false, true", "60, false, true", "100, false, true",
    "10, true, false", "30, true, false", "60, true, false", "100, true, false",
    "10, false, false", "30, false, false", "60, false, false", "100, false, false"
  })
  void shouldMoveLittleMoreThanIsAskedFor(int percent, boolean isKnown, boolean isShuffled)
      throws Exception {
    for (Eviction eviction : Eviction.values()) {
      Run run = move(percent, eviction, isKnown, each -> each.shuffle(isShuffled));
      assertThat(run.moved()).as("%s", eviction).isLessThanOrEqualTo(run.asked() * 11 / 10);
      if (eviction != Eviction.LEAST_RECENTLY_USED) {
        // The entries in it stay, so that a second epoch needs not move them again.
        long spared = run.asked() / 2 * percent / 100;
        assertThat(run.moved()).as("%s", eviction).isLessThan(run.asked() - spared * 7 / 10);
      }
      if (percent == 100) {
        assertThat(run.moved()).as("%s", eviction).isLessThanOrEqualTo(cost("tf/"));
      }
    }
  }

  /** A tenth of the samples: a line has one of ten that are asked for. */
  @Test
  void shouldNotFetchLinesOfWhichLittleIsAskedFor() throws Exception {
    long[] few = LongStream.range(0, SAMPLES / 10).map(i -> i * 10).toArray();
    Run run =
        move(
            100,
            Eviction.FARTHEST_NEXT_USE,
            true,
            each -> each.shuffle(false).sampler(SubsetRandomSampler.of(few, 3)));
    assertThat(run.moved()).isLessThanOrEqualTo(run.asked() * 11 / 10);
  }

  /** The second rank is as if it were in another process, whose order this one is not told. */
  @Test
  void shouldKeepForOneRankWhatAnotherOneNeeds() throws Exception {
    long room = cost("tf/") / 4;
    Watched watched = new Watched(room, Eviction.FARTHEST_NEXT_USE);
    try (ObjectFileSystem cached = StubStore.through(files, watched);
        ObjectFileSystem untold = StubStore.through(files, new Forwarding(watched));
        TfRecordDataset mine = records(cached);
        TfRecordDataset others = records(untold);
        DataLoader<?> first = rank(mine, 0);
        DataLoader<?> second = rank(others, 1)) {
      for (int epoch = 0; epoch <= EPOCHS; epoch++) {
        watched.await(epoch + 2);
        BatchIterator ours = first.iterator();
        BatchIterator theirs = second.iterator();
        while (ours.hasNext()) {
          ours.next().close();
          theirs.next().close();
        }
      }
      watched.run().assertSpares(0.15);
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
    long room = cost("tf/") / 5;
    Watched watched = new Watched(room, Eviction.FARTHEST_NEXT_USE);
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
      watched.run().assertSpares(0.12);
    }
  }

  /** Epochs that are left while the bucket is read ahead through a cache that knows their order. */
  @Test
  void shouldLeaveNoConnectionNoThreadAndNoFileBehind() throws Exception {
    assumeTrue(
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean,
        "open descriptors are counted on Unix only");
    UnixOperatingSystemMXBean system =
        (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    DiskCache cache =
        cache(CacheDirectory.OVERHEAD + cost("folder/") * 9 / 10, Eviction.FARTHEST_NEXT_USE);
    Path cached = cache.inFrontOf(files.getPath("/folder"));
    long before;
    try (ImageDataset images = ImageFolder.of(cached);
        DataLoader<?> loader =
            loader(images.encoded())
                .name("left-alone")
                .batchSize(8)
                .numWorkers(2)
                .readAhead(8)
                .build()) {
      images.encoded(0);
      before = system.getOpenFileDescriptorCount();
      for (int epoch = 0; epoch < 1000; epoch++) {
        BatchIterator batches = loader.iterator();
        for (int taken = 0; taken < epoch % 4; taken++) {
          batches.next().close();
        }
      }
    }
    cached.getFileSystem().close();
    // Both ends of 16 connections that are kept for the next request, at most.
    assertThat(system.getOpenFileDescriptorCount()).isLessThanOrEqualTo(before + 2 * 16);
    assertThat(Thread.getAllStackTraces().keySet())
        .noneMatch(thread -> thread.isAlive() && thread.getName().contains("left-alone"));
    try (Stream<Path> left = Files.list(cache.directory())) {
      assertThat(left.map(each -> each.getFileName().toString()))
          .allMatch(name -> name.endsWith(".line") || name.equals("feedline-cache"));
    }
  }
}
