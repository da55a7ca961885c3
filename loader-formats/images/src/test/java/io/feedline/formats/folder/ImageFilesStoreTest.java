package io.feedline.formats.folder;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A directory of images without classes, which is only read. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class ImageFilesStoreTest extends StoreContract {

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("imagefiles");
  }

  @Override
  protected Path make(Path directory) throws IOException {
    for (int i = 0; i < 7; i++) {
      byte[] bytes = Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg");
      Files.write(directory.resolve(i + ".jpg"), bytes);
    }
    return directory;
  }
}
