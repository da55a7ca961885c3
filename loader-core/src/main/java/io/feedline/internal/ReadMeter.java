package io.feedline.internal;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a thread has read for the sample it is making. A dataset reports the bytes by
 * {@link #add} where it reads them, however deep in a chain of datasets; a loader enters a meter on
 * each of its workers and charges the counted bytes to the batch under way. The meter also leads a
 * sample that decodes while it writes itself to the {@link DecodingClock}.
 *
 * <p>Without a meter a report is only a look-up of a thread-local. A meter is used by its thread
 * only.
 */
public final class ReadMeter {

  /** A thread's place for a meter, kept since a thread-local that comes and goes is dear. */
  private static final class Place {
    private ReadMeter meter;
  }

  private static final ThreadLocal<Place> PLACES = ThreadLocal.withInitial(Place::new);

  private static final int NOT_TIMED = -1;

  private final DecodingClock clock;
  private final LongConsumer beforeReading;
  private long bytes;

  public ReadMeter() {
    this(null, expected -> {});
  }

  /** Null: the thread's samples are not timed. */
  public ReadMeter(@Nullable DecodingClock clock) {
    this(clock, expected -> {});
  }

  /**
   * Creates a meter that is asked before many bytes are read: may wait until there is room for
   * them, or throw.
   */
  public ReadMeter(LongConsumer beforeReading) {
    this(null, beforeReading);
  }

  private ReadMeter(DecodingClock clock, LongConsumer beforeReading) {
    this.clock = clock;
    this.beforeReading = beforeReading;
  }

  /**
   * Announces that the calling thread is about to read bytes into memory; {@link #add} reports them
   * as well.
   */
  public static void expect(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.beforeReading.accept(bytes);
    }
  }

  /** Bytes count as they were stored. */
  public static void add(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.bytes += bytes;
    }
  }

  /** Null if the calling thread's sample is not timed. */
  public static @Nullable DecodingClock clock() {
    ReadMeter meter = PLACES.get().meter;
    return meter == null || meter.clock == null || !meter.clock.timing() ? null : meter.clock;
  }

  /**
   * The user's stage to which deferred work of the calling thread's sample is charged; null if
   * there is none, or the sample is not timed.
   */
  public static @Nullable String ownStage() {
    DecodingClock clock = clock();
    return clock == null ? null : clock.ownStage();
  }

  /**
   * Begins a function that changes the calling thread's sample, or its pixels; returns the argument
   * of {@link #transformed}.
   */
  public static int transform(Object function) {
    DecodingClock clock = clock();
    return clock == null ? NOT_TIMED : clock.transform(function);
  }

  /** Ends the stage that {@link #transform} has begun, unless that call has thrown. */
  public static void transformed(int before) {
    DecodingClock clock = before == NOT_TIMED ? null : clock();
    if (clock != null) {
      clock.transformed(before);
    }
  }

  /**
   * Makes this the calling thread's meter; returns the replaced meter, to be restored afterwards.
   */
  public @Nullable ReadMeter enter() {
    return replace(this);
  }

  /** Null for no meter. */
  public static void restore(ReadMeter before) {
    replace(before);
  }

  private static ReadMeter replace(ReadMeter meter) {
    Place place = PLACES.get();
    ReadMeter before = place.meter;
    place.meter = meter;
    return before;
  }

  /** The bytes since the last call. */
  public long take() {
    long taken = bytes;
    bytes = 0;
    return taken;
  }

  public boolean counted() {
    return bytes != 0;
  }
}
