package io.feedline.formats.pixels;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.pixels.PixelStore.Layout;
import io.feedline.formats.pixels.PixelStore.RecordFile;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.QuickFingerprint;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A reader of the binary version of CIFAR-10 and CIFAR-100: color images of 32 x 32 pixels in
 * {@code data_batch_1.bin} to {@code data_batch_5.bin} and {@code test_batch.bin}, or in {@code
 * train.bin} and {@code test.bin}.
 *
 * <pre>{@code
 * try (ImageDataset train = CifarImages.of(Path.of("cifar-10-batches-bin"));
 *     ImageDataset test = CifarImages.builder(train.path()).test().build()) { ... }
 * }</pre>
 *
 * <p><b>Principle.</b> A record of CIFAR-10 begins with a label, a record of CIFAR-100 with a
 * coarse and a fine label. 1024 bytes each of red, green and blue follow. Reading a sample takes
 * one read at its offset; the sample is returned as PPM. The names of the classes come from {@code
 * batches.meta.txt}, {@code fine_label_names.txt} or {@code coarse_label_names.txt}, if this file
 * lies beside the records.
 *
 * <p><b>Known limitations.</b> Archives must be unpacked. The version for Python consists of
 * pickles, and is not read.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code cifar}. The format opens a
 * file or directory. Its options are {@code split}, {@code train} (the default) or {@code test},
 * and for CIFAR-100 {@code label-field}, {@code fine} (the default) or {@code coarse}. It does not
 * write files.
 */
public final class CifarImages {

  private static final int SIDE = 32;
  private static final int PIXELS = 3 * SIDE * SIDE;

  /** The limit of bytes read of a list of names; a hundred names are shorter. */
  private static final int MOST_NAMES = 1 << 16;

  private static final int BATCHES_10 = 5;

  private static final FilesOfFormat TRAIN_10 = FilesOfFormat.matching("data_batch_\\d+\\.bin");
  private static final FilesOfFormat TEST_10 = FilesOfFormat.matching("test_batch\\.bin");
  private static final FilesOfFormat TRAIN_100 = FilesOfFormat.matching("train\\.bin");
  private static final FilesOfFormat TEST_100 = FilesOfFormat.matching("test\\.bin");

  private CifarImages() {}

  /**
   * Returns the images for training in a directory, or all images of a file, with fine labels.
   *
   * @throws IOException if there is no file of CIFAR, or a file is damaged
   */
  public static ImageDataset of(Path path) throws IOException {
    return builder(path).build();
  }

  /** Returns a builder for the images of a directory, or of a file. */
  public static Builder builder(Path path) {
    return new Builder(path);
  }

  /** Tests for CIFAR's files by name; binary files also by size, since their names are common. */
  static boolean areAt(Path path) throws IOException {
    for (FilesOfFormat files : List.of(TRAIN_10, TEST_10, TRAIN_100, TEST_100)) {
      for (Path file : files.at(path)) {
        int record = PIXELS + (isOf10(file) ? 1 : 2);
        if (Files.size(file) > 0 && Files.size(file) % record == 0) {
          return true;
        }
      }
    }
    return isPythonVersion(path);
  }

  private static boolean isPythonVersion(Path path) throws IOException {
    boolean of10 = Presence.isFile(path.resolve("batches.meta"));
    return (of10 && Presence.isFile(path.resolve("data_batch_1")))
        || (Presence.isFile(path.resolve("meta")) && Presence.isFile(path.resolve("train")));
  }

  private static boolean isOf10(Path file) {
    return file.getFileName().toString().contains("_batch");
  }

  /** The options of {@link CifarImages#builder}. Not thread-safe. */
  public static final class Builder extends ImageStoreBuilder<Builder> {
    private final Path path;
    private Split split = Split.TRAIN;
    private boolean coarse;

    private Builder(Path path) {
      this.path = Objects.requireNonNull(path, "path");
    }

    /** Selects the images for testing in a directory, instead of the images for training. */
    public Builder test() {
      return split(Split.TEST);
    }

    Builder split(Split chosen) {
      this.split = chosen;
      return this;
    }

