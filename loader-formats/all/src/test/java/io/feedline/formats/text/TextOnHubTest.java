package io.feedline.formats.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.formats.remote.internal.fs.StubHub;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Text and tokens that lie in a dataset repository of the Hugging Face hub. */
@Timeout(60)
class TextOnHubTest {

  private static FileSystem open(StubHub hub) throws IOException {
    return FileSystems.newFileSystem(
        URI.create("hf://datasets/"),
        Map.of("endpoint", hub.endpoint().toString(), "token", StubHub.TOKEN));
  }

  @Test
  void shouldReadPackedLines() throws Exception {
    List<String> lines =
        IntStream.range(0, 900).mapToObj(i -> "{\"id\": %d}".formatted(i * 7919L)).toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
    try (StubHub hub = new StubHub().put("text/train.jsonl.gz", bytes.toByteArray());
        FileSystem files = open(hub);
        DataLoader<String> loader =
            DataLoader.builder(
                    IterableDataset.lines(files.getPath("owner/name/text/train.jsonl.gz")))
                .batchSize(64)
                .numWorkers(2)
                .build()) {
      List<Object> read = new ArrayList<>();
      for (Batch batch : loader) {
        try (batch) {
          read.addAll(batch.values("data"));
        }
      }
      assertThat(read).isEqualTo(lines);
    }
  }

  @Test
  void shouldReadTokens() throws Exception {
    ByteBuffer ids = ByteBuffer.allocate(8000).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 4000; i++) {
      ids.putShort((short) (i * 16));
    }
    try (StubHub hub = new StubHub().put("train.bin", ids.array());
        FileSystem files = open(hub);
        TokenFile tokens =
            TokenFile.of(files.getPath("owner/name@main/train.bin"), TokenFile.Type.UINT16, 40)) {
      assertThat(tokens.size()).isEqualTo(100);
      for (int row = 99; row >= 0; row -= 33) {
        int first = 40 * row;
        assertThat(tokens.get(row).ids())
            .isEqualTo(IntStream.range(first, first + 40).map(i -> i * 16 & 0xFFFF).toArray());
      }
    }
  }
}
