package io.feedline.formats.remote.internal.fs;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A process that packs images into a store, or reads epochs of them through a cache; and the kill
 * of it in the middle of a request.
 */
final class ServerChild {

  static final int IMAGES = 40;

  /** The kind of the hub, which is no {@link S3Server}. */
  static final String HUB = "HUB";

  private ServerChild() {}

  /** A place where a fault can be set. */
  interface Faulty {
    void fault(StubStore.Fault fault);
  }

  /** Writes the images, those that are not there yet. */
  static void write(Path target) throws IOException {
    Packing packing = Packing.of(List.of("ant", "bee"), IMAGES).withShardBytes(20_000);
    try (StoreWriter<EncodedImage> writer = StoreFormat.named("mds").create(target, packing)) {
      for (int i = (int) writer.written(); i < IMAGES; i++) {
        byte[] jpeg = Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg");
        writer.write(new EncodedImage("%02d".formatted(i), jpeg, i * 2 / IMAGES, "jpg"));
      }
      writer.commit();
    }
  }

  static DiskCache cache(Path directory) {
    return DiskCache.at(directory).cacheBytes(1 << 20).lineBytes(1 << 16).build();
  }

  /**
   * Starts this in a JVM of its own, and kills it at a request, before it is answered. Every other
   * request has come to the store by then.
   *
   * @param work "pack" or "read"
   */
  static void kill(
      Faulty server, String kind, URI endpoint, String work, String target, Path disk, int request)
      throws Exception {
    CompletableFuture<Process> child = new CompletableFuture<>();
    server.fault(
        (exchange, number) -> {
          if (number >= request) {
            child.join().destroyForcibly().onExit().join();
          }
          return number > request || (number == request && request % 2 == 0);
        });
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ServerChild.class.getName(), kind, endpoint.toString(), work, target));
    command.add(disk.resolve("cache").toString());
    Path log = disk.resolve("child.log");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      child.complete(process);
      int code = process.waitFor();
      if (code == 0 || code == 1) {
        throw new AssertionError("the process ended by itself: " + Files.readString(log));
      }
    } finally {
      process.destroyForcibly();
      server.fault((exchange, number) -> false);
    }
  }

  /** Takes what {@link #kill} gives. */
  public static void main(String... args) throws Exception {
    URI endpoint = URI.create(args[1]);
    try (ObjectFileSystem files =
        args[0].equals(HUB)
            ? StubHub.open(endpoint, StubStore.quick(), Map.of("token", StubHub.TOKEN))
            : S3Server.Kind.valueOf(args[0]).files(endpoint)) {
      Path target = files.getPath(args[3]);
      if (args[2].equals("pack")) {
        write(target);
      } else {
        read(cache(Path.of(args[4])).inFrontOf(target));
      }
    }
  }

  private static void read(Path cached) throws IOException {
    try (FileSystem through = cached.getFileSystem();
        ImageDataset images = ImageDataset.open(cached);
        DataLoader<Long> loader =
            DataLoader.builder(images.map(sample -> (long) sample.image().width()))
                .batchSize(7)
                .numWorkers(3)
                .build()) {
      for (Batch batch : loader) {
        batch.close();
      }
      System.out.println("an epoch through " + through);
    }
  }
}
