package io.feedline.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.examples.formats.ReadFromAnyStore;
import io.feedline.examples.formats.ReadHubSplit;
import io.feedline.examples.shared.GeneratedFolder;
import io.feedline.examples.shared.LocalObjectStore;
import io.feedline.formats.remote.internal.fs.AzuriteProcess;
import io.feedline.formats.remote.internal.fs.StubGoogle;
import io.feedline.formats.remote.internal.fs.StubHub;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An epoch from each store through a cache, and a conversion to those that are written. */
@Tag("once")
@Timeout(120)
class StoresTest {

  @TempDir private Path temp;
  private Path images;

  @BeforeEach
  void makeImages() throws Exception {
    images = new GeneratedFolder(temp.resolve("images"), 4, 1, 0).make().resolve("train");
  }

  private long size() throws Exception {
    try (Stream<Path> files = Files.walk(images)) {
      return files.filter(Files::isRegularFile).count();
    }
  }

  private void run(String source, String... target) throws Exception {
    List<String> args = new ArrayList<>(List.of(source, temp.resolve("cache").toString()));
    args.addAll(List.of(target));
    assertThat(Printed.by(ReadFromAnyStore::main, args.toArray(String[]::new)))
        .contains("an epoch of " + source + ": " + size() + " images")
        .hasSize(1 + target.length);
  }

  private static FileSystem open(String uri, URI endpoint, Object... options) throws Exception {
    Map<String, Object> all = new HashMap<>(Map.of("endpoint", endpoint.toString()));
    for (int i = 0; i < options.length; i += 2) {
      all.put((String) options[i], options[i + 1]);
    }
    return FileSystems.newFileSystem(URI.create(uri), all);
  }

  private void pack(Path target) throws Exception {
    assertThat(Printed.by(unused -> ReadFromAnyStore.convert(images, target)))
        .containsExactly("written to " + target.toUri() + ": " + size() + " images");
  }

  @Test
  void shouldReadTheHubAndASplitOfIt() throws Exception {
    String card = "---\nconfigs:\n- config_name: flowers\n  data_dir: flowers\n---\n";
    try (StubHub hub = new StubHub();
        FileSystem files = open("hf://datasets", hub.endpoint(), "token", StubHub.TOKEN)) {
      assertThat(files.isOpen()).isTrue();
      try (Stream<Path> all = Files.walk(images)) {
        for (Path each : all.filter(Files::isRegularFile).toList()) {
          hub.put("train/" + images.relativize(each), Files.readAllBytes(each));
        }
      }
      hub.put("README.md", card.getBytes(StandardCharsets.UTF_8));
      for (String each : List.of("train-0.csv", "train-1.csv", "dev.csv")) {
        hub.put("flowers/" + each, "width,y\n1,2\n3,4\n".getBytes(StandardCharsets.UTF_8));
      }

      run("hf://datasets/owner/name@main/train");
      assertThat(Printed.by(ReadHubSplit::main, "hf://datasets/owner/name", "flowers", "train"))
          .containsExactly(
              "configurations: [flowers]",
              "splits of flowers: [train, validation]",
              "train: 4 rows");
    }
  }

  @Test
  void shouldReadAndWriteGooglesStore() throws Exception {
    try (StubGoogle google = new StubGoogle();
        FileSystem files = open("gs://bucket", google.endpoint(), "token", StubGoogle.TOKEN)) {
      assertThat(files.isOpen()).isTrue();
      pack(files.getPath("train"));
      run("gs://bucket/train", "gs://bucket/copy");
      run("gs://bucket/copy");
    }
  }

  @Test
  void shouldReadAndWriteAzuresBlobs() throws Exception {
    try (AzuriteProcess azurite = AzuriteProcess.start()) {
      azurite.makeContainer("bucket");
      try (FileSystem files =
          open(
              "az://bucket",
              azurite.endpoint(),
              "account",
              AzuriteProcess.ACCOUNT,
              "account-key",
              AzuriteProcess.KEY)) {
        pack(files.getPath("train"));
        run("az://bucket/train", "az://bucket/copy");
        run("az://bucket/copy");
      }
    }
  }

  @Test
  void shouldReadAndWriteS3() throws Exception {
    try (LocalObjectStore s3 = new LocalObjectStore()) {
      s3.put("pictures", "train", images);
      try (FileSystem files =
          open("s3://pictures", s3.endpoint(), "credentials", LocalObjectStore.CREDENTIALS)) {
        assertThat(files.isOpen()).isTrue();
        run("s3://pictures/train", "s3://pictures/copy");
        run("s3://pictures/copy");
      }
    }
  }
}
