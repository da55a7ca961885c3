package io.feedline.formats.remote.internal.fs;

import io.feedline.formats.store.Packing;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A process that packs images into a store, and the kill of it in the middle of a request. */
final class ServerChild {

  static final int IMAGES = 40;

  private ServerChild() {}

  /** Writes the images that are not there yet. */
  static void write(Path target) throws IOException {
    Packing packing = Packing.of(List.of("ant", "bee"), IMAGES).withShardBytes(20_000);
    StubStore.write("mds", target, packing, IMAGES, i -> StubStore.image(i, 0, i * 2 / IMAGES));
  }

  /**
   * Starts a process that packs, and kills it at a request, before the request is answered; the
   * server gets every other request.
   */
  static void kill(FaultyProxy server, S3Server.Kind kind, String target, Path disk, int request)
      throws Exception {
    CompletableFuture<Process> child = new CompletableFuture<>();
    server.fault(
        (exchange, number) -> {
          if (number >= request) {
            child.join().destroyForcibly().onExit().join();
          }
          return number > request || (number == request && request % 2 == 0);
        });
    List<String> command =
        StubStore.java(ServerChild.class, kind.name(), server.endpoint().toString(), target);
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

  /** Takes a kind of server, its address, and the directory to write. */
  public static void main(String... args) throws Exception {
    try (ObjectFileSystem files = S3Server.Kind.valueOf(args[0]).files(URI.create(args[1]))) {
      write(files.getPath(args[2]));
    }
  }
}
