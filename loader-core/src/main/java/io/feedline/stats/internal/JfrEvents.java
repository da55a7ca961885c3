package io.feedline.stats.internal;

import io.feedline.internal.Stages;
import io.feedline.stats.Stalls.Stall;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;
import jdk.jfr.Timespan;

/**
 * The events about a loader for the JDK's flight recorder. Tools use the names of events and
 * fields, so these names must not change.
 *
 * <h2>Implementation note</h2>
 *
 * <p>Before a recording runs, an event is an empty shell whose {@code isEnabled} is a constant
 * {@code false}. Events are only made if they are enabled, since most outlive the method that makes
 * them, and the compiler cannot eliminate them. An event is registered only after a recording or a
 * stream has started the recorder: the first registration takes a tenth of a second, for which the
 * first batch of every program would wait.
 *
 * <p>Calls about the consumer, epochs and idle workers are made under the engine's lock; calls
 * about samples and assembled batches are made by the worker that made the sample or the batch, at
 * any time.
 */
public final class JfrEvents {

  @Category("Feedline")
  @StackTrace(false)
  abstract static class LoaderEvent extends Event {
    @Label("Loader")
    String loader;

    @Label("Epoch")
    long epoch;
  }

  @Name("io.feedline.Batch")
  @Label("Batch Delivered")
  @Description("A batch was delivered; the event lasts as long as next() waited for it")
  static final class BatchEvent extends LoaderEvent {
    @Label("Batch")
    @Description("Its number in the epoch")
    long batch;

    @Label("Samples")
    int samples;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Batches Ready")
    @Description("How many were finished when next() came for one")
    int ready;

    @Label("Bytes Read")
    @Description("Bytes of its samples as they are stored, where the dataset reports them")
    @DataAmount
    long bytesRead;

    @Label("Failed")
    @Description("Whether next() threw an exception instead of it")
    boolean failed;
  }

  @Name("io.feedline.Stall")
  @Label("Stall")
  @Description("A next() that waited as long as stallThreshold says, or longer; it lasts as long")
  static final class StallEvent extends LoaderEvent {
    @Label("Batch")
    long batch;

    @Label("Waited")
    @Timespan(Timespan.NANOSECONDS)
    long waited;

    @Label("Cause")
    String cause;

    @Label("Stage")
    @Description("The stage that took most of the time; empty where nothing was measured")
    String stage;

    @Label("Sample Index")
    @Description("The sample to blame; -1 where it is not one")
    long index;

    @Label("Detail")
    String detail;
  }

  @Name("io.feedline.Sample")
  @Label("Slow Sample")
  @Description(
      "A sample that took as long as the event's threshold, or longer. Where samples take less than"
          + " 200 us, as a rule, only some batches are measured: a single slow one may be missed")
  @Threshold("20 ms")
  static final class SampleEvent extends LoaderEvent {
    @Label("Batch")
    long batch;

    @Label("Sample Index")
    long index;

    @Label("Description")
    @Description("The sample's path or key, where the dataset tells")
    String description;

    @Label("Stage")
    @Description("The stage that took most of the time")
    String stage;

    @Label("Time in Stage")
    @Timespan(Timespan.NANOSECONDS)
    long inStage;
  }

  @Name("io.feedline.Epoch")
  @Label("Epoch")
  @Description("An epoch, from its beginning to its last batch or to where it was left")
  static final class EpochEvent extends LoaderEvent {
    @Label("Batches")
    long batches;

    @Label("Samples")
    long samples;

    @Label("Samples per Second")
    double samplesPerSecond;

    @Label("Waited")
    @Description("The share of the time that next() waited")
    @Percentage
    double waited;
  }

  @Name("io.feedline.Work")
  @Label("Work")
  @Description(
      "The work that a thread has just finished: a stage of a sample, putting a batch together, or waiting."
          + " While it is enabled each batch is measured, which slows cheap samples down")
  @Enabled(false)
  static final class WorkEvent extends LoaderEvent {
    @Label("Batch")
    @Description("Its number in the epoch; -1 if absent")
    long batch;

    @Label("Row")
    @Description("The sample's row in the batch; -1 if absent")
    int row;

    @Label("Sample Index")
    @Description("-1 if absent")
    long index;

    @Label("Stage")
    String stage;

    @Label("Took")
    @Description("How long it took, until now")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  /** One event of each kind, to test whether the kind is enabled. Making it registers the kind. */
  private static final class Any {
    static final BatchEvent BATCH = new BatchEvent();
    static final StallEvent STALL = new StallEvent();
    static final SampleEvent SAMPLE = new SampleEvent();
    static final EpochEvent EPOCH = new EpochEvent();
    static final WorkEvent WORK = new WorkEvent();
  }

  /** True if the JVM has a flight recorder. */
  private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private final Stages stages;
  private String loader = "";
  private BatchEvent batch;
  private StallEvent stall;
  private EpochEvent epochUnderWay;
  private long epochBegan;
  private long epochLast;
  private long epochWaited;

  JfrEvents(Stages stages) {
    this.stages = stages;
  }

  public void of(String name) {
    loader = name;
  }

  private static boolean recorderRuns() {
    return PRESENT && FlightRecorder.isInitialized();
  }

