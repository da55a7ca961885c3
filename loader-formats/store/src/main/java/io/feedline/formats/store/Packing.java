package io.feedline.formats.store;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The description of a new store: its classes, its size, its division into files. {@link #of}
 * returns a description with the defaults. Immutable.
 *
 * @param classes the names of the classes by label; empty if they are unnamed
 * @param images how many images will be written
 * @param shards the number of files, from 1 to 99 999; empty for the format's default
 * @param shardBytes the largest size of a file in bytes, 1 or more; empty for the format's default,
 *     and if shards is set
 * @param options the options of the format
 * @param source the description of the samples, as texts by name: an interrupted run is continued
 *     only if all texts are the same
 * @param restart whether to delete the output of an interrupted run whose {@link #identity} differs
 */
public record Packing(
    List<String> classes,
    long images,
    OptionalInt shards,
    OptionalLong shardBytes,
    StoreOptions options,
    Map<String, String> source,
    boolean restart) {

  /**
   * Checks the values and copies the collections.
   *
   * @throws IllegalArgumentException if a number is out of range, or shards and shardBytes are set
   */
  public Packing {
    classes = List.copyOf(classes);
    source = Map.copyOf(source);
    Objects.requireNonNull(options, "options");
    if (images < 0) {
      throw new IllegalArgumentException("images must be 0 or more, was " + images);
    }
    if (shards.isPresent() && (shards.getAsInt() < 1 || shards.getAsInt() > 99_999)) {
      throw new IllegalArgumentException(
          "shards (--shards) must be from 1 to 99999, was " + shards.getAsInt());
    }
    if (shardBytes.isPresent() && shardBytes.getAsLong() < 1) {
      throw new IllegalArgumentException(
          "shardBytes (--shard-size) must be 1 or more, was " + shardBytes.getAsLong());
    }
    if (shards.isPresent() && shardBytes.isPresent()) {
      throw new IllegalArgumentException(
          "give shards (--shards), which is %d, or shardBytes (--shard-size), which is %d, not both"
              .formatted(shards.getAsInt(), shardBytes.getAsLong()));
    }
  }

  /**
   * Returns a packing with the format's defaults.
   *
   * @param classes the names of the classes by label; empty if they are unnamed
   * @param images how many images will be written
   */
  public static Packing of(List<String> classes, long images) {
    return new Packing(
        classes,
        images,
        OptionalInt.empty(),
        OptionalLong.empty(),
        StoreOptions.NONE,
        Map.of(),
        false);
  }

  /**
   * Returns a copy of this packing with a number of shards.
   *
   * @throws IllegalArgumentException if the number is not from 1 to 99 999, or a size of shards is
   *     set
   */
  public Packing withShards(int count) {
    return new Packing(
        classes, images, OptionalInt.of(count), shardBytes, options, source, restart);
  }

  /**
   * Returns a copy of this packing with a largest size of shards, in bytes.
   *
   * @throws IllegalArgumentException if the number is below 1, or a number of shards is set
   */
  public Packing withShardBytes(long bytes) {
    return new Packing(classes, images, shards, OptionalLong.of(bytes), options, source, restart);
  }

  /** Returns a copy of this packing with other options of the format. */
  public Packing withOptions(StoreOptions newOptions) {
    return new Packing(classes, images, shards, shardBytes, newOptions, source, restart);
  }

  /**
   * Returns a copy of this packing with another description of the source, as texts by name, such
   * as fingerprints and options of the conversion.
   */
  public Packing withSource(Map<String, String> newSource) {
    return new Packing(classes, images, shards, shardBytes, options, newSource, restart);
  }

  /** Returns a copy of this packing with another value of {@code restart}. */
  public Packing withRestart(boolean newRestart) {
    return new Packing(classes, images, shards, shardBytes, options, source, newRestart);
  }

  /**
   * Returns the number of images in a shard if a number of shards is set, and otherwise the number
   * of all images.
   */
  public long imagesPerShard() {
    int count = shards.orElse(1);
    return Math.max(1, (images + count - 1) / count);
  }

  /**
   * Checks that neither a number nor a size of shards is set, for a format without shards.
   *
   * @throws IllegalArgumentException if shards are requested
   */
  public void refuseShards(String format) {
    if (shards.isPresent()) {
      throw new IllegalArgumentException(
          "%s has no shards: leave out shards (--shards), which is %d"
              .formatted(format, shards.getAsInt()));
    }
    if (shardBytes.isPresent()) {
      throw new IllegalArgumentException(
          "%s has no shards: leave out shardBytes (--shard-size), which is %d"
              .formatted(format, shardBytes.getAsLong()));
    }
  }

  /**
   * Returns the values that must be equal for an interrupted run to be continued: the format's
   * name, and all components of this packing but {@code restart}.
   */
  public Map<String, String> identity(String format) {
    Map<String, String> identity = new LinkedHashMap<>();
    identity.put("format", format);
    CRC32C names = new CRC32C();
    names.update(String.join("\n", classes).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    identity.put("classes", classes.size() + ":" + Long.toHexString(names.getValue()));
    identity.put("images", Long.toString(images));
    identity.put("shards", shards.isPresent() ? Integer.toString(shards.getAsInt()) : "no");
    identity.put(
        "shard-size", shardBytes.isPresent() ? Long.toString(shardBytes.getAsLong()) : "no");
    options.values().forEach((name, value) -> identity.put("option " + name, value));
    source.forEach(identity::putIfAbsent);
    return identity;
  }
}
