package io.feedline.formats;

import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.Place;
import io.feedline.formats.store.StoreContract;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables are read and not written, so each store is one that pyarrow made, in two files. */
@ParameterizedClass(name = "{1}, {0}")
@MethodSource("stores")
class TableStoresTest extends StoreContract {

  @Parameter(1)
  private String format;

  static Stream<Arguments> stores() {
    return Arrays.stream(Place.values())
        .flatMap(place -> Stream.of(arguments(place, "arrow"), arguments(place, "parquet")));
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(format);
  }

  @Override
  protected Path make(Path directory) throws IOException {
    String file = format.equals("arrow") ? "arrow/part/data" : "parquet/split/train";
    String first = "%s-00000-of-00002.%s".formatted(file, format);
    return FixtureFiles.copy(getClass(), directory, first, first.replace("00000", "00001"))
        .getParent();
  }
}
