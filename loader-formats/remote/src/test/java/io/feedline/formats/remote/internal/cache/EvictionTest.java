package io.feedline.formats.remote.internal.cache;

import static io.feedline.formats.remote.internal.cache.FakeObjects.check;
import static io.feedline.formats.remote.internal.cache.FakeObjects.checkAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.DiskCache.Eviction;
import io.feedline.formats.remote.internal.cache.CachedObjectsTest.ShiftedDisk;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which entries make room for others. */
class EvictionTest {

  private static final int OBJECTS = 100;
  private static final int BYTES = 3000;
  private static final int EPOCHS = 5;

  @TempDir private Path temporary;

  private final FakeObjects origin = new FakeObjects();

  private DiskCache cache(int room, Eviction eviction) {
    return DiskCache.at(temporary.resolve(room + eviction.name()))
        .cacheBytes(room == 0 ? 0 : CacheDirectory.OVERHEAD + room * CacheDirectory.cost(BYTES))
        .eviction(eviction)
        .build();
  }

  /**
   * Between its use in one epoch and that in the next, an object has to be kept over the end of the
   * epoch, where there is room for so many and no more. So nothing is better than to keep what is
   * in.
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 20, 50, 100})
  void shouldHitAsOftenAsTheOptimumInEpochs(int percent) throws Exception {
    int room = OBJECTS * percent / 100;
    KnownReads reads = KnownReads.shuffled(origin.put(OBJECTS, BYTES), EPOCHS, 7);
    long farthest = optimum(room, reads);
    long kept = hits(cache(room, Eviction.NONE), reads, null);
    long recent = hits(cache(room, Eviction.LEAST_RECENTLY_USED), reads, null);
    assertThat(kept).isEqualTo((EPOCHS - 1L) * room).isEqualTo(farthest);
    if (room == 0 || room == OBJECTS) {
      assertThat(recent).isEqualTo(kept);
    } else {
      assertThat(recent).isLessThan(kept);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5, 20, 50, 100})
  void shouldHitAsOftenAsTheOptimumWhereObjectsComeAtRandom(int percent) throws Exception {
    int room = OBJECTS * percent / 100;
    KnownReads reads = KnownReads.drawn(origin.put(OBJECTS, BYTES), EPOCHS * OBJECTS, 7);
    long farthest = optimum(room, reads);
    long kept = hits(cache(room, Eviction.NONE), reads, null);
    long recent = hits(cache(room, Eviction.LEAST_RECENTLY_USED), reads, null);
    if (room == 0 || room == OBJECTS) {
      assertThat(farthest).isEqualTo(kept).isEqualTo(recent);
    } else {
      assertThat(farthest).isGreaterThan(kept).isGreaterThan(recent);
    }
  }

  private long optimum(int room, KnownReads reads) throws Exception {
    long farthest = hits(cache(room, Eviction.FARTHEST_NEXT_USE), reads, reads);
    assertThat(farthest).isEqualTo(reads.mostHits(room));
    return farthest;
  }

  private long hits(DiskCache cache, KnownReads reads, NextUse order) throws Exception {
    FakeObjects same = new FakeObjects();
    try (CachedObjects reader = new CachedObjects(cache, same)) {
      if (order != null) {
        reader.follow(order);
      }
      for (int i = 0; i < reads.size(); i++) {
        check(reader, reads.at(i));
        reader.awaitWritten();
      }
      assertThat(same.requests).hasSize((int) (reads.size() - reader.stats().hits()));
      assertThat(reader.stats().hits() + reader.stats().misses()).isEqualTo(reads.size());
      return reader.stats().hits();
    }
  }

  @Test
  void shouldFollowAnOrderThatHasChanged() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    try (CachedObjects reader = new CachedObjects(cache(2, Eviction.FARTHEST_NEXT_USE), origin)) {
      NextUse first = (object, line) -> objects.indexOf(object);
      reader.follow(first);
      checkAll(reader, objects.subList(0, 3));
      assertThat(reader.stats().evicted()).as("the third is needed last").isZero();
      reader.leave(first);
      reader.follow((object, line) -> 10 - objects.indexOf(object));
      checkAll(reader, List.of(objects.get(2)));
      assertThat(reader.stats().evicted()).as("now it is needed first").isEqualTo(1);
      check(reader, objects.get(1));
      check(reader, objects.get(2));
      assertThat(reader.stats().hits()).isEqualTo(2);
    }
  }

  /** Two readers of one cache, as two data sets of a training: the sooner use of the two counts. */
  @Test
  void shouldKeepWhatOneOfTwoOrdersNeedsSoon() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    try (CachedObjects reader = new CachedObjects(cache(2, Eviction.FARTHEST_NEXT_USE), origin)) {
      reader.follow((object, line) -> List.of(10, 1000, 500).get(objects.indexOf(object)));
      reader.follow((object, line) -> List.of(1000, 10, 500).get(objects.indexOf(object)));
      checkAll(reader, objects);
      assertThat(reader.stats().evicted()).isZero();
      check(reader, objects.get(0));
      check(reader, objects.get(1));
      assertThat(reader.stats().hits()).isEqualTo(2);
    }
  }

  /** An order of three objects that stands at a position. */
  private record At(List<RemoteObject> objects, long position, List<Long> uses) implements NextUse {
    @Override
    public long nextUse(RemoteObject object, long line) {
      return uses.get(objects.indexOf(object));
    }
  }

  @Test
  void shouldCompareOrdersByHowFarFromTheirPositionsSomethingIsNeeded() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    long never = NextUse.NEVER;
    try (CachedObjects reader = new CachedObjects(cache(2, Eviction.FARTHEST_NEXT_USE), origin)) {
      reader.follow(new At(objects, 1000, List.of(1010L, never, 1100L)));
      reader.follow(new At(objects, 0, List.of(never, 500L, never)));
      checkAll(reader, objects);
      assertThat(reader.stats().evicted()).as("the second is needed in 500 samples").isEqualTo(1);
      check(reader, objects.get(0));
      check(reader, objects.get(2));
      assertThat(reader.stats().hits()).isEqualTo(2);
    }
  }

  @Test
  void shouldGiveUpFirstWhatNobodyHasUsedForADay() throws Exception {
    List<RemoteObject> objects = origin.put(6, BYTES);
    DiskCache cache = cache(3, Eviction.NONE);
    ShiftedDisk yesterday = new ShiftedDisk();
    yesterday.shift = Duration.ofMillis(-CacheEntries.STALE_MILLIS - 60_000);
    try (CachedObjects reader = new CachedObjects(cache, new FakeObjects(), yesterday)) {
      for (RemoteObject object : objects.subList(0, 3)) {
        check(reader, object);
        reader.awaitWritten();
        for (Path entry : CachedObjectsTest.entries(cache.directory())) {
          yesterday.touch(entry);
        }
      }
    }
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      check(reader, objects.get(1));
      checkAll(reader, objects.subList(3, 6));
      assertThat(reader.stats().evicted()).isEqualTo(2);
      check(reader, objects.get(1));
      check(reader, objects.get(3));
      check(reader, objects.get(4));
      assertThat(reader.stats().hits()).isEqualTo(4);
    }
  }

  @Test
  void shouldGiveUpAnotherWhereTheFirstIsReadByAnotherProcess() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    DiskCache cache = cache(2, Eviction.LEAST_RECENTLY_USED);
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      checkAll(reader, List.of(objects.get(0)));
      Path first = CachedObjectsTest.entries(cache.directory()).get(0);
      checkAll(reader, List.of(objects.get(1)));
      try (FileChannel channel =
              FileChannel.open(first, StandardOpenOption.READ, StandardOpenOption.WRITE);
          FileLock lock = channel.lock()) {
        assertThat(lock.isValid()).isTrue();
        check(reader, objects.get(2));
        reader.awaitWritten();
      }
      assertThat(CachedObjectsTest.entries(cache.directory())).hasSize(2).contains(first);
      assertThat(reader.stats().evicted()).isEqualTo(1);
    }
  }

  /** Reads two objects twice: the second time both come from the cache. */
  private static void checkThatBothAreKept(CachedObjects reader, RemoteObject one, RemoteObject two)
      throws Exception {
    for (int time = 0; time < 2; time++) {
      checkAll(reader, List.of(one, two));
    }
    assertThat(reader.stats().hits()).isEqualTo(2);
  }

  @Test
  void shouldGiveBackTheRoomOfWhatCouldNotBeFetched() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    try (CachedObjects reader = new CachedObjects(cache(2, Eviction.NONE), origin)) {
      origin.fault =
          request -> {
            throw new IOException("no answer");
          };
      for (int time = 0; time < 3; time++) {
        assertThatThrownBy(() -> check(reader, objects.get(0))).hasMessageContaining("no answer");
      }
      origin.fault = request -> {};
      checkThatBothAreKept(reader, objects.get(1), objects.get(2));
    }
  }

  /** Entries and account are put there as another process does; the reader knows none of them. */
  @Test
  void shouldGiveUpWhatAnotherHasPutIn() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    DiskCache cache = cache(2, Eviction.LEAST_RECENTLY_USED);
    DiskCache another = cache(2, Eviction.NONE);
    ShiftedDisk disk = new ShiftedDisk();
    try (CachedObjects reader = new CachedObjects(cache, origin, disk)) {
      try (CachedObjects other = new CachedObjects(another, new FakeObjects())) {
        checkAll(other, objects.subList(0, 2));
      }
      for (Path entry : CachedObjectsTest.entries(another.directory())) {
        Files.move(entry, cache.directory().resolve(entry.getFileName()));
      }
      Path account = another.directory().resolve(CacheDirectory.MARK);
      Files.write(cache.directory().resolve(CacheDirectory.MARK), Files.readAllBytes(account));

      disk.shift = Duration.ofHours(1);
      checkAll(reader, List.of(objects.get(2)));
      assertThat(reader.stats().evicted()).isEqualTo(1);
      check(reader, objects.get(2));
      assertThat(reader.stats().hits()).isEqualTo(1);
    }
  }

  /** The entries are counted anew: one has gone, and its room is used. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldLookIntoTheDirectoryWhereTheAccountIsDamaged(boolean isCut) throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    DiskCache cache = cache(2, Eviction.NONE);
    try (CachedObjects reader = new CachedObjects(cache, origin)) {
      checkAll(reader, List.of(objects.get(0)));
      Files.delete(CachedObjectsTest.entries(cache.directory()).get(0));
      Path mark = cache.directory().resolve(CacheDirectory.MARK);
      try (FileChannel channel = FileChannel.open(mark, StandardOpenOption.WRITE)) {
        if (isCut) {
          channel.truncate(channel.size() - 1);
        } else {
          channel.write(ByteBuffer.allocate(8), 256);
        }
      }
      checkThatBothAreKept(reader, objects.get(1), objects.get(2));
    }
  }

  @Test
  void shouldKeepForMoreThanADayWhatItHasUsedItself() throws Exception {
    List<RemoteObject> objects = origin.put(3, BYTES);
    ShiftedDisk disk = new ShiftedDisk();
    try (CachedObjects reader = new CachedObjects(cache(2, Eviction.NONE), origin, disk)) {
      checkAll(reader, objects.subList(0, 2));
      disk.shift = Duration.ofHours(25);
      checkAll(reader, List.of(objects.get(2)));
      assertThat(reader.stats().evicted()).isZero();
    }
  }

  @Test
  void shouldShrinkToASmallerLimit() throws Exception {
    List<RemoteObject> objects = origin.put(10, BYTES);
    DiskCache large = cache(10, Eviction.NONE);
    try (CachedObjects reader = new CachedObjects(large, origin)) {
      checkAll(reader, objects);
    }
    DiskCache small =
        DiskCache.at(large.directory())
            .cacheBytes(CacheDirectory.OVERHEAD + 4 * CacheDirectory.cost(BYTES))
            .build();
    new CachedObjects(small, new FakeObjects()).close();
    assertThat(CachedObjectsTest.entries(large.directory())).hasSize(4);
  }

  /** Reads in a random order that is known in advance; one thread goes through them. */
  private static final class KnownReads implements NextUse {

    private final List<RemoteObject> reads;
    private final Map<RemoteObject, List<Integer>> positions = new HashMap<>();
    private volatile int position;

    private KnownReads(List<RemoteObject> reads) {
      this.reads = reads;
      for (int i = 0; i < reads.size(); i++) {
        positions.computeIfAbsent(reads.get(i), absent -> new ArrayList<>()).add(i);
      }
    }

    static KnownReads shuffled(List<RemoteObject> objects, int epochs, long seed) {
      Random random = new Random(seed);
      List<RemoteObject> reads = new ArrayList<>();
      for (int epoch = 0; epoch < epochs; epoch++) {
        List<RemoteObject> order = new ArrayList<>(objects);
        Collections.shuffle(order, random);
        reads.addAll(order);
      }
      return new KnownReads(reads);
    }

    /** Returns reads that are drawn with replacement, half of them from a tenth of the objects. */
    static KnownReads drawn(List<RemoteObject> objects, int count, long seed) {
      Random random = new Random(seed);
      List<RemoteObject> reads = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        int among = random.nextBoolean() ? objects.size() / 10 : objects.size();
        reads.add(objects.get(random.nextInt(among)));
      }
      return new KnownReads(reads);
    }

    int size() {
      return reads.size();
    }

    RemoteObject at(int newPosition) {
      position = newPosition;
      return reads.get(newPosition);
    }

    @Override
    public long nextUse(RemoteObject object, long line) {
      return nextUse(object, position);
    }

    private long nextUse(RemoteObject object, int after) {
      for (int each : positions.getOrDefault(object, List.of())) {
        if (each > after) {
          return each;
        }
      }
      return NEVER;
    }

    /**
     * Returns the most hits that any choice has with room for some objects of one size: Belady's
     * MIN, in which the object that is needed last leaves, be it the new one.
     */
    int mostHits(int room) {
      Set<RemoteObject> kept = new HashSet<>();
      int hits = 0;
      for (int i = 0; i < reads.size(); i++) {
        RemoteObject object = reads.get(i);
        if (kept.contains(object)) {
          hits++;
          continue;
        }
        kept.add(object);
        if (kept.size() > room) {
          RemoteObject last = null;
          for (RemoteObject each : kept) {
            if (last == null || nextUse(each, i) > nextUse(last, i)) {
              last = each;
            }
          }
          kept.remove(last);
        }
      }
      return hits;
    }
  }
}
