package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.gpu.DeviceLoader.Transfer;
import io.feedline.gpu.RingCalls.Kind;
import io.feedline.gpu.RingCalls.Subject;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.HookedDriver;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * That tests of this kind would see it if one of the three orders were missing by which a batch
 * gets to a GPU whole: each is left out, and wrong bytes arrive; with all of them the same batches
 * arrive as they were sent. On a GPU, or on what stands for one; {@link RingMutationTest} does it
 * for each order of the ring, on a GPU that exists in Java only.
 *
 * <p>There is one slot on the GPU and one batch in host memory, so that each place is used again as
 * soon as it may be.
 */
@Timeout(300)
abstract class MutantContract extends PagesContract {

  private static final int NOT_READY = 600;

  private static final Kind HOST_WAIT =
      new Kind("cuEventSynchronize", Subject.COPIED, "awaitCopied");

  enum Mutant {
    /**
     * The computing stream, which has nothing else to do, does not wait for the copy: neither in
     * the ring, nor where it is measured how long it had nothing to do.
     */
    READ_BEFORE_IT_IS_FILLED(
        false,
        new Kind("cuStreamWaitEvent", Subject.COPIED, "read"),
        new Kind("cuStreamWaitEvent", Subject.COPIED, "")),

    /** The next copy does not wait for the computing stream, which has yet to read the slot. */
    FILLED_WHILE_IT_IS_READ(true, new Kind("cuStreamWaitEvent", Subject.CONSUMED, "copy")),

    /**
     * The copying thread does not wait for the copy before the loader writes the next batch. Nor
     * does it ask how long the copy took: the driver would refuse to tell, and so give away what a
     * ring that does not measure would not notice.
     */
    HOST_MEMORY_WRITTEN_WHILE_IT_IS_COPIED(
        false, HOST_WAIT, new Kind("cuEventElapsedTime", Subject.COPIED, "awaitCopied"));

    private final boolean busy;

    @SuppressWarnings("ImmutableEnumChecker") // unmodifiable
    private final Set<Kind> leftOut;

    Mutant(boolean busy, Kind... leftOut) {
      this.busy = busy;
      this.leftOut = Set.of(leftOut);
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldShowWrongBytesWithoutAnOrder(Mutant mutant) {
    List<String> wrong = play(mutant.busy, mutant.leftOut);

    assertThat(wrong).as("what arrives without an order").isNotEmpty();
    System.out.printf("%s: %s%n", mutant, String.join("; ", wrong));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldBringEveryPageWithAllOrders(boolean busy) {
    assertThat(play(busy, Set.of())).isEmpty();
  }

  /** The second net below the thread's wait, which does not depend on when memory is written. */
  @Test
  void shouldBeRefusedTheTimeOfACopyThatWasNotWaitedFor() {
    assertThatThrownBy(() -> play(false, Set.of(HOST_WAIT)))
        .isInstanceOfSatisfying(
            CudaException.class, failure -> assertThat(failure.code()).isEqualTo(NOT_READY));
  }

  /** Takes an epoch's batches as fast as they come. */
  private List<String> play(boolean busy, Set<Kind> leftOut) {
    warmUp();
    RingCalls calls = new RingCalls();
    // Not during the trial with which a way is opened, which would close it.
    AtomicBoolean forgetting = new AtomicBoolean();
    AtomicInteger forgotten = new AtomicInteger();
    Cuda driver =
        HookedDriver.ofThisJvm(
            (call, made) -> {
              if (!leftOut.contains(calls.of(call)) || !forgetting.get()) {
                return made.getAsInt();
              }
              forgotten.incrementAndGet();
              return 0;
            });
    List<DeviceBatch> taken = new ArrayList<>();
    try (PinnedAllocator pinned = pinned();
        DataLoader<Long> host = host(pinned, 1);
        DeviceLoader loader =
            DeviceLoader.builder(host)
                .manager(manager)
                .driver(() -> driver)
                .prefetchToDevice(1)
                .build()) {
      assertThat(loader.transfer()).isEqualTo(Transfer.STREAM);
      forgetting.set(true);
      if (busy) {
        occupy();
      }
      for (DeviceBatch batch : loader) {
        taken.add(batch);
        if (busy) {
          occupy();
        }
      }
      assertThat(taken).hasSize(BATCHES);
      assertThat(forgotten.get() > 0).as("calls were left out").isEqualTo(!leftOut.isEmpty());
      assertThat(loader.stats().memory()).isEqualTo("pinned");
      List<String> wrong = wrong(taken);
      taken.clear();
      return wrong;
    } finally {
      closeAll(taken);
    }
  }
}
