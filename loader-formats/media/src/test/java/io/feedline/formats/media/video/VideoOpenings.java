package io.feedline.formats.media.video;

import io.feedline.DataLoader;
import io.feedline.formats.media.video.VideoDataset.LabeledClip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Opens a good and a broken video a thousand times each, with epochs that are broken off in
 * between, and prints by how much the process's descriptors and memory have grown.
 */
final class VideoOpenings {

  private static final VideoFile.Options OPTIONS = VideoFile.Options.DEFAULT.withKeepIndexes(false);

  private VideoOpenings() {}

  public static void main(String[] arguments) throws Exception {
    Path good = Path.of(arguments[0]).resolve("bframes.mp4");
    Path broken = good.resolveSibling("broken.mp4");
    Files.write(broken, Arrays.copyOf(Files.readAllBytes(good), 900));
    openAll(good, broken, 500);
    long descriptors = descriptors();
    long resident = resident();
    openAll(good, broken, 1000);
    System.out.printf(
        "%d descriptors more, %d kB more%n", descriptors() - descriptors, resident() - resident);
  }

  private static void openAll(Path good, Path broken, int times) throws Exception {
    for (int i = 0; i < times; i++) {
      try (VideoFile video = VideoFile.open(good, OPTIONS)) {
        VideoFixtures.write(video.framesAt(i % 50));
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
        DataLoader<LabeledClip> loader =
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

  private static long resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
        .findFirst()
        .orElse(0);
  }
}
