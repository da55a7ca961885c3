package io.feedline.formats.lmdb;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.internal.samples.ClassList;
import io.feedline.formats.store.internal.staging.StagedOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Writer of encoded images, with labels and keys, into a database in Feedline's layout. */
final class LmdbImageWriter extends LmdbWriter<EncodedImage> {

  private final ClassList classes;

  private LmdbImageWriter(StagedOutput output, ClassList classes) throws IOException {
    super(output);
    this.classes = classes;
  }

  static LmdbImageWriter open(Path directory, Packing packing) throws IOException {
    return open(
        directory,
        packing.identity(LmdbFormat.NAME),
        packing.restart(),
        output -> new LmdbImageWriter(output, new ClassList(packing.classes(), 0)));
  }

  @Override
  protected void put(EncodedImage image, ByteSink out) throws FormatException {
    classes.requireClass(image);
    try {
      FeedlineLayout.put(image, out);
    } catch (IllegalArgumentException tooLarge) {
      throw new FormatException(
          "image %s: %s".formatted(image.key(), tooLarge.getMessage()), tooLarge);
    }
  }

  @Override
  protected Metadata metadata() {
    return new Metadata(Metadata.Kind.IMAGES, 0, classes.names(), List.of());
  }
}
