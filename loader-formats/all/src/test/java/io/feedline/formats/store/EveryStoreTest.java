package io.feedline.formats.store;

import io.feedline.formats.image.Fixtures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{1}, {0}")
@MethodSource("placesAndNames")
class EveryStoreTest extends StoreContract {

  private static final List<String> CLASSES = List.of("ant", "bee");

  /** Formats whose libraries open files by themselves, so that they must be local. */
  private static final Set<String> LOCAL = Set.of("lmdb");

  @Parameter(1)
  private String name;

  static Stream<Arguments> placesAndNames() {
    return Stream.of(Place.values())
        .flatMap(
            place ->
                EveryStoreWriterTest.names().stream()
                    .filter(name -> place == Place.DISK || !LOCAL.contains(name))
                    .map(name -> Arguments.of(place, name)));
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path make(Path directory) throws IOException {
    Path path = directory.resolve("store");
    try (StoreWriter<EncodedImage> writer = format().create(path, Packing.of(CLASSES, 8))) {
      for (int i = 0; i < 8; i++) {
        byte[] bytes = Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg");
        writer.write(new EncodedImage(CLASSES.get(i / 4) + "/" + i, bytes, i / 4, "jpg"));
      }
      writer.commit();
    }
    return path;
  }
}
