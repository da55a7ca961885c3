package io.feedline.formats.image;

import io.feedline.Dataset;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/**
 * Images with classes, whatever they are stored in: a folder, a database, shards. As a dataset it
 * gives images that are not decoded yet; beside that it gives the bytes as they are, so that they
 * can be packed into another format unchanged.
 *
 * <p>Thread-safe, as every dataset is.
 */
public interface ImageDataset extends Dataset<LabeledImage> {

  /**
   * An image as it is stored.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws IOException if it cannot be read, with file, index and reason
   */
  EncodedImage encoded(long index) throws IOException;

  /** The names of the classes, by index; empty where the format does not record them. */
  List<String> classes();

  /** How images are decoded. */
  DecodeOptions decodeOptions();

  /** Where it is: a file or a directory, or the first of several files. */
  Path path();

  /** Where the scan indexes of its JPEGs are kept; the same for all calls. */
  ScanIndexStore scanIndexes();

  /** These samples, whose JPEGs' scan indexes are kept elsewhere. */
  default Dataset<LabeledImage> withScanIndexes(ScanIndexStore indexes) {
    Objects.requireNonNull(indexes, "indexes");
    return new OtherIndexes(this, indexes);
  }

  /**
   * Reads an image's bytes and its header; nothing is decoded.
   *
   * @throws IndexOutOfBoundsException if there is no such sample
   * @throws ImageFormatException if the bytes are no image's
   * @throws IOException if it cannot be read
   */
  @Override
  default LabeledImage get(long index) throws IOException {
    return OtherIndexes.get(this, index, scanIndexes());
  }

  /** These samples with their images transformed and their labels kept. */
  default Dataset<LabeledImage> withTransform(Transform<? super Image, Image> transform) {
    Objects.requireNonNull(transform, "transform");
    return map(sample -> sample.withImage(transform.apply(sample.image())));
  }

  /** These samples with their images randomly transformed and their labels kept. */
  default Dataset<LabeledImage> withTransform(RandomTransform<? super Image, Image> transform) {
    Objects.requireNonNull(transform, "transform");
    return map((sample, random) -> sample.withImage(transform.apply(sample.image(), random)));
  }
}
