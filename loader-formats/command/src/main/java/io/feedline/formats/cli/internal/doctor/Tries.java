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
import picocli.CommandLine.TypeConversionException;

/**
 * The changes that are made and measured, each in turns with the loader as it was asked about:
 * those that the user names as {@code NAME=VALUE}, and those that {@code DoctorCommand} proposes.
 * Closes the stores that it has opened.
 */
final class Tries implements AutoCloseable {

  static final String NAMES =
      "workers, batch-size, read-ahead, path (of a converted copy), pipeline, read-latency";

  /** The most workers that a loader takes. */
  static final int MOST_WORKERS = 4096;

  /** The rounds in which two ways of loading take turns. */
  private static final int ROUNDS = 3;

  private final Loading base;
  private final ImageDataset undelayed;
  private final Duration delay;
  private final Opener opener;
  private final List<ImageDataset> opened = new ArrayList<>();
  private final Map<String, Loading> named = new LinkedHashMap<>();

  /** Opens a store by its path. */
  @FunctionalInterface
  interface Opener {
    ImageDataset open(Path path) throws IOException;
  }

  /**
   * No changes yet.
   *
   * @param base the loader as it was asked about
   * @param undelayed its images, without the waits that were added to their reads
   * @param delay which are so long
   */
  Tries(Loading base, ImageDataset undelayed, Duration delay, Opener opener) {
    this.base = base;
    this.undelayed = undelayed;
    this.delay = delay;
    this.opener = opener;
  }

  /**
   * Adds a change that the user names.
   *
   * @throws IllegalArgumentException if the change is unknown, or its value is wrong
   */
  void add(String change) throws Exception {
    String[] parts = change.split("=", 2);
    String value = parts.length < 2 ? "" : parts[1];
    named.put(
        change,
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
        });
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

  /** Returns the images with longer reads; closed with this. */
  ImageDataset delayed(ImageDataset images, Duration each) {
    // Closes the store a second time, which is allowed.
    return each.isZero() ? images : keep(ImageDataset.of(new DelayedStore(images.store(), each)));
  }

  /** Returns the changes that the user has named. */
  Map<String, Loading> named() {
    return named;
  }

  /**
   * Loads in several ways by turns, and compares; other load of the machine hits all.
   *
   * @param part the time of each turn
   * @param need the images a second that the GPU can take
   */
  static Map<String, Attempt> inTurns(
      Loading base, Map<String, Loading> others, Duration part, double need) {
    Map<String, List<Double>> gains = new LinkedHashMap<>();
    Map<String, Double> rates = new HashMap<>();
    // Each turn begins with other images than the one before, which has left its own in memory.
    long seed = 1;
    // The first round, in which the JVM compiles what is new, does not count.
    for (int round = 0; round <= ROUNDS && !others.isEmpty(); round++) {
      double before = Trial.run(base, seed++, part).imagesPerSecond();
      for (Map.Entry<String, Loading> other : others.entrySet()) {
        double rate = Trial.run(other.getValue(), seed++, part).imagesPerSecond();
        if (round > 0) {
          double gain = other.getValue().trained(rate, need) / base.trained(before, need);
          gains.computeIfAbsent(other.getKey(), name -> new ArrayList<>()).add(gain);
          rates.merge(other.getKey(), rate / ROUNDS, Double::sum);
        }
      }
    }
    Map<String, Attempt> attempts = new LinkedHashMap<>();
    gains.forEach((name, each) -> attempts.put(name, Attempt.of(rates.get(name), each)));
    return attempts;
  }

  /**
   * A change that was made, and loaded in turns with the loader as it was.
   *
   * @param imagesPerSecond with it, on average
   * @param gain the median over the rounds: of the images a second that reach a training, those
   *     with it by those without
   * @param least the lowest of the rounds
   * @param most the highest
   */
  record Attempt(double imagesPerSecond, double gain, double least, double most) {

    /**
     * The width of the rounds' range on either side of the median within which two equal loaders
     * stay, 95 times of 100: by Student's t for three rounds, 4.30 / sqrt(3) standard deviations,
     * of which the range of three has 1.69.
     */
    private static final double BY_CHANCE = 1.5;

    /** Tests whether the gain is more than chance makes of two equal loaders. */
    boolean isClear() {
      return Math.abs(Math.log(gain)) > BY_CHANCE * Math.log(most / least);
    }

    static Attempt of(double imagesPerSecond, List<Double> gains) {
      List<Double> sorted = gains.stream().sorted().toList();
      int last = sorted.size() - 1;
      return new Attempt(imagesPerSecond, sorted.get(last / 2), sorted.get(0), sorted.get(last));
    }
  }

  @Override
  public void close() throws IOException {
    for (ImageDataset each : opened) {
      each.close();
    }
  }
}
