package io.feedline.formats.hdf5;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.ImageStoreBuilder;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * A reader of encoded images in an HDF5 file. The file has either an array of byte strings (h5py's
 * {@code vlen_dtype(np.uint8)}) and an array of labels, or a group for each sample with the image's
 * bytes (an array of uint8) and the label.
 *
 * <pre>{@code
 * try (ImageDataset train =
 *     Hdf5Images.builder(Path.of("train.h5")).imageField("jpegs").labelField("y").build()) { ... }
 * }</pre>
 *
 * <p>An image's key is its index in decimal, or the name of its group. The label -1 marks an image
 * without a label. {@link Hdf5Dataset} reads arrays of decoded pixels.
 *
 * <p>{@link StoreFormat#named} returns the format for the name {@code hdf5}. The format opens a
 * file, or a directory that has one {@code *.h5} or {@code *.hdf5}. Its options are {@code
 * image-field}, {@code label-field} (empty for images without labels) and {@code group}, the parent
 * of the samples' groups. It does not write files.
 */
public final class Hdf5Images {

  private Hdf5Images() {}

  /**
   * Returns the images of a file whose arrays are named {@code images} and {@code labels}.
   *
   * @throws IOException if the file is not HDF5, or an array is missing, is not supported or has
   *     another length than the images
   */
  public static ImageDataset of(Path file) throws IOException {
    return builder(file).build();
  }

  /** Returns a builder for images in a file. */
  public static Builder builder(Path file) {
    return new Builder(file);
  }

  /**
   * Options; see {@link Hdf5Images#builder}. Not thread-safe.
   *
   * <p>Fields are paths of arrays, in the file or in each group; {@code images} and {@code labels}
   * by default. The file stores no names of classes.
   */
  public static final class Builder extends ImageStoreBuilder.WithFields<Builder> {
    private final Path file;
    private String parent;

    private Builder(Path file) {
      this.file = Objects.requireNonNull(file, "file");
    }

    /**
     * Makes each group in {@code parent} an image. Groups whose names are numbers come first, in
     * the order of the numbers. The other groups follow in the order of their names.
     *
     * @param parent the group that has the images' groups; {@code /} for the file's root
     */
    public Builder groupPerSample(String parent) {
      this.parent = Objects.requireNonNull(parent, "parent");
      return this;
    }

    @Override
    protected ImageStore store() throws IOException {
      String images = imageOr("images");
      String labels = labelOr("labels").isEmpty() ? null : labelOr("labels");
      List<String> classes = classesOr(List.of());
      JhdfFile opened = JhdfFile.open(file, Hdf5Dataset.DEFAULT_CACHE_BYTES);
      try {
        return parent == null
            ? Hdf5Store.ofColumns(opened, images, labels, classes)
            : Hdf5Store.ofGroups(opened, parent, images, labels, classes);
      } catch (IOException | RuntimeException failed) {
        opened.close();
        throw failed;
      }
    }
  }
}
