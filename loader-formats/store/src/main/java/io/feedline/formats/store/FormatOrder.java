package io.feedline.formats.store;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The order in which formats are listed, independent of the class path. The formats of {@link
 * ModuleFormat} come first, in its order; then image folders and image files; then all other
 * formats by name.
 */
final class FormatOrder implements Comparator<StoreFormat> {

  private static final List<String> NAMES =
      Stream.concat(
              Arrays.stream(ModuleFormat.values()).map(ModuleFormat::storeName),
              Stream.of("imagefolder", "imagefiles"))
          .toList();

  @Override
  public int compare(StoreFormat one, StoreFormat other) {
    return Comparator.comparingInt(FormatOrder::place)
        .thenComparing(StoreFormat::name)
        .compare(one, other);
  }

  private static int place(StoreFormat format) {
    int place = NAMES.indexOf(format.name());
    return place < 0 ? NAMES.size() : place;
  }
}
