package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Change;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.cli.internal.plan.Plan;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.TypeConversionException;

/**
 * The changes that are made and measured: those that the diagnosis promises a gain of, as far as
 * they write nothing, and those that the user names as {@code NAME=VALUE}. Each one is loaded in
 * turns with the loader as it was asked about. Closes the stores that it has opened.
 */
final class Tries implements AutoCloseable {

  static final String NAMES =
      "workers, batch-size, read-ahead, path (of a converted copy), pipeline, read-latency";

  /** A wait for a read that a timer can make. */
  private static final Duration LEAST_WAIT = Duration.ofNanos(200_000);

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
   * Adds a change.
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
      if (number >= least && number <= Plan.MOST_WORKERS) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "--try %s: the value must be a number from %d to %d"
            .formatted(change, least, Plan.MOST_WORKERS));
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

  private ImageDataset delayed(ImageDataset images, Duration each) {
    // Closes the store a second time, which is allowed.
    return each.isZero() ? images : keep(ImageDataset.of(new DelayedStore(images.store(), each)));
  }

  /** Measures, in rounds. Returns nothing where there is nothing to change. */
  Map<String, Attempt> measure(Trials trials, Diagnosis diagnosis, DecodeProbe decoding) {
    Map<String, Loading> promised = new LinkedHashMap<>();
    Map<String, Attempt> attempts = new LinkedHashMap<>();
    for (Change change : diagnosis.changes()) {
      String key = Output.name(change.kind());
      switch (change.kind()) {
        case WORKERS -> promised.put(key, base.withWorkers(diagnosis.recommended()));
        case READING_AHEAD -> promised.put(key, base.withReadAhead(Diagnosis.READS_AHEAD));
        case BYTES_TO_DEVICE -> promised.put(key, base.withPipeline(base.pipeline().asBytes()));
        case SMALLER_IMAGES -> {
          Duration wait = Duration.ofNanos(Math.round(1e9 * diagnosis.model().waitSeconds()));
          List<ImageDataset> scaled =
              decoding.scaled(wait.compareTo(LEAST_WAIT) < 0 ? Duration.ZERO : wait);
          scaled.forEach(this::keep);
          attempts.putAll(
              trials.inTurns(
                  base.withImages(scaled.get(0)), Map.of(key, base.withImages(scaled.get(1)))));
        }
        default -> {
          // It would have to be written, or its rest is not known.
        }
      }
    }
    promised.putAll(named);
    if (!promised.isEmpty()) {
      attempts.putAll(trials.inTurns(base, promised));
    }
    return attempts;
  }

  @Override
  public void close() throws IOException {
    for (ImageDataset each : opened) {
      each.close();
    }
  }
}
