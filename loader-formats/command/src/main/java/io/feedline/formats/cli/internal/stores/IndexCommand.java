package io.feedline.formats.cli.internal.stores;

import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.ListCollator;
import io.feedline.data.Dataset;
import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.Common;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.jpeg.index.internal.ScanIndexFile;
import io.feedline.formats.jpeg.internal.ScanIndex;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.LocalFiles;
import io.feedline.internal.Counts;
import io.feedline.progress.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;

/** The command that makes the scan indexes of a store's JPEG images. */
@Command(
    name = "index",
    description = {
      "Makes the scan indexes of a store's JPEGs, from which crops are decoded without what lies"
          + " above and beside them: the file .feedline-index in a directory, .NAME.scan-index beside"
          + " a file. It takes 2 to 5%% of the images' size, and is found by itself when the store"
          + " is opened.",
      "Of images that are not on this machine it is kept in ~/.cache/feedline/indexes."
    },
    mixinStandardHelpOptions = true)
public final class IndexCommand extends StoreCommand {

  private static final int IMAGES_AT_ONCE = 32;

  @Override
  public int run(StoreFormat format, ImageDataset images) throws IOException {
    report(images.size(), make(images, common()));
    return ExitCode.OK;
  }

  private void report(long size, Made made) throws IOException {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("path", made.file().toString());
    result.put("images", size);
    result.put("indexed", made.indexed());
    result.put("bytes", Files.size(made.file()));
    common()
        .print(
            result,
            List.of(
                "%s: scan indexes of %d of %s, %s"
                    .formatted(
                        made.file(),
                        made.indexed(),
                        Counts.of(size, "image"),
                        ByteSize.words(Files.size(made.file())))));
  }

  /** The file of the scan indexes, and the number of images that have an index. */
  record Made(Path file, long indexed) {}

  static Made make(ImageDataset images, Common common) throws IOException {
    Dataset<Optional<ScanIndex>> indexes =
        images.encoded().map((EncodedImage image) -> ScanIndexFile.index(image.bytes()));
    ListCollator<Optional<ScanIndex>> collator = (samples, batch) -> batch.values("index", samples);
    Path file = ScanIndexFile.placeOf(images.path());
    LocalFiles.createPrivateDirectory(file.toAbsolutePath().getParent());
    long indexed = 0;
    try (ScanIndexFile.Writer writer =
            new ScanIndexFile.Writer(file, images.fingerprint(), images.size());
        Progress progress = common.progress("index", images.size(), 0);
        DataLoader<Optional<ScanIndex>> loader =
            DataLoader.builder(indexes)
                .batchSize(IMAGES_AT_ONCE)
                .numWorkers(common.workers())
                .collator(collator)
                .build()) {
      BatchIterator batches = loader.iterator();
      while (batches.hasNext()) {
        try (Batch batch = batches.next()) {
          for (Object each : batch.values("index")) {
            Optional<ScanIndex> index = ((Optional<?>) each).map(ScanIndex.class::cast);
            writer.add(index);
            indexed += index.isPresent() ? 1 : 0;
          }
          progress.step(batch.size());
        }
      }
      writer.commit();
    }
    return new Made(file, indexed);
  }
}
