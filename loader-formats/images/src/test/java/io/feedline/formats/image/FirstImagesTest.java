package io.feedline.formats.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FirstImagesTest {

  private static final long FOR_EVER = Long.MAX_VALUE;

  private final ExecutorService others = Executors.newFixedThreadPool(4);

  @AfterEach
  void stop() {
    others.shutdownNow();
  }

  @Test
  void shouldMakeTheFirstOnesOneAfterTheOther() throws Exception {
    FirstImages images = new FirstImages(Long.MAX_VALUE, FOR_EVER);
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Runnable work =
        () -> {
          for (int i = 0; i < 2000; i++) {
            assertThat(images.begin(1)).isTrue();
            most.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            atOnce.decrementAndGet();
            images.end();
          }
        };
    Future<?>[] workers = new Future<?>[4];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = others.submit(work);
    }
    for (Future<?> each : workers) {
      each.get();
    }
    assertThat(most).hasValue(1);
  }

  @Test
  void shouldLetAllGoOnceAsManyPixelsAreMade() throws Exception {
    FirstImages images = new FirstImages(100, FOR_EVER);
    assertThat(images.begin(99)).isTrue();
    images.end();
    assertThat(images.begin(50)).as("one pixel is left").isTrue();

    assertThat(images.begin(1)).isFalse();
    assertThat(new FirstImages(0, FOR_EVER).begin(1 << 30)).isFalse();
    assertThat(others.submit(() -> images.begin(1)).get()).isFalse();
    images.end();
  }

  @Test
  void shouldGoOnAfterWaitingForLong() throws Exception {
    FirstImages images = new FirstImages(Long.MAX_VALUE, 1);
    assertThat(images.begin(1)).isTrue();
    assertThat(others.submit(() -> images.begin(1)).get()).as("who waited too long").isFalse();
    images.end();
    assertThat(others.submit(() -> images.begin(1)).get()).isTrue();
  }

  @Test
  void shouldHaveATurnWithinATurn() {
    FirstImages images = new FirstImages(Long.MAX_VALUE, FOR_EVER);
    assertThat(images.begin(1)).isTrue();
    assertThat(images.begin(1)).as("an image of which another is made").isTrue();
    images.end();
    images.end();
  }

  @Test
  void shouldLeaveAnInterruptToOthers() throws Exception {
    FirstImages images = new FirstImages(Long.MAX_VALUE, FOR_EVER);
    assertThat(images.begin(1)).isTrue();
    boolean interrupted =
        others
            .submit(
                () -> {
                  Thread.currentThread().interrupt();
                  return !images.begin(1) && Thread.interrupted();
                })
            .get();
    assertThat(interrupted).isTrue();
    images.end();
  }
}
