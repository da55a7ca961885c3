package io.feedline.formats.cli.internal.command;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

public final class InputOptions implements Closeable {

  @Option(
      names = "--from",
      paramLabel = "FORMAT",
      description = "The format of the input. Default: recognized by its content.")
  private String format;

  @Option(
      names = "--image-field",
      paramLabel = "NAME",
      description = "The column, feature or field that has the encoded image.")
  private String imageField;

  @Option(
      names = "--label-field",
      paramLabel = "NAME",
      description = "The column, feature or field that has the label.")
  private String labelField;

  @Option(
      names = "--option",
      paramLabel = "NAME=VALUE",
      description =
          "An option of the format that is read, or mode=gray, rgba or gray16; can be given several"
              + " times.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Mixin private CacheOptions cache;

  /** Returns a path that reads the store through the cache; without a cache, the given path. */
  public Path through(Path path) {
    return cache.through(path);
  }

  /** Returns the path of an output whose file system has the requested number of connections. */
  public Path connected(Path output) {
    return cache.connected(output);
  }

  boolean namesField() {
    return imageField != null || labelField != null;
  }

  StoreFormat format(Path path) throws IOException {
    return format == null ? StoreFormat.of(path) : StoreFormat.named(format);
  }

  /** Opens a store in a given format; the caller closes it. */
  ImageDataset open(StoreFormat found, Path path) throws IOException {
    Map<String, String> all = new LinkedHashMap<>(options);
    put(all, found.openOptions(), StoreOptions.IMAGE_FIELD, imageField);
    put(all, found.openOptions(), StoreOptions.LABEL_FIELD, labelField);
    return ImageDataset.open(found, path, StoreOptions.of(all));
  }

  public ImageDataset open(Path path) throws IOException {
    return open(format(path), path);
  }

  private static void put(Map<String, String> all, Set<String> known, String name, String value) {
    if (value != null) {
      if (!known.contains(name)) {
        throw new IllegalArgumentException("--" + name + " is not for this format");
      }
      all.put(name, value);
    }
  }

  @Override
  public void close() throws IOException {
    cache.close();
  }
}
