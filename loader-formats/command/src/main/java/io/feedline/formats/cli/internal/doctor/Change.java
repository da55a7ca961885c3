package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.internal.Stages;
import io.feedline.stats.EpochStats;
import io.feedline.stats.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that may help.
 *
 * @param name in JSON
 * @param words with the option or the command to paste
 * @param from the loader that it is compared with
 * @param to the loader with the change; null where it cannot be made by reading alone
 */
record Change(String name, String words, Loading from, @Nullable Loading to) {

  /** The bytes of one read of a shard that is read from front to back: a disk then hardly seeks. */
  private static final int PACKED_READ = 8 << 20;

  /**
   * The bytes of a file of the cache beside its image: the rest of its last block, and its name.
   */
  private static final int CACHE_ENTRY_BYTES = 8 << 10;

  /** The part of the processors that is planned for: above it things queue. */
  private static final double PLANNED = 0.7;

  /** More workers than that are worth no thread each: reading ahead is. */
  private static final int MOST_WORKERS = 256;

  /** The part of an image's time from which on a stage is worth a change. */
  private static final double MUCH = 0.1;

  /** A wait for a read that a timer can make. */
  private static final Duration LEAST_WAIT = Duration.ofNanos(200_000);

  /**
   * Returns the changes to a loader that is too slow, by where its time went.
   *
   * @param part the time that scaling images may take
   */
  static List<Change> of(Path path, Findings run, Samples samples, Tries tries, Duration part)
      throws IOException {
    List<Change> changes = new ArrayList<>();
    Loading asked = run.asked();
    double image = run.stages().stream().mapToDouble(each -> run.perImage(each.elapsed())).sum();
    double readWait =
        run.record().total().stage("reading").map(each -> run.perImage(each.waiting())).orElse(0.0);
    boolean waits = readWait > MUCH * image;
    int workers = workers(run.record(), run);
    if (workers > asked.workers() && run.record().total().workers().contention() < PLANNED) {
      changes.add(
          new Change(
              "workers", "numWorkers(%d)".formatted(workers), asked, asked.withWorkers(workers)));
    }
    boolean far = asked.images().store().prefersReadAhead();
    if (waits && !far) {
      changes.add(
          new Change(
              "reading-ahead",
              "reading ahead of the workers, %1$d reads at once: DataLoader.builder(...).readAhead(%1$d)"
                  .formatted(Loading.READS_AHEAD),
              asked,
              asked.withReadAhead(Loading.READS_AHEAD)));
    }
    addSmallerImages(
        path, run, samples, tries, Duration.ofNanos(Math.round(1e9 * readWait)), part, changes);
    if (!asked.pipeline().isOwn()) {
      changes.add(
          new Change(
              "bytes-to-device",
              "rows of bytes, ToTensor with UINT8 and normalizeOnDevice",
              asked,
              asked.withPipeline(asked.pipeline().asBytes())));
    }
    addUntried(path, run, image, waits, far, changes);
    return changes;
  }

  /** Returns the workers that keep the processors busy, or load what is needed: Little's law. */
  private static int workers(RunRecord record, Findings run) {
    double busy = 0;
    double cpu = 0;
    for (EpochStats.Stage stage : record.total().stages()) {
      busy += run.perImage(stage.elapsed().minus(stage.queued()));
      cpu += run.perImage(stage.cpu());
    }
    double rate = run.need() / PLANNED;
    if (cpu > 0) {
      rate = Math.min(rate, record.processors() / cpu);
    }
    return (int) Math.max(1, Math.min(MOST_WORKERS, Math.ceil(rate * busy)));
  }

  private static void addSmallerImages(
      Path path,
      Findings run,
      Samples samples,
      Tries tries,
      Duration readWait,
      Duration part,
      List<Change> changes)
      throws IOException {
    int size = run.asked().pipeline().imageSize();
    List<Samples> scaled = samples.scaled(size, part);
    if (scaled.isEmpty()) {
      return;
    }
    Duration wait = readWait.compareTo(LEAST_WAIT) < 0 ? Duration.ZERO : readWait;
    int side = Samples.scaledSide(size);
    Path name = path.getFileName();
    changes.add(
        new Change(
            "smaller-images",
            "images of %s instead of %s: feedline convert %s %s --to webdataset --resize %d; small crops become less sharp"
                .formatted(
                    ByteSize.words(Math.round(scaled.get(1).bytes())),
                    ByteSize.words(Math.round(scaled.get(0).bytes())),
                    path,
                    name == null ? "DST" : path.resolveSibling(name + "-" + side),
                    side),
            run.asked().withImages(tries.delayed(scaled.get(0).images(), wait)),
            run.asked().withImages(tries.delayed(scaled.get(1).images(), wait))));
  }

  private static void addUntried(
      Path path, Findings run, double image, boolean waits, boolean far, List<Change> changes) {
    Loading asked = run.asked();
    double own =
        run.stages().stream()
            .filter(each -> each.name().equals("transforming") || !Stages.isOwn(each.name()))
            .mapToDouble(each -> run.perImage(each.elapsed()))
            .sum();
    if (asked.pipeline().isOwn() && own > MUCH * image) {
      changes.add(
          untried(
              "transform",
              "%s made faster, or done once before the training".formatted(asked.pipeline().name()),
              asked));
    }
    if (waits && run.imageBytes() < PACKED_READ) {
      changes.add(
          untried(
              "packing",
              "shards, read from front to back in pieces of %s: feedline convert %s DST --to webdataset --shard-size 256M, and WebDataset.builder(...).stream(); then --try path=DST"
                  .formatted(ByteSize.words(PACKED_READ), path),
              asked));
    }
    if (run.trial().firstEpoch().orElse(Double.MAX_VALUE)
            < (1 - MUCH) * run.trial().imagesPerSecond()
        && !asked.images().hasScanIndexFiles()) {
      changes.add(
          untried(
              "scan-index",
              "scan indexes of JPEGs for the first epoch, as later ones have them: feedline index "
                  + path,
              asked));
    }
    if (waits) {
      long images = asked.images().size();
      changes.add(
          untried(
              "cache",
              far
                  ? "a cache on a local disk, for epochs after the first: --cache DIR --cache-size %sM, or DiskCache"
                      .formatted(
                          (long)
                                  Math.ceil(
                                      (run.imageBytes() + CACHE_ENTRY_BYTES) * images / (1 << 20))
                              + 1)
                  : "a copy on a local disk, or in memory, %s, whose reads hardly wait"
                      .formatted(ByteSize.words(Math.round(run.imageBytes() * images))),
              asked));
    }
  }

  private static Change untried(String name, String words, Loading asked) {
    return new Change(name, words, asked, null);
  }
}
