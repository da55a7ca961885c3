package io.feedline.internal;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a thread has read for the sample it is making. A dataset reports them where it has
 * them in hand, by {@link #add}, however deep in a chain of datasets it stands; a loader enters a
 * meter of its own on each of its workers and charges what it counts to the batch under way. By the
 * same way a sample that decodes while it writes itself finds the {@link DecodingClock}.
 *
 * <p>Where no loader has entered one, reporting is a look-up of the thread's and nothing else. A
 * meter is used by its thread only.
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
   * @param clock what times the thread's samples; null: nothing does
   */
  public ReadMeter(@Nullable DecodingClock clock) {
    this(clock, expected -> {});
  }

  /**
   * Creates a meter that is asked before many bytes are read, of a thread whose samples are not
   * timed.
   *
   * @param beforeReading given their number; may wait until there is room for them, or throw
   */
  public ReadMeter(LongConsumer beforeReading) {
    this(null, beforeReading);
  }

  private ReadMeter(DecodingClock clock, LongConsumer beforeReading) {
    this.clock = clock;
    this.beforeReading = beforeReading;
  }

  /**
   * Tells that so many bytes are about to be read into memory on behalf of the calling thread:
   * where a file has been opened, and its size shows. They are reported by {@link #add} as well.
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

  /** Returns what times the sample that the calling thread makes; null where it is not timed. */
  public static @Nullable DecodingClock clock() {
    ReadMeter meter = PLACES.get().meter;
    return meter == null || meter.clock == null || !meter.clock.timing() ? null : meter.clock;
  }

  /**
   * Returns the stage of the user's that the calling thread's sample is in, to which work that is
   * put off is charged; null: none, or the sample is not timed.
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

  /** Ends what {@link #transform} has begun, unless that has thrown. */
  public static void transformed(int before) {
    DecodingClock clock = before == NOT_TIMED ? null : clock();
    if (clock != null) {
      clock.transformed(before);
    }
  }

  /**
   * Makes this the calling thread's meter.
   *
   * @return the one that it replaces, to be entered again afterwards, or null
   */
  public @Nullable ReadMeter enter() {
    return replace(this);
  }

  /** Makes another the calling thread's meter again; null: none. */
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
