package io.feedline.bench;

import io.feedline.formats.store.StoreFormat;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The values of {@code --format}: every format of images that is registered, and those of tensors.
 */
final class FormatNames implements Iterable<String> {

  static List<String> all() {
    return Stream.concat(
            StoreFormat.all().stream().map(StoreFormat::name),
            Arrays.stream(TensorFormat.values()).map(TensorFormat::toString))
        .toList();
  }

  @Override
  public Iterator<String> iterator() {
    return all().iterator();
  }
}
