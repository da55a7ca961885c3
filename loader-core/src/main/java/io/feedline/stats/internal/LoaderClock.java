package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The time of a loader: the clocks that its workers, its engine and its consumer read, and the
 * flight recorder's events of it.
 *
 * <p>Thread-safe.
 */
public final class LoaderClock implements WorkerCpu {

  private final LongSupplier nanos;
  private final LongSupplier cpuNanos;
  private final MachineLoad machine;
  private final Stages stages = new Stages();
  private final JfrEvents events = new JfrEvents(stages);

  private final List<Long> workers = new CopyOnWriteArrayList<>();

  /** A clock of real time. */
  public LoaderClock() {
    this(System::nanoTime, MachineLoad.ofJvm()::cpu, MachineLoad.ofJvm());
  }

  /** A clock of another time, by which no delay is known. */
  public LoaderClock(LongSupplier nanos) {
    this(nanos, MachineLoad.ofJvm()::cpu, MachineLoad.NONE);
  }

  public LoaderClock(LongSupplier nanos, LongSupplier cpuNanos, MachineLoad machine) {
    this.nanos = nanos;
    this.cpuNanos = cpuNanos;
    this.machine = machine;
  }

  /** Returns the time in nanoseconds, as {@link System#nanoTime} does. */
  public long now() {
    return nanos.getAsLong();
  }

  /** Returns the calling thread's CPU time in nanoseconds; always 0 if the JVM does not know it. */
  long cpu() {
    return cpuNanos.getAsLong();
  }

  /** Returns the meter of the machine. */
  MachineLoad machine() {
    return machine;
  }

  /** Counts the calling thread's CPU time with that of the workers. */
  public void countCpu() {
    workers.add(Thread.currentThread().getId());
  }

  private long[] workers() {
    return workers.stream().mapToLong(Long::longValue).toArray();
  }

  /** Returns how many workers wait for a lock that another worker holds. */
  int contending() {
    return machine.contending(workers());
  }

  @Override
  public long ofWorkers() {
    return MachineLoad.ofJvm().cpu(workers());
  }

  @Override
  public double fairShare() {
    return MachineLoad.ofJvm().fairShare();
  }

  public Stages stages() {
    return stages;
  }

  /** Returns the events that a flight recording gets. */
  public JfrEvents events() {
    return events;
  }
}
