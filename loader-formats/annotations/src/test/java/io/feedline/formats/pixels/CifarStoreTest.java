package io.feedline.formats.pixels;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** CIFAR's binary version is read and not written, so its store is one that numpy made. */
@ParameterizedClass(name = "{0}")
@EnumSource(Place.class)
class CifarStoreTest extends StoreContract {

  @Override
  protected StoreFormat format() {
    return StoreFormat.named("cifar");
  }

  @Override
  protected Path make(Path directory) throws IOException {
    Path folder =
        FixtureFiles.copy(
                getClass(),
                directory,
                "cifar10/data_batch_1.bin",
                "cifar10/data_batch_2.bin",
                "cifar10/batches.meta.txt")
            .getParent();
    for (int batch = 3; batch <= 5; batch++) {
      String name = "data_batch_%d.bin".formatted(batch);
      Files.copy(folder.resolve("data_batch_2.bin"), folder.resolve(name));
    }
    return folder;
  }
}
