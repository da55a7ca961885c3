package io.feedline.formats.media;

import io.feedline.DataLoader;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.media.sound.AudioFile;
import io.feedline.formats.media.video.Clip;
import io.feedline.formats.media.video.ClipSampler;
import io.feedline.formats.media.video.VideoDataset;
import io.feedline.formats.media.video.VideoFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A program for a process of its own, since what it looks for may end a process. It decodes damaged
 * copies of fixtures: a mutant must end in frames or samples, or in an {@link IOException} that
 * names it; one that takes half a minute ends the process. Or it opens many files, and prints by
 * how much the process's descriptors and memory have grown.
 *
 * <pre>java ... MediaMutants 5000 video/bframes.mp4 sound/opus.ogg
 * java ... MediaMutants open DIRECTORY</pre>
 */
final class MediaMutants {

  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final VideoFile.Options OPTIONS = VideoFile.Options.DEFAULT.withKeepIndexes(false);

  private MediaMutants() {}

  public static void main(String[] arguments) throws Exception {
    if (arguments[0].equals("open")) {
      openMany(Path.of(arguments[1]));
      return;
    }
    int count = Integer.parseInt(arguments[0]);
    AtomicLong began = new AtomicLong(System.nanoTime());
    AtomicReference<String> current = new AtomicReference<>("");
    watch(began, current);
    for (String resource : Arrays.asList(arguments).subList(1, arguments.length)) {
      byte[] whole = bytes(resource);
      int decoded = 0;
      for (int seed = 0; seed < count; seed++) {
        began.set(System.nanoTime());
        String name = resource + "#" + seed;
        current.set(name);
        DamagePolicy policy = seed % 4 == 0 ? DamagePolicy.FAIL : DamagePolicy.CONCEAL;
        try {
          decode(mutant(whole, new Random(seed)), name, policy);
          decoded++;
        } catch (IOException damaged) {
          if (!String.valueOf(damaged.getMessage()).contains(name)) {
            throw new AssertionError("the error does not name " + name, damaged);
          }
        } catch (RuntimeException | Error unexpected) {
          throw new AssertionError(name, unexpected);
        }
      }
      System.out.printf("%d mutants of %s, %d decoded%n", count, resource, decoded);
    }
    System.out.println(status("VmHWM"));
  }

  static byte[] bytes(String resource) throws IOException {
    try (InputStream in = MediaMutants.class.getResourceAsStream(resource)) {
      return in.readAllBytes();
    }
  }

  private static void decode(byte[] bytes, String name, DamagePolicy policy) throws Exception {
    if (name.startsWith("sound/")) {
      try (AudioFile file = AudioFile.of(name, bytes, policy)) {
        long samples = file.samples();
        file.waveform().crop(samples / 2, Math.min(samples - samples / 2, 4096)).toTensor();
        file.waveform().crop(0, Math.min(samples, 1 << 20)).toTensor();
      }
      return;
    }
    VideoFile.Options options = OPTIONS.withMaxPixels(1 << 22).withDamage(policy);
    try (VideoFile video = VideoFile.of(bytes, name, options)) {
      int last = video.frames() - 1;
      for (int frame : new int[] {0, last, last / 2, last / 3}) {
        write(video.framesAt(frame).eachFrame(image -> image.resize(8, 8, Interpolation.NEAREST)));
      }
    }
  }

  private static void write(Clip clip) throws IOException {
    int bytes = (int) clip.shape().elements() * clip.dtype().bytes();
    clip.writeTo(ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder()));
  }

  /** Flips, extremes, zeros, cuts and moves, most of them near the headers. */
  private static byte[] mutant(byte[] whole, Random random) {
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

  /** Returns a figure of the process in kB, native memory and the JVM's own included. */
  private static long status(String name) throws IOException {
    Path status = Path.of("/proc/self/status");
    return Files.exists(status)
        ? Files.readAllLines(status).stream()
            .filter(line -> line.startsWith(name))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
            .sum()
        : 0;
  }

  private static void openMany(Path directory) throws Exception {
    Path good = Files.write(directory.resolve("good.mp4"), bytes("video/bframes.mp4"));
    Path broken =
        Files.write(
            directory.resolve("broken.mp4"), Arrays.copyOf(bytes("video/bframes.mp4"), 900));
    Path sound = Files.write(directory.resolve("sound.ogg"), bytes("sound/opus.ogg"));
    openAll(good, broken, sound, 500);
    long descriptors = descriptors();
    long resident = status("VmRSS");
    openAll(good, broken, sound, 1000);
    System.out.println(descriptors() - descriptors);
    System.out.println(status("VmRSS") - resident);
  }

  private static void openAll(Path good, Path broken, Path sound, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (VideoFile video = VideoFile.open(good, OPTIONS);
          AudioFile audio = AudioFile.open(sound)) {
        write(video.framesAt(i % 50));
        audio.waveform().crop(audio.samples() / 3, 100).toTensor();
      }
      try (VideoFile video = VideoFile.open(broken, OPTIONS)) {
        throw new AssertionError(video + " is broken");
      } catch (IOException expected) {
        // It is cut off.
      }
      if (i % 20 == 0) {
        breakOff(good);
      }
    }
  }

  private static void breakOff(Path good) throws Exception {
    try (VideoDataset videos = VideoDataset.ofFiles(List.of(good, good, good, good));
        DataLoader<?> loader =
            DataLoader.builder(videos.clips(ClipSampler.atRandomIndices(4)))
                .numWorkers(2)
                .build()) {
      loader.iterator().next().close();
    }
  }

  private static long descriptors() throws IOException {
    try (var files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }
}
