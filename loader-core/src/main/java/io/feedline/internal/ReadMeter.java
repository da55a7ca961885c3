package io.feedline.internal;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a thread has read for the sample it is making. A dataset reports the bytes by
 * {@link #add} where it reads them, however deep in a chain of datasets; a loader enters a meter on
 * each of its workers and charges the counted bytes to the batch under way. By the same way a
 * sample that decodes while it writes itself finds the {@link DecodingClock}.
 *
 * <p>If no loader has entered a meter, a report is only a look-up of a thread-local. A meter is
 * used by its thread only.
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

  /** Creates a meter of a thread whose samples are not timed. */
  public ReadMeter() {
    this(null, expected -> {});
  }

  /**
   * Creates a meter.
   *
   * @param clock the clock of the thread's samples; null if they are not timed
   */
  public ReadMeter(@Nullable DecodingClock clock) {
    this(clock, expected -> {});
  }

  /**
   * Creates a meter that is asked before many bytes are read, of a thread whose samples are not
   * timed.
   *
   * @param beforeReading called with the number of bytes; may wait until there is room for them, or
   *     throw
   */
  public ReadMeter(LongConsumer beforeReading) {
    this(null, beforeReading);
  }

  private ReadMeter(DecodingClock clock, LongConsumer beforeReading) {
    this.clock = clock;
    this.beforeReading = beforeReading;
  }

  /**
   * Announces the number of bytes that the calling thread is about to read into memory, when a file
   * has been opened and its size is known. {@link #add} reports them as well.
   */
  public static void expect(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.beforeReading.accept(bytes);
    }
  }

  /** Reports that bytes were read, as they were stored, on behalf of the calling thread. */
  public static void add(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.bytes += bytes;
    }
  }

  /**
   * Returns the clock of the sample that the calling thread makes; null if the sample is not timed.
   */
  public static @Nullable DecodingClock clock() {
    ReadMeter meter = PLACES.get().meter;
    return meter == null || meter.clock == null || !meter.clock.timing() ? null : meter.clock;
  }

  /**
   * Returns the user's stage that the calling thread's sample is in, to which deferred work is
   * charged; null if there is none, or the sample is not timed.
   */
  public static @Nullable String ownStage() {
    DecodingClock clock = clock();
    return clock == null ? null : clock.ownStage();
  }

  /**
   * Begins a function that changes the sample of the calling thread, or its pixels.
   *
   * @return for {@link #transformed}
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
   * Makes this the calling thread's meter.
   *
   * @return the replaced meter, to be entered again afterwards, or null
   */
  public @Nullable ReadMeter enter() {
    return replace(this);
  }

  /** Makes an earlier meter the calling thread's meter again; null for no meter. */
  public static void restore(ReadMeter before) {
    replace(before);
  }

  private static ReadMeter replace(ReadMeter meter) {
    Place place = PLACES.get();
    ReadMeter before = place.meter;
    place.meter = meter;
    return before;
  }

  /** Returns the bytes that were reported since the last call. */
  public long take() {
    long taken = bytes;
    bytes = 0;
    return taken;
  }

  /** Returns whether there is anything to take. */
  public boolean counted() {
    return bytes != 0;
  }
}
