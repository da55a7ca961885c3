package io.feedline.internal;

import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A counter of the bytes that a thread has read for its sample. A dataset reports the bytes by
 * {@link #add} when it reads them, however deep in a chain of datasets. A loader enters a meter on
 * each worker, and charges the counted bytes to the batch that the worker makes. The meter also has
 * the {@link DecodingClock}, for a sample that is decoded while it is written.
 *
 * <p>Without a meter a report is only a look-up of a thread-local. A meter is used by its thread
 * only.
 */
public final class ReadMeter {

  /** The holder of a thread's meter, kept by the thread since setting a thread-local is slow. */
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

  /** Creates a meter; if the clock is null, the thread's samples are not timed. */
  public ReadMeter(@Nullable DecodingClock clock) {
    this(clock, expected -> {});
  }

  /**
   * Creates a meter that passes the number of bytes of each {@link #expect} to {@code
   * beforeReading}, which may wait until there is room for the bytes, or throw.
   */
  public ReadMeter(LongConsumer beforeReading) {
    this(null, beforeReading);
  }

  private ReadMeter(DecodingClock clock, LongConsumer beforeReading) {
    this.clock = clock;
    this.beforeReading = beforeReading;
  }

  /** Announces that this thread will read bytes into memory; call {@link #add} after the read. */
  public static void expect(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.beforeReading.accept(bytes);
    }
  }

  /** Reports the number of bytes read, in the form in which they are stored. */
  public static void add(long bytes) {
    ReadMeter meter = PLACES.get().meter;
    if (meter != null) {
      meter.bytes += bytes;
    }
  }

  /** Returns the clock of the calling thread's sample; null if the sample is not timed. */
  public static @Nullable DecodingClock clock() {
    ReadMeter meter = PLACES.get().meter;
    return meter == null || meter.clock == null || !meter.clock.timing() ? null : meter.clock;
  }

  /**
   * Returns the user's stage to which deferred work of the calling thread's sample is charged; null
   * if the work belongs to no such stage, or the sample is not timed.
   */
  public static @Nullable String ownStage() {
    DecodingClock clock = clock();
    return clock == null ? null : clock.ownStage();
  }

  /** Calls {@link DecodingClock#transform}; returns the number to pass to {@link #transformed}. */
  public static int transform(Object function) {
    DecodingClock clock = clock();
    return clock == null ? NOT_TIMED : clock.transform(function);
  }

  /** Ends the stage that {@link #transform} has begun; not called if the function has thrown. */
  public static void transformed(int before) {
    DecodingClock clock = before == NOT_TIMED ? null : clock();
    if (clock != null) {
      clock.transformed(before);
    }
  }

  /** Makes this the calling thread's meter; returns the former meter, for {@link #restore}. */
  public @Nullable ReadMeter enter() {
    return replace(this);
  }

  /** Sets the calling thread's meter back to a former meter; null means no meter. */
  public static void restore(ReadMeter before) {
    replace(before);
  }

  private static ReadMeter replace(ReadMeter meter) {
    Place place = PLACES.get();
    ReadMeter before = place.meter;
    place.meter = meter;
    return before;
  }

  /** Returns the number of bytes read since the last call. */
  public long take() {
    long taken = bytes;
    bytes = 0;
    return taken;
  }

  public boolean counted() {
    return bytes != 0;
  }
}
