package io.feedline.formats.cli.internal.stores;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.ListCollator;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.data.SampleContext;
import io.feedline.data.StoreException;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Common;
import io.feedline.formats.cli.internal.command.EncodingOptions;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.InputOptions;
import io.feedline.formats.cli.internal.command.KeyKind;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.WritableFormats;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.pixel.ImageMode;
import io.feedline.formats.image.recode.internal.Recoding;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.internal.Counts;
import io.feedline.internal.Durations;
import io.feedline.progress.Progress;
import io.feedline.sampler.Sampler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.zip.CRC32C;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command that packs the images of one store into another store. */
@Command(
    name = "convert",
    description = {
      "Packs images into another format: the same bytes, in the same order, with the same labels.",
      "The output has its name only when it is whole. Give the command again to continue an"
          + " interrupted run behind its last whole shard. recordio, zip and an output of one shard"
          + " begin anew.",
      "An s3://BUCKET/PREFIX is written too, in all formats but lmdb; tfrecord needs --shards."
    },
    footerHeading = "%nWhat a store can hold, compared with JPEGs that have scan indexes:%n%n",
    footer = {
      "  kind            size       speed      lossless  who can read it",
      "  as they are     1          1          yes       every program",
      "    no index      1          0.8 - 0.9  yes       every program",
      "  --coefficients  1.3 - 2.0  1.3 - 1.7  yes       Feedline",
      "  --raw           5 - 27     1.9 - 2.5  pixels    Feedline",
      "    --compress    4 - 17     1.8        pixels    Feedline",
      "  --resize N      less       more       no        every program",
      "",
      "  as they are     for everything, and for what is shared or archived",
      "  --coefficients  for training for many epochs on crops of JPEGs, with",
      "                  vectors; not where the disk or the network is too slow as it",
      "                  is, and of little use without vectors (speed 1.2)",
      "  --raw           for the most images of a processor, with --resize, where",
      "                  memory or a very fast disk has the room; not for sharing:",
      "                  alpha, 16 bits, the gray that a JPEG stores, metadata and the",
      "                  files are not kept",
      "  --resize N      for photographs that are much larger than the crops"
    },
    mixinStandardHelpOptions = true)
public final class ConvertCommand implements Callable<Integer> {

  /** The number of images in a batch; few, so that progress is shown from the first images on. */
  private static final int IMAGES_AT_ONCE = 8;

  private static final int LISTED = 20;

  @Parameters(index = "0", paramLabel = "SRC", description = "The input, in any readable format.")
  private Path source;

