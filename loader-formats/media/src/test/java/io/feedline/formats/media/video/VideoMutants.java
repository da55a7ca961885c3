package io.feedline.formats.media.video;

import io.feedline.formats.media.DamagePolicy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Opens and decodes damaged copies of a video, in a process of its own, since what it looks for may
 * end a process. A mutant must end in frames or in an {@link IOException} that names it; one that
 * takes half a minute ends the process.
 *
 * <pre>java ... VideoMutants bframes.mp4 5000</pre>
 */
final class VideoMutants {

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final VideoFile.Options OPTIONS = VideoFile.Options.DEFAULT.withMaxPixels(1 << 22);

  private VideoMutants() {}

  public static void main(String[] arguments) throws Exception {
    byte[] whole = VideoFixtures.bytes(arguments[0]);
    int count = Integer.parseInt(arguments[1]);
    AtomicLong began = new AtomicLong(System.nanoTime());
    AtomicReference<String> current = new AtomicReference<>("");
    watch(began, current);
    int decoded = 0;
    for (int seed = 0; seed < count; seed++) {
      began.set(System.nanoTime());
      String name = arguments[0] + "#" + seed;
      current.set(name);
      if (decode(mutant(whole, new Random(seed)), name, seed % 4 == 0)) {
        decoded++;
      }
    }
    System.out.printf(
        "%d mutants of %s, %d decoded, %s%n", count, arguments[0], decoded, peakMemory());
  }

  private static boolean decode(byte[] bytes, String name, boolean strict) throws Exception {
    VideoFile.Options options = strict ? OPTIONS.withDamage(DamagePolicy.FAIL) : OPTIONS;
    try (VideoFile video = VideoFile.of(bytes, name, options)) {
      int last = video.frames() - 1;
      for (int frame : new int[] {0, last, last / 2, last / 3}) {
        VideoFixtures.write(
            video.framesAt(frame).eachFrame(image -> image.resize(8, 8, nearest())));
      }
      return true;
    } catch (IOException damaged) {
      if (!String.valueOf(damaged.getMessage()).contains(name)) {
        throw new AssertionError("the error does not name " + name, damaged);
      }
      return false;
    }
  }

  private static io.feedline.formats.image.pixel.Interpolation nearest() {
    return io.feedline.formats.image.pixel.Interpolation.NEAREST;
  }

  /** Flips, extremes, zeros, cuts and moves, most of them near the headers. */
  static byte[] mutant(byte[] whole, Random random) {
    byte[] bytes = whole.clone();
    int edits = 1 + random.nextInt(6);
    for (int e = 0; e < edits; e++) {
      boolean near = random.nextBoolean();
      int at = random.nextInt(near ? Math.min(bytes.length, 2000) : bytes.length);
      if (near && random.nextBoolean()) {
        // MP4 has its header at the end.
        at = bytes.length - 1 - at;
      }
      int length = Math.min(bytes.length - at, 1 + random.nextInt(8));
      switch (random.nextInt(6)) {
        case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> Arrays.fill(bytes, at, at + length, (byte) 0xFF);
        case 2 -> Arrays.fill(bytes, at, at + length, (byte) 0);
        case 3 -> bytes[at] = (byte) random.nextInt();
        case 4 -> {
          if (random.nextInt(4) == 0 && at > 0) {
            bytes = Arrays.copyOf(bytes, at);
          }
        }
        default ->
            System.arraycopy(bytes, random.nextInt(bytes.length - length + 1), bytes, at, length);
      }
    }
    return bytes;
  }

  private static void watch(AtomicLong began, AtomicReference<String> current) {
    Thread watchdog =
        new Thread(
            () -> {
              while (true) {
                try {
                  TimeUnit.SECONDS.sleep(1);
                } catch (InterruptedException end) {
                  return;
                }
                if (System.nanoTime() - began.get() > MOST_NANOS) {
                  System.out.println(current.get() + " does not end");
                  Runtime.getRuntime().halt(3);
                }
              }
            },
            "watchdog");
    watchdog.setDaemon(true);
    watchdog.start();
  }

  /** The most memory that the process has had, native memory and the JVM's own included. */
  private static String peakMemory() throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        ? Files.readAllLines(status).stream()
            .filter(line -> line.startsWith("VmHWM"))
            .findFirst()
            .orElse("")
        : "";
  }
}
