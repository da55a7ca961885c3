package io.feedline.formats.webdataset;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Writes images into WebDataset shards. An image becomes two entries, {@code KEY.cls} with the
 * label in decimal (-1 for none) and {@code KEY.jpg}, with the suffix of its encoding.
 */
final class WebDatasetImageWriter extends WebDatasetShardWriter<EncodedImage>
    implements ImageStoreWriter {

  private static final String PATTERN = "data-%06d.tar";

  private final ClassList classes;

  private WebDatasetImageWriter(StagedOutput output, WebDatasetWriter.Builder options)
      throws IOException {
    super(output, options);
    this.classes = new ClassList(options.classes, 0);
  }

  static WebDatasetImageWriter open(Path directory, Packing packing) throws IOException {
    WebDatasetWriter.Builder options = options(directory, packing);
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        WebDatasetFormat.NAME,
        packing,
        output -> new WebDatasetImageWriter(output, options));
  }

  /** The options of a packing, for shards in a directory. */
  static WebDatasetWriter.Builder options(Path directory, Packing packing) {
    WebDatasetWriter.Builder options =
        WebDatasetWriter.builder(directory, PATTERN)
            .classes(packing.classes())
            .keys(WebDatasetImageWriter::withoutDots);
    if (packing.shardBytes().isPresent()) {
      options.shardBytes(packing.shardBytes().getAsLong());
    } else if (packing.shards().isPresent()) {
      options.shardBytes(Long.MAX_VALUE).maxSamples(packing.imagesPerShard());
    }
    return options;
  }

  /** A reader would cut the key at the first dot behind the last slash. */
  private static String withoutDots(String key) {
    int name = key.lastIndexOf('/') + 1;
    return key.substring(0, name) + key.substring(name).replace('.', '_');
  }

  @Override
  protected WebSample stored(EncodedImage image) throws FormatException {
    return new WebSample(image.key(), fields(image, classes));
  }

  /**
   * An image and its label, by their suffixes.
   *
   * @throws FormatException if its class has no name, or it is not an image
   */
  static Map<String, byte[]> fields(EncodedImage image, ClassList classes) throws FormatException {
    classes.requireClass(image);
    byte[] label = Integer.toString(image.label()).getBytes(US_ASCII);
    return Map.of("cls", label, suffix(image), image.bytes());
  }

  /**
   * Returns the suffix of the image's encoding, by which a reader decodes it, regardless of its
   * file's name.
   */
  private static String suffix(EncodedImage image) throws FormatException {
    ImageFormat format = image.format();
    return switch (format) {
      case PNM ->
          switch (image.bytes()[1]) {
            case '1', '4' -> "pbm";
            case '2', '5' -> "pgm";
            default -> "ppm";
          };
      case UNKNOWN ->
          throw new FormatException(
              "'%s' has %d bytes that are no known kind of image, so it has no suffix"
                  .formatted(Names.shown(image.key()), image.bytes().length));
      default -> format.suffix();
    };
  }
}
