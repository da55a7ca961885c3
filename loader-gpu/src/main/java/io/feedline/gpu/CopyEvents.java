package io.feedline.gpu;

import io.feedline.batch.Batch;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/**
 * The JDK Flight Recorder's event of a batch's copy to a device. Tools find the event and its
 * fields by name, so the names must not change.
 *
 * <p>Only the GPU's clock can measure how long a copy took, and the copying thread reads this
 * duration after the copy. So the event is written later, and its fields contain the times.
 */
final class CopyEvents {

  private static final boolean RECORDER = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

  private CopyEvents() {}

  @Name("io.feedline.Copy")
  @Label("Copy to Device")
  @Description("A batch, or a device's part of it, has been copied to the device")
  @Category("Feedline")
  @StackTrace(false)
  static final class CopyEvent extends Event {
    @Label("Loader")
    String loader;

    @Label("Device")
    String device;

    @Label("Epoch")
    long epoch;

    @Label("Batch")
    long batch;

    @Label("Bytes")
    @DataAmount
    long bytes;

    @Label("Since Begun")
    @Description("How long ago it was put into the stream, or begun")
    @Timespan(Timespan.NANOSECONDS)
    long sinceBegun;

    @Label("Took")
    @Timespan(Timespan.NANOSECONDS)
    long took;
  }

  /**
   * @param device the device's name as DJL writes it
   * @param begun the time before the call that starts the copy, by {@link System#nanoTime}
   * @param took the duration of the copy, in nanoseconds
   */
  static void copied(String loader, String device, Batch batch, long bytes, long begun, long took) {
    if (RECORDER) {
      CopyEvent event = new CopyEvent();
      if (event.shouldCommit()) {
        event.loader = loader;
        event.device = device;
        event.epoch = batch.epoch();
        event.batch = batch.number();
        event.bytes = bytes;
        event.sinceBegun = System.nanoTime() - begun;
        event.took = took;
        event.commit();
      }
    }
  }
}
