package io.feedline.formats.pixels;

import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.shards.FormatEntry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** The format {@code cifar}: a file of CIFAR, or a directory with files of CIFAR. */
class CifarFormat extends FormatEntry {
  static final String NAME = "cifar";

  CifarFormat() {
    super(NAME, Set.of(Split.OPTION, StoreOptions.LABEL_FIELD));
  }

  @Override
  public boolean recognizes(Path path) throws IOException {
    return CifarImages.areAt(path);
  }

  @Override
  protected ImageStore openKnown(Path path, StoreOptions options) throws IOException {
    CifarImages.Builder builder = CifarImages.builder(path).split(Split.of(options));
    String label = options.text(StoreOptions.LABEL_FIELD).orElse("fine");
    if (!label.equals("fine") && !label.equals("coarse")) {
      throw new IllegalArgumentException(
          "option label-field of cifar must be fine or coarse, was '%s'".formatted(label));
    }
    return (label.equals("coarse") ? builder.coarseLabels() : builder).store();
  }

  @Override
  public boolean isWritable() {
    return false;
  }

  /** The public class that {@link java.util.ServiceLoader} requires. */
  public static final class Provider extends CifarFormat {}
}
