package io.feedline.formats.mds;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes images into MDS shards: their bytes as column {@code image}, their labels as {@code
 * label}, their keys as {@code key}.
 */
final class MdsImageWriter extends MdsShardWriter<EncodedImage> implements ImageStoreWriter {

  /** The column of the image. */
  static final String IMAGE = "image";

  private final String encoding;
  private final ClassList classes;

  private MdsImageWriter(StagedOutput output, MdsWriter.Builder options, String encoding)
      throws IOException {
    super(output, options);
    this.encoding = encoding;
    this.classes = new ClassList(options.classes, 0);
  }

  static MdsImageWriter open(Path directory, Packing packing) throws IOException {
    MdsWriter.Builder options = options(directory, packing, Map.of());
    String encoding = options.columns.get(IMAGE);
    return StagedOutput.openFor(
        directory,
        StagedOutput.Kind.DIRECTORY,
        MdsFormat.NAME,
        packing,
        output -> new MdsImageWriter(output, options, encoding));
  }

  /**
   * The options of a packing, checked.
   *
   * @param further columns beside the image, its label and key, with their encodings
   */
  static MdsWriter.Builder options(Path directory, Packing packing, Map<String, String> further)
      throws IOException {
    if (packing.shards().isPresent()) {
      throw new IllegalArgumentException(
          "mds cuts its shards by size: give shardBytes (--shard-size) instead of shards (--shards), which is %d"
              .formatted(packing.shards().getAsInt()));
    }
    StoreOptions given = packing.options();
    String encoding = given.text(MdsFormat.IMAGE_ENCODING).orElse("bytes");
    if (!encoding.matches("bytes|jpeg|png")) {
      throw new IllegalArgumentException(
          "%s must be bytes, jpeg or png, was '%s'".formatted(MdsFormat.IMAGE_ENCODING, encoding));
    }
    Map<String, String> columns = new HashMap<>(further);
    columns.putAll(Map.of(IMAGE, encoding, "key", "str", "label", "int"));
    MdsWriter.Builder options =
        MdsWriter.builder(directory).columns(columns).classes(packing.classes());
    given.text(MdsFormat.COMPRESSION).ifPresent(options::compression);
    given.text(MdsFormat.HASHES).ifPresent(names -> options.hashes(names.split(",", -1)));
    if (packing.shardBytes().isPresent()) {
      long bytes = packing.shardBytes().getAsLong();
      if (bytes > MdsWriter.LARGEST_SHARD_BYTES) {
        throw new IllegalArgumentException(
            "mds puts a shard together in memory: shardBytes (--shard-size) must be at most %d, was %d"
                .formatted(MdsWriter.LARGEST_SHARD_BYTES, bytes));
      }
      options.shardBytes((int) bytes);
    }
    options.validate();
    return options;
  }

  @Override
  protected Map<String, ?> stored(EncodedImage image) throws FormatException {
    return columns(image, encoding, classes);
  }

  /**
   * An image, its label and its key, by their columns.
   *
   * @param encoding of the image
   * @throws FormatException if its class has no name, or it is of another encoding
   */
  static Map<String, Object> columns(EncodedImage image, String encoding, ClassList classes)
      throws FormatException {
    classes.requireClass(image);
    ImageFormat format = image.format();
    if ((encoding.equals("jpeg") && format != ImageFormat.JPEG)
        || (encoding.equals("png") && format != ImageFormat.PNG)) {
      throw new FormatException(
          "image %s is %s, but the column 'image' is of encoding '%s'; %s=bytes takes all kinds"
              .formatted(image.key(), format, encoding, MdsFormat.IMAGE_ENCODING));
    }
    return Map.of(IMAGE, image.bytes(), "key", image.key(), "label", (long) image.label());
  }
}
