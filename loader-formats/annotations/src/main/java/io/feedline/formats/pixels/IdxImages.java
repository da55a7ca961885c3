package io.feedline.formats.pixels;

import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.pixels.PixelStore.Layout;
import io.feedline.formats.pixels.PixelStore.RecordFile;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.internal.Counts;
import io.feedline.internal.Presence;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A reader of gray images in IDX files: MNIST, Fashion-MNIST, KMNIST, EMNIST. {@code
 * train-images-idx3-ubyte} contains the pixels and {@code train-labels-idx1-ubyte} the labels; the
 * files for testing begin with {@code t10k-}. The files may be compressed ({@code .gz}).
 *
 * <pre>{@code
 * try (ImageDataset train = IdxImages.of(Path.of("mnist/train-images-idx3-ubyte.gz"))) { ... }
 * }</pre>
 *
 * <p><b>Principle.</b> Reading a sample takes one read at the offset of its pixels; the sample is
 * returned as PGM. Files compressed by gzip are decompressed into the heap: 47 MB for MNIST's
 * training images. Images are not turned: EMNIST's images lie on their side, as in torchvision.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code idx}. The format opens a file
 * of images, or a directory. The option {@code split}, {@code train} (the default) or {@code test},
 * selects a file in a directory. The format does not write files.
 */
public final class IdxImages {

  static final FilesOfFormat FILES = FilesOfFormat.matching(".*images[-.]idx3-ubyte(\\.gz)?");

  private IdxImages() {}

  /**
   * Returns the images of a file, or the images for training in a directory. The file of the labels
   * lies beside the file of the images and has the corresponding name.
   *
   * @throws IOException if a file is missing or damaged, or the numbers of labels and images differ
   */
  public static ImageDataset of(Path images) throws IOException {
    return builder(images).build();
  }

  /**
   * Returns a builder for a dataset of the images in a file.
   *
   * @param images the file of the images, or a directory that contains the file
   */
  public static Builder builder(Path images) {
    return new Builder(images);
  }

  /** The options of {@link IdxImages#builder}. Not thread-safe. */
  public static final class Builder extends ImageStoreBuilder<Builder> {
    private final Path images;
    private Path labels;
    private boolean unlabeled;
    private Split split = Split.TRAIN;

    private Builder(Path images) {
      this.images = Objects.requireNonNull(images, "images");
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
     * Sets the file of the labels, of rank 1; by default the file with the images' name in which
     * {@code labels} and {@code idx1} replace {@code images} and {@code idx3}, with or without
     * {@code .gz}.
     */
    public Builder labels(Path labels) {
      this.labels = Objects.requireNonNull(labels, "labels");
      return this;
    }

    /** Leaves labels out: every label is {@link EncodedImage#NO_LABEL}. */
    public Builder withoutLabels() {
      this.unlabeled = true;
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      Path file = Presence.isDirectory(images) ? chosen() : images;
      OpenFiles files = new OpenFiles(2);
      try {
        IdxFile pixels = IdxFile.open(files, file, 3, "images");
        byte[] stored = unlabeled ? null : labels(files, file, pixels);
        int bytes = pixels.elements();
        Layout layout =
            new Layout(bytes, 0, 0, stored, pixels.lengths().get(2), pixels.lengths().get(1), 1);
        long count = pixels.lengths().get(0);
        return new PixelStore(
            "IdxImages",
            file,
            files,
            List.of(new RecordFile(file, pixels.start(), count, pixels.content())),
            layout,
            classesOr(List.of()),
            "IdxImages:" + count + ':' + pixels.checksum());
      } catch (IOException | RuntimeException failure) {
        files.close();
        throw failure;
      }
    }

    private Path chosen() throws IOException {
      List<Path> found = FILES.allAt(images);
      List<Path> ofSplit = found.stream().filter(split::hasIdx).toList();
      if (found.size() > 1 && ofSplit.size() != 1) {
        throw FormatException.in(
            images,
            "there are %d files of images, %d of them for %s: give one of %s"
                .formatted(found.size(), ofSplit.size(), split, found));
      }
      return found.size() == 1 ? found.get(0) : ofSplit.get(0);
    }

    private byte[] labels(OpenFiles files, Path file, IdxFile pixels) throws IOException {
      IdxFile found = IdxFile.open(files, labels == null ? beside(file) : labels, 1, "labels");
      if (!found.lengths().get(0).equals(pixels.lengths().get(0))) {
        throw FormatException.in(
            found.path(),
            "%s, but %s has %s"
                .formatted(
                    Counts.of(found.lengths().get(0), "label"),
                    file,
                    Counts.of(pixels.lengths().get(0), "image")));
      }
      return found.data(files);
    }

    private static Path beside(Path images) throws IOException {
      String name = images.getFileName().toString();
      String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
      String wanted = plain.replace("images", "labels").replace("idx3", "idx1");
      for (String each : List.of(wanted, wanted + ".gz")) {
        Path labels = images.resolveSibling(each);
        if (!each.equals(plain) && Presence.exists(labels)) {
          return labels;
        }
      }
      throw FormatException.in(
          images,
          "there is no file %s with labels beside it; labels(...) names another, withoutLabels() does without"
              .formatted(wanted));
    }
  }
}
