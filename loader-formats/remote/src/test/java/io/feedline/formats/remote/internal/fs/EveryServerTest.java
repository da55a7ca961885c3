package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.remote.RemoteFileSystem.ObjectChangedException;
import io.feedline.formats.remote.internal.s3.RemoteObject;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.keyfs.KeyPath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every format in every server, with signed requests: what it gives on the disk. */
@ParameterizedClass(name = "{0}")
@EnumSource(S3Server.Kind.class)
class EveryServerTest extends ServerContract {

  private static final List<String> CLASSES = List.of("ant", "bee eater");

  @TempDir private Path disk;

  @Test
  void shouldGiveTheSamplesOfEveryFormat() throws Exception {
    List<String> read = new ArrayList<>();
    for (StoreFormat format : StoreFormat.all()) {
      if (!format.isWritable() || format.name().equals("lmdb")) {
        continue; // LMDB maps its file
      }
      Path made = disk.resolve(format.name());
      try (StoreWriter<EncodedImage> writer = format.create(made, Packing.of(CLASSES, 8))) {
        for (int i = 0; i < 8; i++) {
          byte[] bytes = Fixtures.bytes(i % 2 == 0 ? "jpeg_444.jpg" : "jpeg_grey.jpg");
          writer.write(new EncodedImage(CLASSES.get(i / 4) + "/" + i, bytes, i / 4, "jpg"));
        }
        writer.commit();
      }
      if (Files.isDirectory(made)) {
        server().putAll(made, "stores/" + format.name() + "/");
      } else {
        server().put("stores/" + format.name(), Files.readAllBytes(made));
      }
      Path there = files().getPath("/stores/" + format.name());
      assertThat(StoreFormat.of(there).name()).isEqualTo(format.name());
      try (ImageStore local = format.open(made, StoreOptions.NONE);
          ImageStore remote = format.open(there, StoreOptions.NONE)) {
        assertSame(remote, local);
        assertSameAtOnce(remote, local);
      }
      read.add(format.name());
    }
    assertThat(read).contains("imagefolder", "tfrecord", "recordio", "webdataset", "mds", "zip");
  }

  private static void assertSame(ImageStore remote, ImageStore local) throws IOException {
    assertThat(remote.size()).isEqualTo(local.size());
    assertThat(remote.classes()).isEqualTo(local.classes());
    assertThat(remote.fingerprint()).isEqualTo(local.fingerprint());
    for (long i = 0; i < local.size(); i++) {
      EncodedImage image = remote.read(i);
      assertThat(image.bytes()).isEqualTo(local.read(i).bytes());
      assertThat(image.key()).isEqualTo(local.read(i).key());
      assertThat(image.label()).isEqualTo(local.label(i));
      assertThat(remote.describe(i)).contains("://bucket/stores/");
    }
  }

  private static void assertSameAtOnce(ImageStore remote, ImageStore local) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Callable<byte[]>> reads = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        long index = i * 5L % remote.size();
        reads.add(() -> remote.read(index).bytes());
      }
      List<Future<byte[]>> done = threads.invokeAll(reads);
      for (int i = 0; i < 64; i++) {
        assertThat(done.get(i).get()).isEqualTo(local.read(i * 5L % local.size()).bytes());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void shouldHaveKeysOfAllCharacters() throws Exception {
    List<String> keys =
        List.of(
            "keys/a b+c%20d.jpg",
            "keys/ü\u20ac\ud83d\ude00", "keys/!$&'()*,;=@:", "keys/#?[]{}|^`\"<>");
    for (String key : keys) {
      server().put(key, key.getBytes(StandardCharsets.UTF_8));
    }
    try (var entries = Files.list(files().getPath("/keys"))) {
      assertThat(entries.map(path -> ((KeyPath) path).key()))
          .containsExactlyInAnyOrderElementsOf(keys);
    }
    for (String key : keys) {
      assertThat(Files.readString(files().getPath("/" + key))).isEqualTo(key);
      assertThat(Files.readString(server().files().getPath("/" + key))).isEqualTo(key);
    }
  }

  @Test
  void shouldReadEmptyObjects() throws Exception {
    server().put("empty/a.bin", new byte[0]);
    server().put("empty/b.bin", new byte[] {1});
    assertThat(Files.readAllBytes(files().getPath("/empty/a.bin"))).isEmpty();
    try (var entries = Files.list(files().getPath("/empty"))) {
      assertThat(entries.filter(Files::isRegularFile)).hasSize(2);
    }
    assertThat(Files.readAllBytes(files().getPath("/empty/a.bin"))).isEmpty();
  }

  /** Hadoop, blobfuse and others put such objects for directories. */
  @Test
  void shouldTakeAnEmptyObjectForTheDirectoryOfThatName() throws Exception {
    assumeTrue(kind() != S3Server.Kind.S3PROXY, "its objects are files, which are no directories");
    server().put("marked", new byte[0]);
    server().put("marked/ant", new byte[0]);
    server().put("marked/ant/1.jpg", Fixtures.bytes("jpeg_444.jpg"));
    assertThat(files().getPath("/marked")).isDirectory();
    try (ImageStore images =
        StoreFormat.of(files().getPath("/marked"))
            .open(files().getPath("/marked"), StoreOptions.NONE)) {
      assertThat(images.size()).isEqualTo(1);
      assertThat(images.classes()).containsExactly("ant");
    }
  }

  @Test
  void shouldSayWhatIsNotThere() throws Exception {
    server().put("some/key", new byte[1]);

    assertThatThrownBy(() -> files().objects().stat(URI.create("s3://bucket/some")))
        .isInstanceOf(FileNotFoundException.class);
    assertThat(Files.exists(files().getPath("/some/other"))).isFalse();
    assertThat(Files.isDirectory(files().getPath("/some"))).isTrue();
  }

  @Test
  void shouldNoticeThatAnObjectHasChanged() throws Exception {
    URI uri = URI.create("s3://bucket/changing");
    server().put("changing", new byte[] {1, 2, 3, 4});
    RemoteObject object = files().objects().stat(uri);
    assertThat(object.size()).isEqualTo(4);
    assertThat(object.version()).isNotEmpty();
    server().put("changing", new byte[] {5, 6, 7, 8});

    assertThatThrownBy(() -> files().objects().read(object, 0, ByteBuffer.allocate(2)))
        .isInstanceOf(ObjectChangedException.class);
  }
}
