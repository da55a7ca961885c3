package io.feedline.formats.store;

import java.util.List;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("names")
class EveryStoreWriterTest extends StoreWriterContract {

  @Parameter private String name;

  static List<String> names() {
    return StoreFormat.all().stream()
        .filter(StoreFormat::isWritable)
        .map(StoreFormat::name)
        .toList();
  }

  @Override
  protected StoreFormat format() {
    return StoreFormat.named(name);
  }
}
