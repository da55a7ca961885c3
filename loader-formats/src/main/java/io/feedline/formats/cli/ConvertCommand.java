package io.feedline.formats.cli;

import io.feedline.Batch;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.Dataset;
import io.feedline.ListCollator;
import io.feedline.Quarantine;
import io.feedline.formats.image.EncodedImage;
import io.feedline.formats.image.ImageDataset;
import io.feedline.formats.image.ImageStoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** Packs the images of one store into another one. */
@Command(
    name = "convert",
    description = {
      "Packs images into another format: the same bytes, in the same order, with the same labels.",
      "The output has its name only when it is whole. A run that was interrupted goes on where it"
          + " ended when the same command is given again."
    },
    mixinStandardHelpOptions = true)
final class ConvertCommand implements Callable<Integer> {

  private static final int IMAGES_AT_ONCE = 32;

  @Parameters(index = "0", paramLabel = "SRC", description = "What is read: any readable format.")
  private Path source;

  @Parameters(index = "1", paramLabel = "DST", description = "What is made. It must not exist yet.")
  private Path target;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      required = true,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private StoreFormat format;

  @Option(
      names = "--resize",
      paramLabel = "N",
      description = {
        "Scales images whose shorter side is longer than N pixels down to that, and writes them as"
            + " JPEG. The others stay as they are."
      })
  private Integer resize;

  @Option(
      names = "--quality",
      paramLabel = "Q",
      defaultValue = "90",
      description = "Of JPEGs that --resize writes, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int quality;

  @ArgGroup private Sharding sharding = new Sharding();

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description = "Leaves out what verify --quarantine has listed.")
  private Path exclude;

  @Option(
      names = "--scan-index",
      description = "Makes the scan indexes of the new store's JPEGs as well, as index does.")
  private boolean scanIndex;

  @Option(
      names = "--restart",
      description = "Begins anew, if an unfinished run of other input or options is in the way.")
  private boolean restart;

  @Mixin private Common common;

  @picocli.CommandLine.Spec private picocli.CommandLine.Model.CommandSpec spec;

  /** How the output is cut into files. */
  private static final class Sharding {
    @Option(names = "--shards", paramLabel = "N", description = "Into so many files.")
    private Integer shards;

    @Option(
        names = "--shard-size",
        paramLabel = "BYTES",
        converter = ByteSize.class,
        description = "Into files of at most this size, for example 256M.")
    private Long bytes;
  }

  @Override
  public Integer call() throws Exception {
    validate();
    ImageDataset images = StoreFormat.of(source).open(source);
    Dataset<EncodedImage> records = records(images);
    Packing packing =
        new Packing(
            images.classes(),
            records.size(),
            sharding.shards == null ? OptionalInt.empty() : OptionalInt.of(sharding.shards),
            sharding.bytes == null ? OptionalLong.empty() : OptionalLong.of(sharding.bytes));
    ConversionTicket ticket =
        ConversionTicket.take(target, identity(images, records.size()), restart);
    long start = System.nanoTime();
    long begun;
    long bytes = 0;
    try (ImageStoreWriter sink = format.create(target, packing)) {
      begun = sink.written();
      try (Progress progress =
              Progress.of(
                  "convert", records.size(), begun, common.quiet(), spec.commandLine().getErr());
          DataLoader<EncodedImage> loader = loader(records.subset(begun, records.size()))) {
        BatchIterator batches = loader.iterator();
        while (batches.hasNext()) {
          try (Batch batch = batches.next()) {
            for (Object each : batch.values("image")) {
              EncodedImage image = (EncodedImage) each;
              sink.write(image);
              bytes += image.bytes().length;
            }
            progress.step(batch.size());
          }
        }
      }
      sink.commit();
    }
    if (scanIndex) {
      IndexCommand.make(format.open(target), common, spec.commandLine().getErr());
    }
    ticket.done();
    report(records.size(), begun, bytes, Duration.ofNanos(System.nanoTime() - start));
    return ExitCode.OK;
  }

  private void validate() {
    if (resize != null && resize < 1) {
      throw new ParameterException(
          spec.commandLine(), "--resize must be 1 or more pixels, was " + resize);
    }
    if (quality < 1 || quality > 100) {
      throw new ParameterException(
          spec.commandLine(), "--quality must be from 1 to 100, was " + quality);
    }
    if (sharding.shards != null && sharding.shards < 1) {
      throw new ParameterException(
          spec.commandLine(), "--shards must be 1 or more, was " + sharding.shards);
    }
  }

  /** The images to be written, in order, as they are to be written. */
  private Dataset<EncodedImage> records(ImageDataset images) throws IOException {
    Dataset<EncodedImage> records = Encoded.of(images);
    if (exclude != null) {
      records = records.without(Quarantine.load(exclude));
    }
    return resize == null ? records : records.map(new Reencoder(resize, quality));
  }

  private DataLoader<EncodedImage> loader(Dataset<EncodedImage> records) {
    ListCollator<EncodedImage> collator = (samples, batch) -> batch.values("image", samples);
    return DataLoader.builder(records)
        .batchSize(IMAGES_AT_ONCE)
        .numWorkers(common.workers())
        .collator(collator)
        .build();
  }

  private Map<String, String> identity(ImageDataset images, long size) {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("source", images.fingerprint());
    identity.put("images", Long.toString(size));
    identity.put("to", format.toString());
    identity.put("resize", resize == null ? "no" : resize + " at quality " + quality);
    identity.put("shards", sharding.shards == null ? "no" : sharding.shards.toString());
    identity.put("shard-size", sharding.bytes == null ? "no" : sharding.bytes.toString());
    return identity;
  }

  private void report(long size, long begun, long bytes, Duration time) {
    double seconds = time.toNanos() / 1e9;
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("format", format.toString());
    result.put("path", target.toString());
    result.put("images", size);
    result.put("continued_at", begun);
    result.put("bytes", bytes);
    result.put("seconds", seconds);
    common.print(
        spec.commandLine().getOut(),
        result,
        List.of(
            "%s: %d images as %s, %s in %.1f s%s"
                .formatted(
                    target,
                    size,
                    format,
                    ByteSize.words(bytes),
                    seconds,
                    begun == 0 ? "" : ", the first %d in an earlier run".formatted(begun))));
  }
}
