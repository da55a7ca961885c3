package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.formats.store.FixtureFiles;
import io.feedline.formats.store.StoreWriter;
import io.feedline.formats.store.internal.files.OpenFiles;
import io.feedline.formats.store.internal.files.PiecesAhead;
import io.feedline.formats.tfrecord.TfRecordDataset;
import io.feedline.formats.webdataset.WebDataset;
import io.feedline.formats.webdataset.WebDataset.WebSample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files in a bucket that are gone through from front to back. */
@Timeout(120)
class PiecesAheadTest {

  private static final int BYTES = 12 << 20;

  private final byte[] content = new byte[BYTES];
  @AutoClose private final OpenFiles files = new OpenFiles(2);
  @TempDir private Path disk;
  @AutoClose private final StubStore stub = new StubStore();
  @AutoClose private final ObjectFileSystem bucket = stub.open();
  private Path file = bucket.getPath("/file");

  @BeforeEach
  void fill() {
    new Random(1).nextBytes(content);
    stub.put("file", content);
  }

  private void check(PiecesAhead pieces, int position, int length) throws IOException {
    byte[] target = new byte[length + 2];
    pieces.read(position, target, 1, length);
    assertThat(Arrays.equals(target, 1, length + 1, content, position, position + length))
        .as("%d bytes at %d", length, position)
        .isTrue();
  }

  @Test
  void shouldGiveTheBytesOfTheFileHoweverItIsGoneThrough() throws IOException {
    Random random = new Random(2);
    for (int most : new int[] {1 << 12, 1 << 18, 1 << 20, 3 << 20}) {
      try (PiecesAhead pieces = new PiecesAhead(files, file, BYTES)) {
        int position = 0;
        while (position < BYTES && random.nextInt(200) > 0) {
          int length = Math.min(BYTES - position, 1 + random.nextInt(most));
          check(pieces, position, length);
          position += length;
          position += random.nextInt(8) > 0 ? 0 : random.nextInt(most);
          position = random.nextInt(20) > 0 ? position : random.nextInt(BYTES);
        }
      }
    }
  }

  /**
   * Has requests wait until there are some for other parts, the first part excepted: repeated ones
   * do not count. With one request at a time there would never be.
   */
  private void awaitTogether(int parts) {
    CountDownLatch together = new CountDownLatch(parts);
    Set<String> asked = ConcurrentHashMap.newKeySet();
    String ofAnother = file.endsWith("file") ? "none" : "/file";
    stub.fault(
        (exchange, number) -> {
          String path = exchange.getRequestURI().getPath();
          String range = String.valueOf(exchange.getRequestHeaders().getFirst("Range"));
          if (!path.endsWith(ofAnother)
              && range.startsWith("bytes=")
              && !range.startsWith("bytes=0-")) {
            if (asked.add(range)) {
              together.countDown();
            }
            StubStore.await(together);
          }
          return false;
        });
  }

  @Test
  void shouldReadWhatComesNextWhileAPieceIsUsed() throws IOException {
    files.size(file);
    stub.forgetRequests();
    awaitTogether(2);
    try (PiecesAhead pieces = new PiecesAhead(files, file, BYTES)) {
      for (int position = 0; position < 4 << 20; position += 1 << 16) {
        check(pieces, position, 1 << 16);
      }
    }
  }