  public void epochBegins(long epoch, long at) {
    epochUnderWay = null;
    if (recorderRuns() && Any.EPOCH.isEnabled()) {
      epochUnderWay = new EpochEvent();
      epochUnderWay.loader = loader;
      epochUnderWay.epoch = epoch;
      epochBegan = at;
      epochLast = at;
      epochWaited = 0;
      epochUnderWay.begin();
    }
  }

  void comes() {
    batch = null;
    stall = null;
    if (recorderRuns() && Any.BATCH.isEnabled()) {
      batch = new BatchEvent();
      batch.begin();
    }
    if (recorderRuns() && Any.STALL.isEnabled()) {
      stall = new StallEvent();
      stall.begin();
    }
  }

  void came() {
    if (batch != null) {
      batch.end();
    }
    if (stall != null) {
      stall.end();
    }
  }

  /** Notes that the consumer takes a batch, which may have no sample left to deliver. */
  public void taken(FinishedBatch taken, BatchTaken taking) {
    if (batch == null && epochUnderWay == null) {
      return;
    }
    if (epochUnderWay != null) {
      epochUnderWay.batches += taken.samples() > 0 ? 1 : 0;
      epochUnderWay.samples += taken.samples();
      epochWaited += taking.waited();
      epochLast = taking.at();
    }
    BatchEvent event = batch;
    batch = null;
    if (event != null && (taken.failed() || taken.samples() > 0) && event.shouldCommit()) {
      event.loader = loader;
      event.epoch = taken.epoch();
      event.batch = taken.number();
      event.samples = taken.samples();
      event.waited = taking.waited();
      event.ready = taking.ready();
      event.bytesRead = taken.times().bytes();
      event.failed = taken.failed();
      event.commit();
    }
  }

  public void stalled(Stall reported) {
    StallEvent event = stall;
    stall = null;
    if (event != null && event.shouldCommit()) {
      event.loader = loader;
      event.epoch = reported.epoch();
      event.batch = reported.batch();
      event.waited = reported.waited().toNanos();
      event.cause = reported.cause().toString();
      event.stage = reported.stage();
      event.index = reported.index().orElse(-1);
      event.detail = reported.detail();
      event.commit();
    }
  }

  /** Notes once for each epoch that it has no more batches, or that the consumer has left it. */
  public void epochEnds() {
    EpochEvent event = epochUnderWay;
    epochUnderWay = null;
    if (event != null && event.shouldCommit()) {
      double elapsed = Math.max(1, epochLast - epochBegan);
      event.samplesPerSecond = event.samples * 1e9 / elapsed;
      event.waited = epochWaited / elapsed;
      event.commit();
    }
  }

  boolean everyBatch() {
    return recorderRuns() && Any.WORK.isEnabled();
  }

  public void idle(EpochFigures.Idle reason, long nanos) {
    String what = reason == EpochFigures.Idle.ROOM ? "waits for room" : "waits for an epoch";
    work(null, -1, what, nanos);
  }

  void assembled(BatchTimes times) {
    work(times.batch(), -1, stages.name(Stages.COLLATE), times.assembling(Stages.COLLATE));
    long transforming = times.assembling(Stages.BATCH_TRANSFORM);
    work(times.batch(), -1, stages.name(Stages.BATCH_TRANSFORM), transforming);
  }

  /**
   * Commits an event of work that took time. The work on a sample is reported even if it took no
   * time: the clock's own cost is subtracted, and may exceed the time of a cheap sample.
   */
  private void work(ObservedBatch of, int row, String what, long nanos) {
    if ((nanos > 0 || row >= 0) && recorderRuns() && Any.WORK.isEnabled()) {
      WorkEvent event = new WorkEvent();
      event.loader = loader;
      event.epoch = of == null ? -1 : of.epoch();
      event.batch = of == null ? -1 : of.number();
      event.row = row;
      event.index = row < 0 ? -1 : of.index(row);
      event.stage = what;
      event.took = nanos;
      event.commit();
    }
  }

  Samples samples() {
    return new Samples();
  }

  /**
   * The events of one worker's samples, called by that worker's thread: {@link #begin}, the stages,
   * {@link #end}. Another {@code begin} may follow instead of {@code end} if there was no sample,
   * or if the worker had to wait for it. Only samples of measured batches are reported.
   */
  final class Samples {

    private SampleEvent event;

    private int longest;
    private long inLongest;
    private long inStage;
    private int last;

    boolean begin() {
      event = null;
      if (recorderRuns() && Any.SAMPLE.isEnabled()) {
        event = new SampleEvent();
        longest = Stages.READ;
        inLongest = 0;
        last = -1;
        event.begin();
      }
      return event != null || everyBatch();
    }

    void stage(ObservedBatch of, int row, int stage, long nanos) {
      // A sample may return to a stage; the longest stretch shows where it was slow.
      inStage = stage == last ? inStage + nanos : nanos;
      last = stage;
      if (inStage > inLongest) {
        inLongest = inStage;
        longest = stage;
      }
      work(of, row, stages.name(stage), nanos);
    }

    void end(ObservedBatch of, int row) {
      SampleEvent ended = event;
      event = null;
      if (ended == null) {
        return;
      }
      ended.end();
      if (ended.shouldCommit()) {
        ended.loader = loader;
        ended.epoch = of.epoch();
        ended.batch = of.number();
        ended.index = of.index(row);
        ended.description = of.describe(row);
        ended.stage = stages.name(longest);
        ended.inStage = inLongest;
        ended.commit();
      }
    }
  }
}
