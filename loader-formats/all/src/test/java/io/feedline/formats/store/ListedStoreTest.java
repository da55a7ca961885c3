package io.feedline.formats.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{1}, {0}")
@MethodSource("placesAndNames")
@Tag("once")
class ListedStoreTest extends StoreContract {

  @Parameter(1)
  private String name;

  static Stream<Arguments> placesAndNames() {
    return Stream.of(Place.values())
        .flatMap(place -> ListedStores.FORMATS.stream().map(name -> Arguments.of(place, name)));
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }

  @Override
  protected Path make(Path directory) throws IOException {
    return ListedStores.make(directory.resolve("store"), name, Map.of());
  }
}
