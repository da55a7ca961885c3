package io.feedline.formats.remote.internal.fs;

import com.sun.net.httpserver.HttpExchange;
import io.feedline.DataLoader;
import io.feedline.ErrorPolicy;
import io.feedline.batch.Batch;
import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.ToTensor;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreWriter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.slf4j.LoggerFactory;

/**
 * A process that writes, reads and fails with secrets, logs all that there is to log, and leaves
 * behind whatever a run may leave: states, records, recordings, caches, journals.
 */
final class SecretsChild {

  static final S3Credentials CREDENTIALS =
      new S3Credentials("AKIAMARKERMARKER", "marker/SECRET+of=mine", "marker-SESSION-token+/=");

  static final String AZURE_KEY = "MARKERazureKEYMARKERazureKEYMARKERazureKEY12";

  private static final int IMAGES = 12;

  private SecretsChild() {}

  static Process start(Path directory) throws IOException {
    List<String> command = StubStore.java(SecretsChild.class, directory.toString());
    command.add(1, "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace");
    command.add(1, "-Dfeedline.indexes=" + directory.resolve("indexes"));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  public static void main(String... args) throws Exception {
    Path directory = Path.of(args[0]);
    LoggerFactory.getLogger(SecretsChild.class).trace("all is logged");
    try (Recording recording = new Recording(Configuration.getConfiguration("profile"));
        StubStore stub = new StubStore()) {
      recording.disable("jdk.SystemProcess"); // the command lines of other people's processes
      recording.enable("io.feedline.Work");
      recording.start();
      Map<String, Object> options =
          Map.of("endpoint", stub.endpoint().toString(), "credentials", CREDENTIALS);
      try (FileSystem files =
          FileSystems.newFileSystem(URI.create("s3://" + StubStore.BUCKET), options)) {
        System.out.println(files + " " + CREDENTIALS + " " + options);
        for (String format : List.of("webdataset", "imagefolder", "zip")) {
          Path there = files.getPath("/" + format);
          write(there, format);
          read(there, directory.resolve(format));
        }
        fail(stub, files);
      }
      stub.fault((exchange, number) -> false);
      signed(stub, directory);
      hub(stub, directory);
      google(directory);
      azure(stub);
      Files.writeString(directory.resolve("journals"), String.join("\n", stub.journals()));
      recording.dump(directory.resolve("recording.jfr"));
    }
    System.out.println("all is done");
  }

  /** An address with a signature in its query. */
  private static void signed(StubStore stub, Path directory) throws IOException {
    String query = "?X-Amz-Signature=MARKERsignature";
    read(Path.of(URI.create(stub.endpoint() + "/bucket/zip" + query)), directory.resolve("signed"));
    stub.fault((exchange, number) -> echo(exchange, 403));
    Path refused = Path.of(URI.create(stub.endpoint() + "/bucket/x" + query));
    attempt(() -> System.out.println(Files.size(refused)));
  }

  /** A token of the hub, and signatures of the addresses that it sends on to. */
  private static void hub(StubStore stub, Path directory) throws IOException {
    try (StubHub hub = new StubHub().put("zip", stub.bytes("zip"));
        FileSystem files =
            FileSystems.newFileSystem(
                URI.create("hf://datasets"),
                Map.of("endpoint", hub.endpoint().toString(), "token", StubHub.TOKEN))) {
      read(files.getPath("/owner/name@main/zip"), directory.resolve("hub"));
      hub.refuse(403, "GatedRepo");
      attempt(() -> System.out.println(Files.size(files.getPath("/owner/name/other"))));
    }
  }

  private static void google(Path directory) throws IOException {
    try (StubGoogle stub = new StubGoogle();
        FileSystem files =
            FileSystems.newFileSystem(
                URI.create("gs://bucket"),
                Map.of("endpoint", stub.endpoint().toString(), "token", StubGoogle.TOKEN))) {
      write(files.getPath("/webdataset"), "webdataset");
      read(files.getPath("/webdataset"), directory.resolve("google"));
      stub.fault((exchange, number) -> echo(exchange, 403));
      attempt(() -> System.out.println(Files.size(files.getPath("/other"))));
      attempt(() -> write(files.getPath("/another"), "webdataset"));
    }
  }

  /** Keys and signatures of Azure, of which a server repeats all. */
  private static void azure(StubStore stub) throws IOException {
    stub.fault((exchange, number) -> echo(exchange, 403));
    for (Map<String, String> secret :
        List.of(
            Map.of("account-key", AZURE_KEY),
            Map.of("sas", "sv=1&sig=" + AZURE_KEY),
            Map.of("token", "eyMARKERtoken"))) {
      Map<String, String> options = new HashMap<>(secret);
      options.put("endpoint", stub.endpoint().toString());
      options.put("account", "pictures");
      try (FileSystem files = FileSystems.newFileSystem(URI.create("az://bucket"), options)) {
        attempt(() -> System.out.println(Files.size(files.getPath("/other"))));
        attempt(
            () -> {
              try (Stream<Path> entries = Files.list(files.getPath("/other"))) {
                System.out.println(entries.toList());
              }
            });
        attempt(() -> write(files.getPath("/another"), "webdataset"));
      }
    }
  }

  private static void write(Path target, String format) throws IOException {
    Packing packing = Packing.of(List.of("ant", "bee"), IMAGES);
    try (StoreWriter<EncodedImage> writer = StoreFormat.named(format).create(target, packing)) {
      System.out.println(writer);
      for (int i = 0; i < IMAGES; i++) {
        byte[] jpeg = Fixtures.bytes("jpeg_444.jpg");
        writer.write(new EncodedImage("%04d".formatted(i), jpeg, i * 2 / IMAGES, "jpg"));
      }
      writer.commit();
    }
  }

  private static void read(Path there, Path left) throws IOException {
    DiskCache cache =
        DiskCache.at(left.resolveSibling(left.getFileName() + "-cache"))
            .cacheBytes(1 << 22)
            .build();
    for (Path path : List.of(there, cache.inFrontOf(there))) {
      try (ImageDataset images = ImageDataset.open(path);
          DataLoader<LabeledImage> loader = loader(images)) {
        System.out.println(
            cache + " " + path + " " + path.toUri() + " " + images.name() + " " + loader);
        for (Batch batch : loader) {
          try (batch) {
            System.out.println(batch + " " + batch.size());
          }
        }
        System.out.println(loader.stats() + " " + loader.quarantine().entries());
        Files.writeString(left.resolveSibling(left.getFileName() + ".state"), loader.state() + "");
        Files.writeString(
            left.resolveSibling(left.getFileName() + ".json"), loader.runRecord().toJson());
      }
    }
  }

  private static DataLoader<LabeledImage> loader(ImageDataset images) {
    return DataLoader.builder(images.withTransform(RandomResizedCrop.of(16).andThen(ToTensor.of())))
        .batchSize(4)
        .numWorkers(2)
        .errorPolicy(ErrorPolicy.skip())
        .build();
  }

  /** Every request is refused, by a server that repeats all that it was sent. */
  private static void fail(StubStore stub, FileSystem files) throws IOException {
    try (ImageDataset images = ImageDataset.open(files.getPath("/imagefolder"));
        DataLoader<LabeledImage> loader = loader(images)) {
      for (int status : List.of(400, 403, 301)) {
        stub.fault((exchange, number) -> echo(exchange, status));
        attempt(() -> System.out.println(images.encoded(0)));
        attempt(() -> write(files.getPath("/" + status), "webdataset"));
        attempt(() -> System.out.println(Files.size(files.getPath("/other" + status))));
        stub.fault(
            (exchange, number) ->
                exchange.getRequestMethod().startsWith("P") && echo(exchange, status));
        attempt(() -> write(files.getPath("/" + status), "webdataset"));
      }
      stub.fault((exchange, number) -> echo(exchange, 403));
      attempt(
          () -> {
            for (Batch batch : loader) {
              batch.close();
            }
          });
      System.out.println(loader.quarantine().entries() + " " + loader.stats());
    }
  }

  static boolean echo(HttpExchange exchange, int status) throws IOException {
    String all = exchange.getRequestURI() + " " + exchange.getRequestHeaders().values();
    return StubStore.send(
        exchange,
        status,
        "<Error><Code>" + all + "</Code><Message>" + all + "</Message></Error>",
        "Location",
        "ftp://user:" + CREDENTIALS.secretAccessKey() + "@elsewhere/",
        "x-echo",
        CREDENTIALS.sessionToken());
  }

  private interface Attempt {
    void make() throws Exception;
  }

  private static void attempt(Attempt attempt) {
    try {
      attempt.make();
      System.out.println("this did not fail");
    } catch (Exception failure) {
      failure.printStackTrace(System.out);
    }
  }
}