  /** The first piece of a stream's shard is small, so that its first samples come soon. */
  @ParameterizedTest
  @ValueSource(strings = {"webdataset", "webdataset.gz", "tfrecord"})
  void shouldReadAShardAheadOfItsStream(String kind) throws Exception {
    List<byte[]> samples = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      samples.add(Arrays.copyOfRange(content, i * 100_000, i * 101_000 + 100_000));
    }
    IterableDataset<byte[]> stream = stream(kind, samples);
    stub.forgetRequests();
    awaitTogether(2);
    for (int epoch = 0; epoch < 2; epoch++) {
      List<byte[]> found = new ArrayList<>();
      try (DataLoader<byte[]> loader =
          DataLoader.builder(stream)
              .collator((rows, batch) -> batch.values("bytes", rows))
              .batchSize(4)
              .numWorkers(1)
              .prefetchNextEpoch(false)
              .build()) {
        for (Batch batch : loader) {
          try (batch) {
            batch.values().get("bytes").forEach(each -> found.add((byte[]) each));
            if (epoch == 1) {
              break; // leaves the rest
            }
          }
        }
      }
      assertThat(found.get(0)).isEqualTo(samples.get(0));
      if (epoch == 0) {
        assertThat(found).usingElementComparator(Arrays::compare).isEqualTo(samples);
      }
    }
  }

  private IterableDataset<byte[]> stream(String kind, List<byte[]> samples) throws IOException {
    Path made = disk.resolve("made");
    if (kind.equals("tfrecord")) {
      FixtureFiles.write(TfRecordDataset.writer(made).open(), samples);
      stub.putAll(made, "made/");
      return TfRecordDataset.builder(bucket.getPath("/made/data-*")).stream();
    }
    try (StoreWriter<WebSample> writer = WebDataset.writer(made, "data-%06d.tar").open()) {
      for (int i = 0; i < samples.size(); i++) {
        writer.write(new WebSample("%04d".formatted(i), Map.of("bin", samples.get(i))));
      }
      writer.commit();
    }
    byte[] tar = Files.readAllBytes(made.resolve("data-000000.tar"));
    if (kind.endsWith("gz")) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
        out.write(tar);
      }
      tar = packed.toByteArray();
    }
    String key = "made." + (kind.endsWith("gz") ? "tar.gz" : "tar");
    stub.put(key, tar);
    return WebDataset.builder(List.of(bucket.getPath("/" + key))).stream()
        .map(sample -> sample.bytes("bin"));
  }

  @Test
  void shouldReadOneSmallPieceWhereItIsNotGoneOnWith() throws IOException {
    files.size(file);
    stub.forgetRequests();
    for (int i = 0; i < 10; i++) {
      try (PiecesAhead pieces = new PiecesAhead(files, file, BYTES)) {
        check(pieces, i << 20, 1 << 10);
      }
    }
    assertThat(stub.requests()).hasSize(10);
    assertThat(stub.requests())
        .allSatisfy(
            each -> {
              String[] ends = each.header("range").substring("bytes=".length()).split("-", -1);
              assertThat(Long.parseLong(ends[1]) - Long.parseLong(ends[0])).isLessThan(1 << 18);
            });
  }

  /** The third piece is asked for while the second one is waited for, so by a thread ahead. */
  @Test
  void shouldReadAgainWhatCouldNotBeReadAhead() throws IOException {
    files.size(file);
    CountDownLatch refused = new CountDownLatch(1);
    stub.fault(
        (exchange, number) -> {
          String range = String.valueOf(exchange.getRequestHeaders().getFirst("Range"));
          if (range.startsWith("bytes=262144-")) {
            StubStore.await(refused);
          } else if (range.startsWith("bytes=786432-") && refused.getCount() > 0) {
            StubStore.send(exchange, 403, "");
            refused.countDown();
            return true;
          }
          return false;
        });
    try (PiecesAhead pieces = new PiecesAhead(files, file, BYTES)) {
      for (int position = 0; position < BYTES; position += 1 << 19) {
        check(pieces, position, 1 << 19);
      }
    }
    assertThat(refused.getCount()).isZero();
  }

  @Test
  void shouldFailWithWhatCannotBeRead() throws IOException {
    files.size(file);
    stub.fault((exchange, number) -> number >= 2 && StubStore.send(exchange, 403, ""));
    try (PiecesAhead pieces = new PiecesAhead(files, file, BYTES)) {
      assertThatThrownBy(
              () -> {
                for (int position = 0; position < BYTES; position += 1 << 19) {
                  check(pieces, position, 1 << 19);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("s3://bucket/file");
    }
  }

  @Test
  void shouldHaveRoomAgainAfterManyThatWereLeft() throws IOException {
    for (int i = 0; i < 40; i++) {
      PiecesAhead pieces = new PiecesAhead(files, file, BYTES);
      for (int position = 0; position < 3 << 20; position += 1 << 19) {
        check(pieces, position, 1 << 19);
      }
      pieces.close();
      pieces.close();
    }
    // The reads still under way are of the other one.
    stub.put("another", content);
    file = bucket.getPath("/another");
    shouldReadWhatComesNextWhileAPieceIsUsed();
  }
}