  @Parameters(index = "1", paramLabel = "DST", description = "The output. It must not exist yet.")
  private Path target;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      required = true,
      completionCandidates = WritableFormats.class,
      description = "One of ${COMPLETION-CANDIDATES}.")
  private String to;

  @Option(
      names = "--resize",
      paramLabel = "N",
      description = {
        "Scales images whose shorter side is longer than N pixels down to that, and writes them as"
            + " JPEG, or with --raw as raw records. The others stay as they are."
      })
  private Integer resize;

  @Option(
      names = "--quality",
      paramLabel = "Q",
      defaultValue = "90",
      description = "Of JPEGs that --resize writes, 1 to 100. Default: ${DEFAULT-VALUE}.")
  private int quality;

  @ArgGroup private EncodingOptions encoding = new EncodingOptions();

  @Option(
      names = "--compress",
      paramLabel = "METHOD",
      description = "Compresses the rows of --raw: lz4. It makes photographs little smaller.")
  private RowCompression compression = RowCompression.NONE;

  @ArgGroup private Sharding sharding = new Sharding();

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description = "Leaves out what verify --quarantine has listed.")
  private Path exclude;

  @Option(
      names = "--on-error",
      paramLabel = "POLICY",
      defaultValue = "fail",
      description = {
        "The treatment of broken images: fail, or skip, which leaves them out, lists them at the end"
            + " and exits with 3. An image is broken, for every FORMAT, if its record does not pass"
            + " the checks of what is read, its header cannot be read, or it has to be decoded"
            + " (--resize, --raw, ...) and cannot be; 'verify' decodes all. A file or store that"
            + " cannot be read is never skipped. A run that ended at a broken image continues with"
            + " skip. Default: ${DEFAULT-VALUE}."
      })
  private OnError onError;

  @Option(
      names = "--quarantine",
      paramLabel = "FILE",
      description = "Writes the list of what --on-error skip leaves out to a file, as verify does.")
  private Path quarantineFile;

  @Option(
      names = "--scan-index",
      description = "Makes the scan indexes of the new store's JPEGs as well, as index does.")
  private boolean scanIndex;

  @Option(
      names = "--restart",
      description = "Discards an unfinished run of other input or options, and begins again.")
  private boolean restart;

  @Option(
      names = "--keys",
      paramLabel = "KIND",
      defaultValue = "stem",
      description = {
        "The names of the images in the output: stem, the file's name without its extension; file,"
            + " with it; or index, the image's number. Two images of one name cannot be written, so"
            + " a.jpg beside a.png needs one of the others. Default: ${DEFAULT-VALUE}."
      })
  private KeyKind keys;

  @Option(
      names = "--to-option",
      paramLabel = "NAME=VALUE",
      description = "An option of the format that is written; can be given several times.")
  private Map<String, String> toOptions = new LinkedHashMap<>();

  @Mixin private final InputOptions input = new InputOptions();

  @Mixin private Common common;

  private enum RowCompression {
    NONE,
    LZ4
  }

  private enum OnError {
    FAIL,
    SKIP
  }

  private static final class Sharding {
    @Option(names = "--shards", paramLabel = "N", description = "The number of files to write.")
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
    StoreFormat format = format();
    long start = System.nanoTime();
    try (input;
        ImageDataset images = input.open(input.through(source))) {
      target = input.connected(target);
      ImageMode mode = images.decodeOptions().mode();
      common.require(
          mode == ImageMode.RGB,
          "--option mode=%s is for decoding, and what is packed keeps its channels: give it when the store is read",
          mode);
      Quarantine excluded = exclude == null ? new Quarantine(List.of()) : Quarantine.load(exclude);
      Samples samples =
          new Samples(
              records(images.without(excluded)), images.name(), excluded.indices(), onError);
      Converted converted = convert(format, samples, packing(images, samples.size()));
      if (quarantineFile != null) {
        converted.leftOut().save(quarantineFile);
      }
      if (scanIndex) {
        try (ImageDataset made = ImageDataset.of(format.open(target, StoreOptions.NONE))) {
          IndexCommand.make(made, common);
        }
      }
      report(format, converted, Duration.ofNanos(System.nanoTime() - start));
      return converted.leftOut().entries().isEmpty() ? ExitCode.OK : ExitCode.LEFT_OUT;
    }
  }

  /**
   * @param images the number of images in the output
   * @param begun the number of those images that an earlier run had written
   * @param bytes the total size of the images that this run has written
   * @param kinds the number of images that this run has written, by kind
   * @param leftOut the images that this run or an earlier run has left out
   */
  private record Converted(
      long images, long begun, long bytes, Map<ImageFormat, Long> kinds, Quarantine leftOut) {
    long count(ImageFormat kind) {
      return kinds.getOrDefault(kind, 0L);
    }
  }

  /**
   * The images in the form in which they will be written. A sample is a {@link Quarantine.Entry} if
   * its image is broken and left out.
   *
   * @param name the name of the source
   * @param excluded the indices of left-out images in the source, ascending
   */
  private record Samples(
      Dataset<EncodedImage> images, String name, long[] excluded, OnError onError)
      implements Dataset<Object> {

    @Override
    public long size() {
      return images.size();
    }

    @Override
    public Object get(long index) throws Exception {
      return get(index, new SampleContext(0, 0, index));
    }

    @Override
    public Object get(long index, SampleContext context) throws Exception {
      try {
        return images.get(index, context);
      } catch (IOException broken) {
        if (StoreException.isBehind(broken)) {
          throw broken;
        }
        if (onError == OnError.FAIL) {
          throw new FormatException(
              broken.getMessage() + "; --on-error skip leaves broken images out", broken);
        }
        return new Quarantine.Entry(inSource(index), describe(index), broken.toString());
      }
    }

    private long inSource(long index) {
      long number = index;
      for (long each : excluded) {
        number += each <= number ? 1 : 0;
      }
      return number;
    }

    @Override
    public void readAhead(long index, ReadAhead ahead) {
      images.readAhead(index, ahead);
    }

    @Override
    public String describe(long index) {
      return images.describe(index);
    }
  }

  private record From(long first, long size) implements Sampler.Order {
    @Override
    public long indexAt(long position) {
      return first + Objects.checkIndex(position, size);
    }
  }

  private Converted convert(StoreFormat format, Samples samples, Packing packing)
      throws IOException {
    long bytes = 0;
    Map<ImageFormat, Long> kinds = new EnumMap<>(ImageFormat.class);
    boolean isBegun = StagedOutput.isBegun(target);
    try (StoreWriter<EncodedImage> writer = format.create(target, packing)) {
      long begun = writer.written();
      long next = begun + writer.leftOut().entries().size();
      if (isBegun && next == 0) {
        common
            .err()
            .println("convert: beginning anew: the interrupted run had written no whole shard");
      }
      try (Progress progress = common.progress("convert", samples.size(), next);
          DataLoader<Object> loader = loader(samples, next)) {
        BatchIterator batches = loader.iterator();
        while (batches.hasNext()) {
          try (Batch batch = batches.next()) {
            for (Object each : batch.values("image")) {
              if (each instanceof Quarantine.Entry broken) {
                writer.leaveOut(broken);
              } else {
                EncodedImage image = (EncodedImage) each;
                writer.write(image);
                bytes += image.bytes().length;
                kinds.merge(image.format(), 1L, Long::sum);
              }
              progress.step(1);
            }
          }
        }
      }
      Quarantine leftOut = writer.leftOut();
      if (writer.written() == 0 && !leftOut.entries().isEmpty()) {
        throw new FormatException(
            "all images (%d) are broken, so there is nothing to write; the first: %s"
                .formatted(samples.size(), VerifyCommand.line(leftOut.entries().get(0))));
      }
      writer.commit();
      return new Converted(writer.written(), begun, bytes, kinds, leftOut);
    }
  }

  private Packing packing(ImageDataset images, long size) throws IOException {
    Packing packing =
        Packing.of(images.classes(), size)
            .withOptions(StoreOptions.of(toOptions))
            .withSource(identity(images))
            .withRestart(restart);
    if (sharding.shards != null) {
      packing = packing.withShards(sharding.shards);
    }
    return sharding.bytes == null ? packing : packing.withShardBytes(sharding.bytes);
  }

  private StoreFormat format() {
    try {
      return StoreFormat.named(to);
    } catch (IllegalArgumentException unknown) {
      throw common.refusal("--to: " + unknown.getMessage(), unknown);
    }
  }

  private void validate() throws IOException {
    Output.requirePlaceOf(quarantineFile);
    common.require(
        resize == null || resize >= 1, "--resize must be 1 or more pixels, was %s", resize);
    common.require(
        quality >= 1 && quality <= 100, "--quality must be from 1 to 100, was %s", quality);
    common.require(
        !scanIndex || LocalFiles.include(target),
        "--scan-index writes beside the store, which must be local, was %s; 'feedline index' makes"
            + " one on each machine that reads it",
        target);
    common.require(
        compression == RowCompression.NONE || encoding.isRaw(),
        "--compress is for the rows of raw records: give --raw as well");
    Integer shards = sharding.shards;
    common.require(shards == null || shards >= 1, "--shards must be 1 or more, was %s", shards);
  }

  private Dataset<EncodedImage> records(ImageDataset images) {
    return keys.apply(images.encoded()).map(recoding());
  }

  private Recoding recoding() {
    StoreOptions options = StoreOptions.NONE.with("quality", Integer.toString(quality));
    if (resize != null) {
      options = options.with("resize", resize.toString());
    }
    if (compression == RowCompression.LZ4) {
      options = options.with("compress", "lz4");
    }
    return Recoding.of(encoding.in(options));
  }

  private DataLoader<Object> loader(Samples samples, long next) {
    Sampler.Order order = new From(next, samples.size() - next);
    ListCollator<Object> collator = (some, batch) -> batch.values("image", some);
    return DataLoader.builder((Dataset<Object>) samples)
        .sampler(epoch -> order)
        .batchSize(IMAGES_AT_ONCE)
        .numWorkers(common.workers())
        .collator(collator)
        .build();
  }

  /**
   * Returns the inputs and options that determine the output. A run continues an unfinished output
   * only if these are equal.
   */
  private Map<String, String> identity(ImageDataset images) throws IOException {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("source", images.fingerprint());
    identity.put("resize", resize == null ? "no" : resize + " at quality " + quality);
    identity.put("keys", keys.toString());
    identity.put("exclude", exclude == null ? "no" : checksum(exclude));
    identity.put("stored as", encoding + ", compression " + compression);
    return identity;
  }

  private static String checksum(Path file) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(Files.readAllBytes(file));
    return Long.toHexString(crc.getValue());
  }

  private void report(StoreFormat format, Converted converted, Duration time) {
    List<Quarantine.Entry> leftOut = converted.leftOut().entries();
    List<String> lines = new ArrayList<>();
    leftOut.stream().limit(LISTED).map(VerifyCommand::line).forEach(lines::add);
    if (leftOut.size() > LISTED) {
      lines.add(
          "... and %d more (all by --json or --quarantine)".formatted(leftOut.size() - LISTED));
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("format", format.name());
    result.put("path", target.toString());
    result.put("images", converted.images());
    result.put("continued_at", converted.begun());
    result.put("bytes", converted.bytes());
    result.put("coefficient_records", converted.count(ImageFormat.COEFFICIENTS));
    result.put("raw_records", converted.count(ImageFormat.RAW));
    result.put("left_out", leftOut.stream().map(VerifyCommand::json).toList());
    result.put("seconds", time.toNanos() / 1e9);
    lines.add(
        "%s: %s as %s, %s in %s%s%s%s%s"
            .formatted(
                target,
                Counts.of(converted.images(), "image"),
                format.name(),
                ByteSize.words(converted.bytes()),
                Durations.words(time),
                converted.begun() == 0
                    ? ""
                    : ", the first %d in an earlier run".formatted(converted.begun()),
                words(converted.count(ImageFormat.COEFFICIENTS), "coefficient record"),
                words(converted.count(ImageFormat.RAW), "raw record"),
                leftOut.isEmpty()
                    ? ""
                    : "; " + Counts.of(leftOut.size(), "broken image") + " left out"));
    common.print(result, lines);
  }

  private static String words(long count, String kind) {
    return count == 0 ? "" : "; " + Counts.of(count, kind);
  }
}
