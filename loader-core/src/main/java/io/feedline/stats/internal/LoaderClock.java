package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/** The clocks of a loader's threads, and its events for the flight recorder. Thread-safe. */
public final class LoaderClock {

  private final LongSupplier nanos;
  private final LongSupplier cpuNanos;
  private final MachineLoad machine;
  private final Stages stages = new Stages();
  private final JfrEvents events = new JfrEvents(stages);

  private final List<Long> workers = new CopyOnWriteArrayList<>();

  public LoaderClock() {
    this(System::nanoTime, MachineLoad.ofJvm()::cpu, MachineLoad.ofJvm());
  }

  /** Creates a clock with another source of time, which sees no stops of the machine. */
  public LoaderClock(LongSupplier nanos) {
    this(nanos, MachineLoad.ofJvm()::cpu, MachineLoad.NONE);
  }

  public LoaderClock(LongSupplier nanos, LongSupplier cpuNanos, MachineLoad machine) {
    this.nanos = nanos;
    this.cpuNanos = cpuNanos;
    this.machine = machine;
  }

  public long now() {
    return nanos.getAsLong();
  }

  long cpu() {
    return cpuNanos.getAsLong();
  }

  MachineLoad machine() {
    return machine;
  }

  /** Adds the calling thread to the workers whose CPU time is counted. */
  public void countCpu() {
    workers.add(Thread.currentThread().getId());
  }

  private long[] workers() {
    return workers.stream().mapToLong(Long::longValue).toArray();
  }

  int contending() {
    return machine.contending(workers());
  }

  /** Returns the processor time of all workers so far; 0 if unknown. */
  public long cpuOfWorkers() {
    return MachineLoad.ofJvm().cpu(workers());
  }

  public double fairShare() {
    return MachineLoad.ofJvm().fairShare();
  }

  public Stages stages() {
    return stages;
  }

  public JfrEvents events() {
    return events;
  }
}
