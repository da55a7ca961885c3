package io.feedline.formats.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.ZstdOutputStream;
import io.feedline.BatchIterator;
import io.feedline.DataLoader;
import io.feedline.LoaderState;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.formats.remote.internal.fs.StubStore;
import io.feedline.packing.TokenSequence;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text and tokens that lie in a bucket of S3. */
@Timeout(120)
class TextInBucketTest {

  /** A way to pack a file. */
  private interface Packing {
    OutputStream open(OutputStream out) throws IOException;
  }

  private static List<String> documents(int from, int to) {
    Random random = new Random(from);
    return IntStream.range(from, to)
        .mapToObj(
            i -> "{\"id\": %d, \"text\": \"%s\"}".formatted(i, "w ".repeat(random.nextInt(900))))
        .toList();
  }

  /** Two packed files one behind the other, as cat makes them. */
  private static byte[] packed(String name, List<String> lines) throws IOException {
    Packing packing =
        name.endsWith(".gz")
            ? GZIPOutputStream::new
            : name.endsWith(".zst") ? ZstdOutputStream::new : out -> out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int half = lines.size() / 2;
    for (List<String> part : List.of(lines.subList(0, half), lines.subList(half, lines.size()))) {
      ByteArrayOutputStream one = new ByteArrayOutputStream();
      try (OutputStream out = packing.open(one)) {
        out.write((String.join("\n", part) + "\n").getBytes(StandardCharsets.UTF_8));
      }
      one.writeTo(bytes);
    }
    return bytes.toByteArray();
  }

  private static FileSystem open(StubStore store) throws IOException {
    return FileSystems.newFileSystem(
        URI.create("s3://" + StubStore.BUCKET),
        Map.of("endpoint", store.endpoint().toString(), "anonymous", "true"));
  }

  private static DataLoader<Long> loader(List<Path> files, int workers) throws IOException {
    return DataLoader.builder(
            IterableDataset.lines(files)
                .map(JsonLines.maps())
                .filter(map -> (long) map.get("id") % 7 != 3)
                .map(map -> (Long) map.get("id")))
        .batchSize(16)
        .numWorkers(workers)
        .build();
  }

  private static List<Long> take(BatchIterator batches, int most) {
    List<Long> ids = new ArrayList<>();
    for (int taken = 0; taken < most && batches.hasNext(); taken++) {
      try (Batch batch = batches.next()) {
        for (long id : batch.tensor("data").toLongArray()) {
          ids.add(id);
        }
      }
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(strings = {".jsonl", ".jsonl.gz", ".jsonl.zst"})
  void shouldReadLinesAndGoOnFromTwentyRandomPlaces(String suffix) throws Exception {
    try (StubStore store = new StubStore()) {
      store.put("text/a" + suffix, packed(suffix, documents(0, 300)));
      store.put("text/b" + suffix, packed(suffix, documents(300, 500)));
      try (FileSystem bucket = open(store)) {
        List<Path> files =
            List.of(bucket.getPath("/text/a" + suffix), bucket.getPath("/text/b" + suffix));
        List<Long> expected =
            IntStream.range(0, 500).filter(id -> id % 7 != 3).mapToObj(Long::valueOf).toList();
        Random random = new Random(1);
        for (int place : random.ints(20, 0, 27).toArray()) {
          List<Long> ids;
          LoaderState state;
          try (DataLoader<Long> loader = loader(files, 2)) {
            ids = take(loader.iterator(), place);
            state = loader.state();
          }
          try (DataLoader<Long> loader = loader(files, random.nextInt(3))) {
            loader.resume(state);
            ids.addAll(take(loader.iterator(), Integer.MAX_VALUE));
          }
          assertThat(ids).as("from batch %d", place).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void shouldReadTokens() throws Exception {
    ByteBuffer ids = ByteBuffer.allocate(8000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 4000; i++) {
      ids.putShort((short) (i * 16));
    }
    try (StubStore store = new StubStore().put("train.bin", ids.array());
        FileSystem bucket = open(store);
        TokenFile tokens = TokenFile.of(bucket.getPath("/train.bin"), TokenFile.Type.UINT16, 40);
        DataLoader<int[]> loader =
            DataLoader.builder(tokens.map(TokenSequence::ids)).batchSize(10).build()) {
      int next = 0;
      for (Batch batch : loader) {
        for (int id : batch.tensor("data").toIntArray()) {
          assertThat(id).isEqualTo(next++ * 16);
        }
        batch.close();
      }
      assertThat(next).isEqualTo(4000);
    }
  }
}
