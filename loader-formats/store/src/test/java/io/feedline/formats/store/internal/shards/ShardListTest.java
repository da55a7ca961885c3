package io.feedline.formats.store.internal.shards;

import static io.feedline.formats.store.Refusals.refused;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import io.feedline.formats.store.PackingJob.PackedShard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code shards.json}, as it is written and as it is read, sound, foreign and damaged. */
class ShardListTest {

  private static final String HASH = "0123456789abcdef".repeat(4);

  private Path file;

  @BeforeEach
  void nameFile(@TempDir Path directory) {
    file = directory.resolve(ShardList.NAME);
  }

  private ShardList read(String json) throws IOException {
    Files.writeString(file, json);
    return ShardList.read(file);
  }

  private ShardList shard(String members) throws IOException {
    return read("{\"__kind__\":\"wids-shard-index-v1\",\"shardlist\":[{%s}]}".formatted(members));
  }

  @Test
  void shouldReadWhatItHasWritten() throws IOException {
    ShardList list =
        new ShardList(
            "tfrecord",
            List.of("cat", "d\u00f6g"),
            Map.of("first-label", "1"),
            List.of(
                new PackedShard("job-1/00000-7/data.tfrecord", 3, 1536, HASH, ""),
                new PackedShard("job-1/00001-9/data.tfrecord", 1, 512, "", "")));

    Files.write(file, list.toBytes());

    assertThat(ShardList.read(file)).isEqualTo(list);
    assertThat(list.sizes()).containsExactly(3, 1);
  }

  @Test
  void shouldReadWhatWidsWrites() throws IOException {
    Files.write(file.resolveSibling("b.tar"), new byte[1024]);
    String directory = file.resolveSibling("").toUri().toString();

    ShardList list =
        read(
            """
            {"__kind__": "wids-shard-index-v1", "wids_version": 1, "name": "train",
             "shardlist": [
              {"url": "a/a.tar", "md5sum": "5d41402abc4b2a76b9719d911017c592", "nsamples": 2, "filesize": 4096},
              {"url": "none.tar", "nsamples": 0, "filesize": 1024},
              {"url": "%sb.tar", "nsamples": 1}]}
            """
                .formatted(directory));

    assertThat(list)
        .isEqualTo(
            new ShardList(
                "webdataset",
                List.of(),
                Map.of(),
                List.of(
                    new PackedShard("a/a.tar", 2, 4096, "", ""),
                    new PackedShard("b.tar", 1, 1024, "", ""))));
  }

