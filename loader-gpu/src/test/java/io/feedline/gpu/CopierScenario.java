package io.feedline.gpu;

import io.feedline.batch.Batch;
import io.feedline.gpu.cuda.CudaException;
import io.feedline.gpu.internal.Cuda;
import io.feedline.gpu.internal.FakeDriver;
import io.feedline.gpu.internal.HookedDriver;
import io.feedline.gpu.internal.HookedDriver.Call;
import io.feedline.gpu.internal.Schedule;
import java.util.List;
import java.util.function.Predicate;

/** The events between a loader and the rings, with host memory that goes back to the loader. */
enum CopierScenario implements OrderScenario {
  TWO_EPOCHS(1, 2) {
    @Override
    void play(CopierBench bench) throws InterruptedException {
      for (int epoch = 0; epoch < 2; epoch++) {
        bench.begin();
        while (!(next(bench) instanceof Arrival.End)) {}
        bench.copier.leave();
      }
      require(bench.rows() == 120, "rows are missing: there are " + bench.rows());
    }
  },

  ONE_OPEN_BATCH(1, 1) {
    @Override
    void play(CopierBench bench) throws InterruptedException {
      bench.begin();
      while (!(next(bench) instanceof Arrival.End)) {}
      require(bench.rows() == 60, "rows are missing: there are " + bench.rows());
    }
  },

  /**
   * One GPU's rows are under way when the other's memory is used up; the epoch continues. The
   * loader, which has two slots, writes the first one anew after the second failure.
   */
  HALF_BATCHES(2, 1) {
    @Override
    void play(CopierBench bench) throws InterruptedException {
      IllegalStateException full = new IllegalStateException("the GPU is full");
      bench.memories.get(1).failNext(2, full);
      bench.begin();
      for (int i = 0; i < 2; i++) {
        Arrival arrival = bench.next();
        require(arrival instanceof Arrival.Failed, "a batch arrived: " + arrival);
        Arrival.Failed failed = (Arrival.Failed) arrival;
        require(failed.failure() == full, "it failed otherwise: " + failed.failure());
        failed.taken().countDown();
      }
      while (!(next(bench) instanceof Arrival.End)) {}
      require(bench.rows() == 52, "rows are missing: there are " + bench.rows());
    }
  },

  /** Waiting for a copy failed; the loader is used without the GPU from then on. */
  FAILED_WAIT(1, 1) {
    @Override
    void play(CopierBench bench) throws InterruptedException {
      bench.driver.fail("cuEventSynchronize", 1, OPERATING_SYSTEM);
      bench.begin();
      Arrival arrival = bench.next();
      while (!(arrival instanceof Arrival.Failed failed)) {
        arrival = bench.next();
      }
      int code = failed.failure() instanceof CudaException e ? e.code() : 0;
      require(code == OPERATING_SYSTEM, "it failed otherwise: " + failed.failure());
      bench.copier.leave();
      bench.loader.forEach(Batch::close);
    }
  };

  private static final int OPERATING_SYSTEM = 304;

  private final int gpus;
  private final int openBatches;

  CopierScenario(int gpus, int openBatches) {
    this.gpus = gpus;
    this.openBatches = openBatches;
  }

  abstract void play(CopierBench bench) throws InterruptedException;

  private static Arrival next(CopierBench bench) throws InterruptedException {
    Arrival arrival = bench.next();
    if (arrival instanceof Arrival.Failed failed) {
      throw new AssertionError("a batch failed", failed.failure());
    }
    return arrival;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new AssertionError(otherwise);
    }
  }

  @Override
  public List<String> complaints(Schedule schedule, Predicate<Call> forgets) {
    FakeDriver driver = FakeDriver.of(schedule).devices(gpus);
    Cuda forgetful = HookedDriver.forgetting(driver, forgets);
    CopierBench bench = new CopierBench(driver, forgetful, gpus, openBatches, 0);
    return OrderScenario.complaints(
        driver,
        bench.memories,
        () -> {
          try (bench) {
            play(bench);
          }
          return null;
        });
  }
}
