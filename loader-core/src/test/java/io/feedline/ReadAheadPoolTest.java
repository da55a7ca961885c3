package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.ReadAheadPool.PendingRead;
import io.feedline.data.SampleReader;
import io.feedline.internal.ReadMeter;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pool by itself, with one thread: which reads it begins, together with which. */
@Timeout(60)
class ReadAheadPoolTest {

  private static final int BYTES = 10;
  private static final long BUDGET = 1600;

  private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
  private ReadAheadPool pool;

  private ReadAheadPool pool(int threads, long budget) {
    pool = new ReadAheadPool("pool", threads, budget, begun::add);
    return pool;
  }

  @AfterEach
  void nothingIsLeft() {
    pool.shutDown();
    Workers.join(Workers.GRACE, Workers.GRACE, pool.threads());
    assertThat(pool.pending()).as("reads that nobody has taken").isZero();
    assertThat(pool.held()).as("bytes held").isZero();
  }

  private List<PendingRead<Long>> announce(SampleReader<Long> reader, long... indices) {
    List<PendingRead<Long>> reads = new ArrayList<>();
    pool.lock().lock();
    try {
      for (long index : indices) {
        reads.add(pool.announce(reader, index, reads.size() - 1L));
      }
    } finally {
      pool.lock().unlock();
    }
    return reads;
  }

  private void release(PendingRead<?> read) {
    pool.lock().lock();
    try {
      pool.release(read);
    } finally {
      pool.lock().unlock();
    }
  }

  private void takeAll(List<PendingRead<Long>> reads) throws Exception {
    for (PendingRead<Long> read : reads) {
      assertThat(pool.take(read)).isEqualTo(read.index());
    }
  }

  private static final class Ranges implements SampleReader<Long> {
    private final int length;
    private final CountDownLatch left;
    private final List<String> opened = Collections.synchronizedList(new ArrayList<>());

    Ranges(int length, int reads) {
      this.length = length;
      this.left = new CountDownLatch(reads);
    }

    @Override
    public Long read(long index) {
      left.countDown();
      return index;
    }

    @Override
    public Optional<FileRange> range(long index) {
      return Optional.of(new FileRange(Path.of("all.bin"), index, length));
    }

    @Override
    public Closeable openRange(FileRange range) {
      opened.add(range.offset() + " to " + range.end());
      return () -> {};
    }
  }

  @Test
  void shouldReadTogetherWhatLiesClose() throws Exception {
    Ranges reader = new Ranges(BYTES, 4);
    pool(1, BUDGET);
    List<PendingRead<Long>> reads = announce(reader, 100, 115, 135, 176);
    reader.left.await();
    takeAll(reads);
    // Half of 100 to 145 is used by three; of 100 to 186 less than half would be by four.
    assertThat(reader.opened).containsExactly("100 to 145", "176 to 186");
  }

  @Test
  void shouldReadNoMoreAtOnceThanAPartOfTheBudget() throws Exception {
    Ranges reader = new Ranges(BYTES, 15);
    pool(1, BUDGET);
    long[] indices = new long[15];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = (long) BYTES * i;
    }
    List<PendingRead<Long>> reads = announce(reader, indices);
    reader.left.await();
    takeAll(reads);
    assertThat(reader.opened).containsExactly("0 to 100", "100 to 150");
  }

  @Test
  void shouldGoOnBehindARangeThatIsLargerThanTheBudget() {
    pool(1, BUDGET);
    List<PendingRead<Long>> reads = announce(new Ranges((int) BUDGET, 0), 0);
    assertThat(pool.wantsMore()).isTrue();
    release(reads.get(0));
  }

  @Test
  void shouldTellThePositionsOfReadsThatBegin() throws Exception {
    pool(0, BUDGET);
    List<PendingRead<Long>> reads = announce(new Ranges(BYTES, 0), 100, 100, 200);
    assertThat(begun).isEmpty();
    takeAll(reads);
    // The first has no position, and shares its read with the second.
    assertThat(begun).containsExactly(0L, 1L);
  }

  private static final class Expecting implements SampleReader<Long> {
    private final CountDownLatch asked = new CountDownLatch(2);
    private final CountDownLatch ended = new CountDownLatch(2);

    @Override
    public Long read(long index) {
      asked.countDown();
      try {
        ReadMeter.expect(BYTES);
        ReadMeter.add(BYTES);
        return index;
      } finally {
        ended.countDown();
      }
    }
  }

  @Test
  void shouldGiveUpAReadThatWaitsForRoomWhenNoSampleWantsIt() throws Exception {
    Expecting reader = new Expecting();
    pool(1, BYTES + 5);
    List<PendingRead<Long>> reads = announce(reader, 1, 2);
    // The thread holds the first, and waits for room for the second.
    reader.asked.await();
    release(reads.get(1));
    reader.ended.await();
    assertThat(pool.held()).isEqualTo(BYTES);
    assertThat(pool.take(reads.get(0))).isEqualTo(1);
  }

  @Test
  void shouldChargeTheBytesOfAReadOnce() throws Exception {
    Expecting reader = new Expecting();
    pool(1, 2 * BYTES);
    List<PendingRead<Long>> reads = announce(reader, 1, 1, 2);
    // The second is read when the first is done.
    reader.asked.await();
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try {
      takeAll(reads);
    } finally {
      ReadMeter.restore(before);
    }
    assertThat(meter.take()).isEqualTo(2 * BYTES);
  }

  @Test
  void shouldKnowWhatHasBegunInAnyOrder() {
    pool(0, BUDGET);
    ReadProgress progress = new ReadProgress();
    TreeSet<Long> waiting = new TreeSet<>();
    Random random = new Random(1);
    long end = 0;
    for (int step = 0; step < 100_000; step++) {
      waiting.add(end++);
      // Mostly the first, now and then one of those behind it.
      while (waiting.size() > 50) {
        long next = random.nextInt(3) == 0 ? waiting.higher(waiting.first() + 20) : waiting.first();
        waiting.remove(next);
        progress.pass(next);
        assertThat(progress.isPast(next)).isTrue();
      }
      assertThat(progress.position()).isEqualTo(waiting.first());
      assertThat(progress.isPast(waiting.last())).isFalse();
    }
    assertThat(progress.isPast(0)).isTrue();
    progress.pass(3); // once more
    assertThat(progress.position()).isEqualTo(waiting.first());
  }

  @Test
  void shouldGoOnWithAnotherEpoch() {
    pool(0, BUDGET);
    ReadProgress progress = new ReadProgress();
    progress.pass(1);
    progress.pass(12);
    progress.passAllBefore(10);
    assertThat(progress.position()).isEqualTo(10);
    assertThat(progress.isPast(12)).as("what was begun ahead of time").isTrue();
    progress.passAllBefore(5);
    assertThat(progress.position()).isEqualTo(10);
    progress.restart(20);
    assertThat(progress.position()).isEqualTo(20);
    assertThat(progress.isPast(19)).isTrue();
    assertThat(progress.isPast(20)).isFalse();
  }
}
