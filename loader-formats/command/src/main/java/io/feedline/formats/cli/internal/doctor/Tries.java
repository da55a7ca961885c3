package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.TypeConversionException;

/**
 * The changes to try: the user's, as {@code NAME=VALUE}, and those of {@link Proposals}. Each
 * change is measured in turns with the unchanged loader. Closing closes the stores that were opened
 * for changes.
 */
final class Tries implements AutoCloseable {

  static final String NAMES =
      "workers, batch-size, read-ahead, path (of a converted copy), pipeline, read-latency";

  static final int MOST_WORKERS = 4096;

  private static final int ROUNDS = 3;

  private final Loading base;
  private final ImageDataset undelayed;
  private final Duration delay;
  private final Opener opener;
  private final List<ImageDataset> opened = new ArrayList<>();

  @FunctionalInterface
  interface Opener {
    ImageDataset open(Path path) throws IOException;
  }

  /**
   * @param words the change in words, with the option or the command to paste
   * @param from the loader to compare with
   * @param to the loader with the change
   */
  record Try(String change, String words, Loading from, Loading to) {}

  /**
   * @param base the unchanged loader
   * @param undelayed the images of {@code base}, without the delay of reads
   * @param delay the delay of each read
   */
  Tries(Loading base, ImageDataset undelayed, Duration delay, Opener opener) {
    this.base = base;
    this.undelayed = undelayed;
    this.delay = delay;
    this.opener = opener;
  }

  /** Returns the change {@code NAME=VALUE}; fails if the name is unknown or the value is wrong. */
  Try named(String change) throws Exception {
    String[] parts = change.split("=", 2);
    String value = parts.length < 2 ? "" : parts[1];
    Loading to =
        switch (parts[0]) {
          case "workers" -> base.withWorkers(number(change, value, 0));
          case "batch-size" -> base.withBatchSize(number(change, value, 1));
          case "read-ahead" -> base.withReadAhead(number(change, value, 1));
          case "path" -> base.withPacked(delayed(keep(opener.open(Path.of(value))), delay));
          case "pipeline" ->
              base.withPipeline(
                  PipelineOptions.of(value, base.pipeline().imageSize(), base.images()));
          case "read-latency" -> base.withImages(delayed(undelayed, time(change, value)));
          default ->
              throw new IllegalArgumentException(
                  "--try %s: a change is NAME=VALUE with one of these names: %s"
                      .formatted(change, NAMES));
        };
    return new Try(change, change, base, to);
  }

  private static int number(String change, String value, int least) {
    if (value.matches("\\d{1,6}")) {
      int number = Integer.parseInt(value);
      if (number >= least && number <= MOST_WORKERS) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "--try %s: the value must be a number from %d to %d"
            .formatted(change, least, MOST_WORKERS));
  }

  private static Duration time(String change, String value) {
    try {
      return new TimeSpan().convert(value);
    } catch (TypeConversionException e) {
      throw new IllegalArgumentException("--try %s: %s".formatted(change, e.getMessage()), e);
    }
  }

  private ImageDataset keep(ImageDataset images) {
    opened.add(images);
    return images;
  }

  ImageDataset delayed(ImageDataset images, Duration each) {
    // Closes the store a second time, which is allowed.
    return each.isZero() ? images : keep(ImageDataset.of(new DelayedStore(images.store(), each)));
  }

  /**
   * Measures changes. Changes of one loader take turns with that loader, so that other load on the
   * machine affects all of them equally.
   *
   * @param part the time of each turn
   * @param need the images a second that the GPU computes
   */
  static List<Attempt> make(List<Try> tries, Duration part, double need) {
    Map<Try, List<Double>> gains = new HashMap<>();
    Map<Try, Double> rates = new HashMap<>();
    Map<Loading, List<Try>> turns =
        tries.stream()
            .collect(Collectors.groupingBy(Try::from, LinkedHashMap::new, Collectors.toList()));
    turns.forEach(
        (from, changes) -> {
          // Each turn begins with images that the turn before has not read: those are in the page
          // cache.
          long seed = 1;
          // The first round does not count, since the JVM compiles new code in it.
          for (int round = 0; round <= ROUNDS; round++) {
            double before = Trial.run(from, seed++, part, 0).imagesPerSecond();
            for (Try change : changes) {
              double rate = Trial.run(change.to, seed++, part, 0).imagesPerSecond();
              if (round > 0) {
                double gain = change.to.trained(rate, need) / from.trained(before, need);
                gains.computeIfAbsent(change, any -> new ArrayList<>()).add(gain);
                rates.merge(change, rate / ROUNDS, Double::sum);
              }
            }
          }
        });
    return tries.stream()
        .map(each -> Attempt.of(each.change, each.words, rates.get(each), gains.get(each)))
        .toList();
  }

  /**
   * The measurement of a change. The changed and the unchanged loader take turns.
   *
   * @param measuredImagesPerSecond the average rate with the change
   * @param measuredGain the median of the gains of all rounds. A gain is the rate that a training
   *     gets with the change, divided by the rate without the change
   * @param clear true if two equal loaders would rarely show such a gain by chance
   */
  record Attempt(
      String change,
      String words,
      double measuredImagesPerSecond,
      double measuredGain,
      double leastGain,
      double mostGain,
      boolean clear) {

    /**
     * A gain is clear if it exceeds the range of the rounds' gains by this factor. Two equal
     * loaders do so in only 5 of 100 cases: by Student's t for three rounds the limit is 4.30 /
     * sqrt(3) standard deviations, and the range is 1.69 standard deviations on average.
     */
    private static final double BY_CHANCE = 1.5;

    static Attempt of(String change, String words, double imagesPerSecond, List<Double> gains) {
      List<Double> sorted = gains.stream().sorted().toList();
      double least = sorted.get(0);
      double gain = sorted.get((sorted.size() - 1) / 2);
      double most = sorted.get(sorted.size() - 1);
      boolean clear = Math.abs(Math.log(gain)) > BY_CHANCE * Math.log(most / least);
      return new Attempt(change, words, imagesPerSecond, gain, least, most, clear);
    }
  }

  @Override
  public void close() throws IOException {
    for (ImageDataset each : opened) {
      each.close();
    }
  }
}
