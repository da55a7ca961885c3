package io.feedline.formats.pixels;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** IDX and CIFAR are read and not written, so their stores are those that numpy made. */
@ParameterizedClass(name = "{1}, {0}")
@MethodSource("placesAndNames")
class PixelStoreTest extends StoreContract {

  @Parameter(1)
  private String name;

  static Stream<Arguments> placesAndNames() {
    return Stream.of(Place.values())
        .flatMap(place -> Stream.of("idx", "cifar").map(name -> Arguments.of(place, name)));
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path make(Path directory) throws IOException {
    if (name.equals("idx")) {
      return FixtureFiles.copy(
          getClass(), directory, "train-images-idx3-ubyte", "train-labels-idx1-ubyte");
    }
    FixtureFiles.copy(
        getClass(),
        directory,
        "cifar10/data_batch_1.bin",
        "cifar10/data_batch_2.bin",
        "cifar10/batches.meta.txt");
    Path folder = directory.resolve("cifar10");
    for (int batch = 3; batch <= 5; batch++) {
      String batchName = "data_batch_%d.bin".formatted(batch);
      Files.copy(folder.resolve("data_batch_2.bin"), folder.resolve(batchName));
    }
    return folder;
  }
}