    /**
     * Selects CIFAR-100's 20 coarse labels, instead of its 100 fine labels. For CIFAR-10, which has
     * no coarse labels, {@link #build} throws {@link IllegalArgumentException}.
     */
    public Builder coarseLabels() {
      this.coarse = true;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      List<Path> chosen = chosen();
      boolean of10 = isOf10(chosen.get(0));
      if (of10 && coarse) {
        throw new IllegalArgumentException(
            chosen.get(0) + ": coarse labels are asked for, but CIFAR-10 has one label an image");
      }
      int labels = of10 ? 1 : 2;
      Layout layout =
          new Layout(PIXELS + labels, labels, of10 || coarse ? 0 : 1, null, SIDE, SIDE, 3);
      OpenFiles files = new OpenFiles(OpenFiles.DEFAULT_LIMIT);
      try {
        List<RecordFile> parts = new ArrayList<>();
        StringBuilder fingerprint = new StringBuilder("CifarImages:").append(layout.labelAt());
        for (Path file : chosen) {
          long size = files.size(file);
          if (size == 0 || size % layout.bytes() != 0) {
            throw FormatException.in(
                file,
                "%d bytes are not whole records of %d: the file is cut off, or no binary version of %s"
                    .formatted(size, layout.bytes(), of10 ? "CIFAR-10" : "CIFAR-100"));
          }
          parts.add(new RecordFile(file, 0, size / layout.bytes(), null));
          fingerprint.append(':').append(QuickFingerprint.textOf(files, file, size));
        }
        return new PixelStore(
            "CifarImages",
            path,
            files,
            parts,
            layout,
            classesOr(classes(of10)),
            fingerprint.toString());
      } catch (IOException | RuntimeException failure) {
        files.close();
        throw failure;
      }
    }

    private List<Path> chosen() throws IOException {
      if (!Presence.isDirectory(path)) {
        return List.of(path);
      }
      boolean train = split == Split.TRAIN;
      List<Path> of10 = (train ? TRAIN_10 : TEST_10).at(path);
      List<Path> of100 = (train ? TRAIN_100 : TEST_100).at(path);
      if (of10.isEmpty() && of100.isEmpty() && isPythonVersion(path)) {
        throw FormatException.in(
            path,
            "this is CIFAR's version for Python, in pickles, which are not read; the binary version is on the same page, as cifar-10-binary.tar.gz or cifar-100-binary.tar.gz");
      }
      if (of10.isEmpty() == of100.isEmpty()) {
        throw FormatException.in(
            path,
            of10.isEmpty()
                ? "there is neither %s nor %s here, as the unpacked binary versions have for %s"
                    .formatted(
                        train ? "data_batch_1.bin" : "test_batch.bin",
                        train ? "train.bin" : "test.bin",
                        split)
                : "there are files of CIFAR-10 and of CIFAR-100; give one of them");
      }
      if (train && of100.isEmpty()) {
        requireAll(of10);
      }
      return of10.isEmpty() ? of100 : of10;
    }

    private void requireAll(List<Path> batches) throws FormatException {
      Set<String> there =
          batches.stream().map(each -> each.getFileName().toString()).collect(Collectors.toSet());
      List<String> missing =
          IntStream.rangeClosed(1, BATCHES_10)
              .mapToObj("data_batch_%d.bin"::formatted)
              .filter(name -> !there.contains(name))
              .toList();
      if (!missing.isEmpty()) {
        throw FormatException.in(
            path,
            "%s missing of the %d batches: unpack all, or give one file"
                .formatted(missing, BATCHES_10));
      }
    }

    private List<String> classes(boolean of10) throws IOException {
      String name =
          of10 ? "batches.meta.txt" : coarse ? "coarse_label_names.txt" : "fine_label_names.txt";
      Path names = Presence.isDirectory(path) ? path.resolve(name) : path.resolveSibling(name);
      if (!Presence.exists(names)) {
        return List.of();
      }
      try (OpenFiles files = new OpenFiles(1)) {
        String text = new String(files.readAll(names, MOST_NAMES), UTF_8);
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
      }
    }
  }
}
