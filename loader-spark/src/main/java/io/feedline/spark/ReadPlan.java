package io.feedline.spark;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;

/**
 * The plan of a read, for the driver and the executors: the checked options.
 *
 * @param samplesPerPartition the largest number of samples in a partition; 0: chosen by the number
 *     of tasks that the cluster runs at once
 */
record ReadPlan(
    Location source,
    String format,
    Map<String, String> options,
    int samplesPerPartition,
    OnError onError)
    implements Serializable {

  private static final long serialVersionUID = 1;

  private static final String FROM = "from";
  private static final String SAMPLES = "samplesPerPartition";
  private static final String ON_ERROR = "onError";

  enum OnError {
    /** The row of an image with a broken header has null as width and height. */
    NULL,
    /** The job fails at the first broken image that is read. */
    FAIL,
    /** Broken images have no rows. So headers are always read, whatever the columns. */
    SKIP
  }

  /**
   * Makes the plan of a read, and detects the format if the options name none. Fails if an option
   * is unknown or impossible; an {@link UncheckedIOException} means that there is no store.
   */
  static ReadPlan of(SparkSession session, SourceOptions options) {
    try {
      Location source = Location.of(session, options.path());
      Optional<String> from = options.text(FROM);
      StoreFormat format =
          from.isPresent() ? StoreFormat.named(from.get()) : StoreFormat.of(source.path());
      List<String> known = new ArrayList<>(List.of(FROM, SAMPLES, ON_ERROR));
      known.addAll(format.openOptions().stream().sorted().toList());
      options.requireKnown("reading %s with feedline".formatted(format.name()), known);
      return new ReadPlan(
          source,
          format.name(),
          options.of(format.openOptions()),
          options.integer(SAMPLES, 1, Integer.MAX_VALUE).orElse(0),
          OnError.valueOf(
              options.choice(ON_ERROR, List.of("null", "fail", "skip")).toUpperCase(Locale.ROOT)));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  /**
   * Opens the store, on any machine; the caller closes it. Fails if a library of the format is
   * absent, or if Spark has an older version of it than needed.
   */
  ImageStore open() throws IOException {
    try {
      return StoreFormat.named(format).open(source.path(), StoreOptions.of(options));
    } catch (LinkageError other) {
      throw new IllegalStateException(
          "%s needs a newer version of a library than Spark's own, or one that is absent (%s); read it"
                  .formatted(format, other.getMessage())
              + " with a newer Spark, or convert it: feedline convert SRC DST --to webdataset",
          other);
    }
  }

  @Override
  public String toString() {
    return "feedline %s of %s".formatted(format, source);
  }
}
