package io.feedline;

import io.feedline.data.LoaderException;
import io.feedline.data.SampleContext;
import io.feedline.data.SampleReader;
import io.feedline.internal.Stages;
import io.feedline.stats.internal.WorkerClock;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The context of a sample that a worker makes, with the sample's announced reads and times. */
final class WorkerContext extends SampleContext {

  /** The worker's clock; null if the sample is not timed. */
  private final @Nullable WorkerClock clock;

  private @Nullable AnnouncedReads announced;

  WorkerContext(long seed, long epoch, long index, long occurrence, WorkerClock clock) {
    super(seed, epoch, index, occurrence);
    this.clock = clock;
  }

  void announced(AnnouncedReads reads) {
    announced = reads;
  }

  @Override
  public <R> Optional<R> readAhead(SampleReader<R> reader, long index) throws Exception {
    return announced == null ? Optional.empty() : announced.take(reader, index);
  }

  @Override
  public void enter(LoaderException.Stage stage) {
    super.enter(stage);
    if (clock != null) {
      clock.enter(numberOf(stage));
    }
  }

  private static int numberOf(LoaderException.Stage stage) {
    return switch (stage) {
      case READ -> Stages.READ;
      case TRANSFORM -> Stages.TRANSFORM;
      default -> Stages.WRITE;
    };
  }

  @Override
  public void enter(String transform) {
    super.enter(LoaderException.Stage.TRANSFORM);
    if (clock != null) {
      clock.enter(transform);
    }
  }
}
