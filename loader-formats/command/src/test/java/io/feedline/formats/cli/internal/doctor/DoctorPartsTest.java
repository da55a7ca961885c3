package io.feedline.formats.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.HostAllocator.HostMemory;
import io.feedline.data.SampleReader.FileRange;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.internal.samples.ForwardingStore;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DoctorPartsTest {

  private static final FileRange RANGE = new FileRange(Path.of("shard"), 10, 20);

  private final AtomicInteger lent = new AtomicInteger();
  private final ImageStore store =
      new ForwardingStore(
          new Samples(
              List.of(new EncodedImage("a", Fixtures.bytes("jpeg_444.jpg"), 0, "jpg")),
              List.of("a"))) {
        @Override
        public Closeable openRange(FileRange range) {
          lent.incrementAndGet();
          return lent::decrementAndGet;
        }
      };

  @Test
  void shouldWaitForEachReadAndEachRange() throws IOException {
    try (DelayedStore far = new DelayedStore(store, Duration.ofHours(1))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> far.read(0))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("while reading a");
      assertThatThrownBy(() -> far.openRange(RANGE))
          .isInstanceOf(InterruptedIOException.class)
          .hasMessageContaining("shard");
      assertThat(Thread.interrupted()).as("restored").isTrue();
    }
    assertThat(lent.get()).isZero();
  }

  @Test
  void shouldNotWaitForSamplesOfARangeThatItHas() throws IOException {
    try (DelayedStore far = new DelayedStore(store, Duration.ofNanos(1))) {
      try (Closeable range = far.openRange(RANGE)) {
        assertThat(range).isNotNull();
        assertThat(lent.get()).isOne();
        Thread.currentThread().interrupt();
        assertThat(far.read(0).key()).isEqualTo("a");
      }
      assertThatThrownBy(() -> far.read(0)).isInstanceOf(InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(lent.get()).isZero();
  }

  @Test
  void shouldGiveTheSameMemoryToTheNextLoader() {
    KeptMemory kept = new KeptMemory();
    HostMemory first = kept.allocate(64);
    HostMemory second = kept.allocate(64);
    first.buffer().putLong(0, 7);
    second.buffer().putLong(0, 8);

    first.close();
    first.close();

    ByteBuffer again = kept.allocate(64).buffer();
    assertThat(again.getLong(0)).isEqualTo(7);
    assertThat(again.remaining()).isEqualTo(64);
    assertThat(kept.allocate(64).buffer().getLong(0)).as("new").isZero();
    assertThat(kept.allocate(32).buffer().remaining()).isEqualTo(32);
    assertThatThrownBy(first::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the memory has been given back");
  }
}