  @Test
  void shouldNameAShardWhoseSizeNothingTells() {
    assertThatThrownBy(() -> shard("\"url\":\"absent.tar\",\"nsamples\":1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("absent.tar: there is no such file");
  }

  @Test
  void shouldFindItsFile(@TempDir Path other) throws IOException {
    Files.writeString(file, "{");
    Path foreign = file.resolveSibling("train.json");
    Files.writeString(foreign, "{\"__kind__\": \"wids-shard-index-v1\"");
    Path unlike = file.resolveSibling("options.json");
    Files.writeString(unlike, "{\"kind\": \"something else\"}");

    assertThat(ShardList.fileAt(file.getParent())).contains(file);
    assertThat(ShardList.fileAt(file)).contains(file);
    assertThat(ShardList.fileAt(foreign)).contains(foreign);
    assertThat(ShardList.fileAt(unlike)).isEmpty();
    assertThat(ShardList.fileAt(other)).isEmpty();
    assertThat(ShardList.fileAt(other.resolve("absent.json"))).isEmpty();
    assertThat(ShardList.fileAt(other.resolve("train-*"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../x.tar",
        "a/../../x.tar",
        "/x.tar",
        "a//x.tar",
        "./x.tar",
        "a/",
        "",
        "C:/x.tar",
        "a\\\\x.tar",
        "s3://other/x.tar",
        "file:///x.tar",
        "a\\u0000.tar"
      })
  void shouldRefuseAPathThatLeadsOut(String path) {
    assertThatThrownBy(() -> shard("\"url\":\"%s\",\"nsamples\":1,\"filesize\":2".formatted(path)))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(file + ": shard 0: \"url\" should be the path of a file below");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "\"nsamples\":1; expected a \"url\", found [nsamples]",
        "\"url\":\"a\",\"nsamples\":-1; expected a \"nsamples\" of 0 or more, found -1",
        "\"url\":\"a\",\"nsamples\":1.5; expected a \"nsamples\" of 0 or more, found 1.5",
        "\"url\":\"a\",\"nsamples\":1,\"filesize\":-2; expected a \"filesize\" of 0 or more, found"
            + " -2",
        "\"url\":\"a\",\"nsamples\":1,\"filesize\":2,\"sha256\":\"AB\"; a: expected a \"sha256\" of"
            + " 64",
        "\"url\":\"a\",\"nsamples\":1,\"filesize\":2,\"sha256\":null; a: expected a \"sha256\" of"
            + " 64",
      })
  void shouldSayWhatIsWrongWithAShard(String members, String problem) {
    assertThatThrownBy(() -> shard(members))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(file + ": shard 0: " + problem);
  }

  @Test
  void shouldRefuseAShardThatComesTwice() {
    String shard = "\"url\":\"a.tar\",\"nsamples\":1,\"filesize\":2";
    assertThatThrownBy(() -> shard(shard + "},{" + shard))
        .isInstanceOf(FormatException.class)
        .hasMessage(file + ": shard 1: a.tar comes twice");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{\"__kind__\"; position",
        "{}; expected \"__kind__\" wids-shard-index-v1 of version 1",
        "{\"__kind__\":\"wids-shard-index-v1\",\"wids_version\":2,\"shardlist\":[]}; found"
            + " wids-shard-index-v1, version 2",
        "{\"__kind__\":\"wids-shard-index-v1\",\"shardlist\":{}}; and a \"shardlist\"",
        "{\"__kind__\":\"wids-shard-index-v1\",\"format\":1,\"shardlist\":[]}; expected the name of"
            + " a \"format\", found 1",
        "{\"__kind__\":\"wids-shard-index-v1\",\"classes\":[1],\"shardlist\":[]};"
            + " 'classes[0]' must be a string",
        "{\"__kind__\":\"wids-shard-index-v1\",\"options\":[],\"shardlist\":[]}; 'options' must be"
            + " an object",
        "{\"__kind__\":\"wids-shard-index-v1\",\"options\":{\"a\":1},\"shardlist\":[]};"
            + " 'options': 'a' must be a string",
        "{\"__kind__\":\"wids-shard-index-v1\",\"shardlist\":[1]}; shard 0: it should be an object,"
            + " found 1",
      })
  void shouldSayWhatIsWrongWithTheFile(String json, String problem) {
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(file + ": ")
        .hasMessageContaining(problem);
  }

  @Test
  void shouldRefuseWhatIsNoText() throws IOException {
    Files.write(file, new byte[] {'{', (byte) 0xFF});
    refused(
        FormatException.class, () -> ShardList.read(file), file + ": it should be JSON in UTF-8");
  }

  @Test
  void shouldHaveOneFingerprintForOneContent() {
    PackedShard first = new PackedShard("data-000000.tar", 3, 1536, HASH, "");
    PackedShard second = new PackedShard("data-000000.tar", 3, 1536, HASH.replace('a', 'b'), "");
    ShardList list = list(first.in("job-1/00000-1"), second.in("job-1/00001-2"));

    assertThat(list.fingerprint("WebDataset"))
        .startsWith("WebDataset:6:")
        .isEqualTo(list(first.in("job-2/0-5"), second.in("job-2/1-3")).fingerprint("WebDataset"))
        .isNotEqualTo(list(second.in("a"), first.in("b")).fingerprint("WebDataset"));
  }

  private static ShardList list(PackedShard... shards) {
    return new ShardList("webdataset", List.of(), Map.of(), List.of(shards));
  }

  @Test
  void shouldBeAsciiOnOneLine() {
    String json = new String(list().toBytes(), UTF_8);
    assertThat(json)
        .isEqualTo(
            "{\"__kind__\":\"wids-shard-index-v1\",\"wids_version\":1,\"format\":\"webdataset\","
                + "\"classes\":[],\"options\":{},\"shardlist\":[]}\n");
  }
}
