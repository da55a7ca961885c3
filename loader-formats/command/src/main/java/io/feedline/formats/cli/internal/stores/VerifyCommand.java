package io.feedline.formats.cli.internal.stores;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.data.Quarantine;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.Output;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.cli.internal.command.SweepOptions;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.codec.internal.EncodedSource;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.PackingJob;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Counts;
import io.feedline.progress.Progress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that reads and decodes all samples, and lists the samples that fail. */
@Command(
    name = "verify",
    description = {
      "Reads every image, checks the format's checksums, decodes it, and lists those that cannot be"
          + " used, with their places. Exits with 1 if there are any.",
      "Where an index says what its shards are, their sizes and hashes are compared first.",
      "Videos and sounds are decoded too, with loader-media on the class path."
    },
    mixinStandardHelpOptions = true)
public final class VerifyCommand extends StoreCommand {

  /** The number of images in a batch; few, so that progress is shown from the first images on. */
  private static final int IMAGES_AT_ONCE = 8;

  @Option(
      names = "--quarantine",
      paramLabel = "FILE",
      description = "Writes the list to a file, which convert --exclude and loaders take.")
  private Path quarantineFile;

  @ArgGroup(exclusive = false)
  private SweepOptions sweep;

  private PackingJob.Swept swept;

  @Override
  public boolean prepare() throws IOException {
    if (sweep == null) {
      return true;
    }
    swept = sweep.run(path());
    if (SweepOptions.hasStore(path())) {
      return true;
    }
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("path", path().toString());
    result.put("swept", SweepOptions.json(swept));
    List<String> lines = new ArrayList<>(sweep.lines(swept));
    lines.add(path() + ": there is no store");
    common().print(result, lines);
    return false;
  }

  @Override
  public int run(StoreFormat format, ImageDataset images) throws IOException {
    Output.requirePlaceOf(quarantineFile);
    images.store().checkStructure();
    return verify(decodedSizes(images), format.name(), "image");
  }

  /** Decodes all videos and sounds. */
  @Override
  public OptionalInt runWithoutImages(Path read) throws IOException {
    Optional<PreviewFiles> files = PreviewFiles.find(read);
    if (files.isEmpty()) {
      return OptionalInt.empty();
    }
    Output.requirePlaceOf(quarantineFile);
    return OptionalInt.of(verify(files.get().verified(), files.get().inWords(), "file"));
  }

  /**
   * @param sizes returns a sample's size in bytes, after decoding the sample
   * @param noun the word for a sample in messages
   */
  private int verify(Dataset<Long> sizes, String format, String noun) throws IOException {
    Quarantine bad;
    long bytes = 0;
    try (Progress progress = common().progress("verify", sizes.size(), 0);
        DataLoader<Long> loader =
            DataLoader.builder(sizes)
                .batchSize(IMAGES_AT_ONCE)
                .numWorkers(common().workers())
                .errorPolicy(ErrorPolicy.skip())
                .build()) {
      BatchIterator batches = loader.iterator();
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          bytes += Arrays.stream(batch.tensor(0).toLongArray()).sum();
          progress.step(batch.size());
        }
      }
      bad = loader.quarantine();
    }
    if (quarantineFile != null) {
      bad.save(quarantineFile);
    }
    report(format, noun, sizes.size(), bytes, bad);
    return bad.entries().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static Dataset<Long> decodedSizes(ImageDataset images) {
    return images
        .encoded()
        .map(
            (EncodedImage image) -> {
              check(image, images.decodeOptions());
              return (long) image.bytes().length;
            });
  }

  /** Checks an image; decodes it only if its JPEG data cannot be checked otherwise. */
  private static void check(EncodedImage stored, DecodeOptions options) throws IOException {
    Image image = Image.ofEncoded(stored.bytes(), stored.key(), options);
    boolean sound;
    try {
      sound = EncodedSource.isSoundJpeg(stored.bytes(), options);
    } catch (FormatException refused) {
      sound = false; // decoding below finds the reason
    }
    if (!sound) {
      decode(image);
    }
  }

  private static void decode(Image image) throws IOException {
    DType whole = image.mode().bits() == 8 ? DType.UINT8 : DType.UINT16;
    Image samples = image.toTensor(whole, ImageLayout.HWC);
    int bytes = Math.toIntExact(samples.shape().elements() * whole.bytes());
    samples.writeTo(ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder()));
  }

  private void report(String format, String noun, long size, long bytes, Quarantine bad) {
    List<Map<String, Object>> entries = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    if (swept != null) {
      lines.addAll(sweep.lines(swept));
    }
    for (Quarantine.Entry entry : bad.entries()) {
      entries.add(json(entry));
      lines.add(line(entry));
    }
    lines.add(
        "%s: %s, %s, %s; %s"
            .formatted(
                path(),
                format,
                Counts.of(size, noun),
                ByteSize.words(bytes),
                size == 0
                    ? "there is nothing to verify"
                    : entries.isEmpty()
                        ? "all can be read and decoded"
                        : Counts.of(entries.size(), "bad " + noun)));
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("format", format);
    result.put("path", path().toString());
    result.put(noun + "s", size);
    result.put("bytes", bytes);
    result.put("bad", entries);
    if (swept != null) {
      result.put("swept", SweepOptions.json(swept));
    }
    common().print(result, lines);
  }

  static Map<String, Object> json(Quarantine.Entry entry) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("index", entry.index());
    json.put("sample", entry.description());
    json.put("cause", entry.cause());
    return json;
  }

  static String line(Quarantine.Entry entry) {
    return "%d  %s  %s".formatted(entry.index(), entry.description(), entry.cause());
  }
}
