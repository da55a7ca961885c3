package io.feedline.formats.store;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.store.PackingJob.PackedShard;
import io.feedline.formats.store.internal.files.Sha256;
import io.feedline.formats.store.internal.shards.ShardList;
import io.feedline.internal.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stores as many tasks leave them: the shards of each task in a directory of its own, two below the
 * store, and one index of them all. They are put together from what the formats' own writers make.
 */
public final class ListedStores {

  public static final List<String> FORMATS = List.of("webdataset", "tfrecord", "mds");

  public static final List<String> CLASSES = List.of("ant", "bee", "cow");

  public static final List<Integer> SIZES = List.of(3, 4, 1);

  private static final String JOB = "job-20261122T210000Z-abcdefgh";

  private ListedStores() {}

  /** The image of a number: images differ in their bytes and keys, and labels go round. */
  public static EncodedImage image(int number) {
    byte[] bytes = Fixtures.bytes(number % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg");
    int label = number % CLASSES.size();
    return new EncodedImage(CLASSES.get(label) + "/" + number, bytes, label, "jpg");
  }

  public static String task(int task) {
    return "%s/%05d-%d".formatted(JOB, task, 17 + task);
  }

  public static Path make(Path target, String name, Map<String, String> options)
      throws IOException {
    List<PackedShard> listed = new ArrayList<>();
    List<Object> described = new ArrayList<>();
    int number = 0;
    for (int task = 0; task < SIZES.size(); task++) {
      Path directory = target.resolve(task(task));
      Packing packing = Packing.of(CLASSES, SIZES.get(task));
      for (Map.Entry<String, String> option : options.entrySet()) {
        packing = packing.withOptions(packing.options().with(option.getKey(), option.getValue()));
      }
      try (StoreWriter<EncodedImage> writer = StoreFormat.named(name).create(directory, packing)) {
        for (int i = 0; i < SIZES.get(task); i++) {
          writer.write(image(number++));
        }
        writer.commit();
      }
      Files.deleteIfExists(directory.resolve("classes.json"));
      Files.deleteIfExists(directory.resolve("data.classes.json"));
      if (name.equals("mds")) {
        described.addAll(moved(directory, task(task)));
      } else {
        listed.add(onlyShard(directory, SIZES.get(task)).in(task(task)));
      }
    }
    if (name.equals("mds")) {
      writeIndex(target, described);
    } else {
      ShardList list = new ShardList(name, CLASSES, options, listed);
      Files.write(target.resolve(ShardList.NAME), list.toBytes());
    }
    return target;
  }

  private static PackedShard onlyShard(Path directory, int samples) throws IOException {
    List<Path> files;
    try (var found = Files.list(directory)) {
      files = found.toList();
    }
    if (files.size() != 1) {
      throw new IllegalStateException("expected one shard, found " + files);
    }
    Path file = files.get(0);
    byte[] bytes = Files.readAllBytes(file);
    return new PackedShard(
        file.getFileName().toString(), samples, bytes.length, Sha256.of(bytes), "");
  }

  /** The shards of an index of MDS, with paths below the store, as streaming merges indexes. */
  private static List<Object> moved(Path directory, String below) throws IOException {
    Path file = directory.resolve("index.json");
    List<Object> shards = new ArrayList<>();
    for (Object each : (List<?>) Json.read(Files.readString(file)).get("shards")) {
      Map<String, Object> shard = copy(each);
      for (String part : List.of("raw_data", "zip_data")) {
        if (shard.get(part) != null) {
          Map<String, Object> info = copy(shard.get(part));
          info.put("basename", below + "/" + info.get("basename"));
          shard.put(part, info);
        }
      }
      shards.add(shard);
    }
    Files.delete(file);
    return shards;
  }

  private static Map<String, Object> copy(Object json) {
    Map<String, Object> copy = new TreeMap<>();
    ((Map<?, ?>) json).forEach((key, value) -> copy.put(key.toString(), value));
    return copy;
  }

  private static void writeIndex(Path target, List<Object> shards) throws IOException {
    Map<String, Object> index = new LinkedHashMap<>();
    index.put("classes", CLASSES);
    index.put("shards", shards);
    index.put("version", 2);
    Files.writeString(target.resolve("index.json"), Json.write(index));
  }
}
