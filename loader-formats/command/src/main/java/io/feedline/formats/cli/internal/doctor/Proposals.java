package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.doctor.Tries.Try;
import io.feedline.stats.Bottleneck;
import io.feedline.stats.LoaderStats;
import io.feedline.stats.RunRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The changes that may help a slow loader: changes that can be tried, and advice in words. */
final class Proposals {

  /** The largest planned load of the processors; above it, work waits in queues. */
  private static final double PLANNED = 0.7;

  /** The number of workers above which reading ahead is proposed, instead of more workers. */
  private static final int MOST_WORKERS = 256;

  /** The smallest fraction of an image's time that a wait must take to be worth a change. */
  private static final double MUCH = 0.1;

  /** The shortest wait for a read that a timer can imitate, in seconds. */
  private static final double LEAST_WAIT = 200e-6;

  /** The options that doctor tries itself: advice that names one of them is left out. */
  private static final Pattern TRIED = Pattern.compile("numWorkers|--resize|UINT8");

  private Proposals() {}

  /**
   * @param need the images a second that the GPU computes
   * @param part the time after which no more images are resized for a trial
   */
  static List<Try> of(
      Path path,
      Loading asked,
      RunRecord record,
      double need,
      Samples samples,
      Tries tries,
      Duration part)
      throws IOException {
    List<Try> proposals = new ArrayList<>();
    double images = Math.max(1, record.total().samples());
    double work = 0;
    double cpu = 0;
    for (LoaderStats.Stage stage : record.total().stages()) {
      work += stage.elapsed().minus(stage.queued()).toNanos() / 1e9 / images;
      cpu += stage.cpu().toNanos() / 1e9 / images;
    }
    // Little's law: the number of workers that keeps the processors busy, or loads at the needed
    // rate.
    double rate = cpu > 0 ? Math.min(need / PLANNED, record.processors() / cpu) : need / PLANNED;
    int workers = (int) Math.max(1, Math.min(MOST_WORKERS, Math.ceil(rate * work)));
    if (workers > asked.workers() && record.total().workers().contention() < PLANNED) {
      proposals.add(
          new Try(
              "workers", "numWorkers(%s)".formatted(workers), asked, asked.withWorkers(workers)));
    }
    double readWait =
        record.total().stage("reading").map(each -> each.waiting().toNanos() / 1e9).orElse(0.0)
            / images;
    if (readWait > MUCH * work && !asked.images().store().prefersReadAhead()) {
      proposals.add(
          new Try(
              "reading-ahead",
              "reading ahead of the workers, %1$s reads at once: DataLoader.builder(...).readAhead(%1$s)"
                  .formatted(Loading.READS_AHEAD),
              asked,
              asked.withReadAhead(Loading.READS_AHEAD)));
    }
    Duration wait = Duration.ofNanos(readWait < LEAST_WAIT ? 0 : Math.round(1e9 * readWait));
    List<Samples> scaled = samples.scaled(asked.pipeline().imageSize(), part);
    if (!scaled.isEmpty()) {
      int side = PipelineOptions.shorterSide(asked.pipeline().imageSize());
      Path name = path.getFileName();
      proposals.add(
          new Try(
              "smaller-images",
              "images of %s instead of %s: feedline convert %s %s --to webdataset --resize %s; small crops become less sharp"
                  .formatted(
                      ByteSize.words(Math.round(scaled.get(1).bytes())),
                      ByteSize.words(Math.round(scaled.get(0).bytes())),
                      path,
                      name == null ? "DST" : path.resolveSibling(name + "-" + side),
                      side),
              asked.withImages(tries.delayed(scaled.get(0).dataset(), wait)),
              asked.withImages(tries.delayed(scaled.get(1).dataset(), wait))));
    }
    if (!asked.pipeline().isOwn()) {
      proposals.add(
          new Try(
              "bytes-to-device",
              "rows of bytes, ToTensor with UINT8 and normalizeOnDevice",
              asked,
              asked.withPipeline(asked.pipeline().asBytes())));
    }
    return proposals;
  }

  /** Returns advice that doctor cannot try: to pack the data first, or to change the program. */
  static List<String> notTried(
      List<Bottleneck.Advice> advice, Path path, Loading asked, Trial trial) {
    List<String> words = new ArrayList<>();
    for (Bottleneck.Advice each : advice) {
      String option = each.option().replaceAll("\\bDATA\\b", path.toString());
      if (option.contains("NAME") && asked.pipeline().isOwn()) {
        words.add(
            "Make %s faster, or do it once before the training".formatted(asked.pipeline().name()));
      } else if (each.cause() != Bottleneck.Cause.BUSY_MACHINE && !TRIED.matcher(option).find()) {
        words.add(option.isEmpty() ? each.change() : each.change() + ": " + option);
      }
    }
    double first = trial.firstEpoch().orElse(Double.MAX_VALUE);
    if (first < (1 - MUCH) * trial.imagesPerSecond() && !asked.images().hasScanIndexFiles()) {
      words.add("Read scan indexes of JPEGs in the first epoch too: feedline index " + path);
    }
    return words;
  }
}
