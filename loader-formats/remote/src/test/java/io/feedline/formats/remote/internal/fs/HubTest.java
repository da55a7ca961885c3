package io.feedline.formats.remote.internal.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.ExpectedLog;
import io.feedline.formats.hub.HubSplits;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.remote.DiskCache;
import io.feedline.formats.remote.internal.http.RequestPolicy;
import io.feedline.formats.remote.internal.hub.HubSettings;
import io.feedline.formats.store.Packing;
import io.feedline.formats.table.TableImages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Repositories of the Hugging Face hub as directories. */
@Timeout(60)
class HubTest {

  private static final byte[] LARGE = new byte[5000];

  static {
    new Random(3).nextBytes(LARGE);
  }

  @TempDir private Path disk;

  @AutoClose
  private final StubHub hub =
      new StubHub().put("README.md", "read me".getBytes(UTF_8)).put("data/a/large.bin", LARGE);

  private ObjectFileSystem open() {
    return hub.open(Map.of("token", StubHub.TOKEN));
  }

  @ParameterizedTest
  @CsvSource({
    "owner/name",
    "owner/name@main",
    "owner/name@refs/convert/parquet",
    "owner/name@feature%2Ffoo",
    "owner/name@refs%2Fconvert%2Fparquet",
    "owner/name@0123456789abcdef0123456789abcdef01234567"
  })
  void shouldReadFilesOfARevision(String repository) throws IOException {
    try (ObjectFileSystem files = open()) {
      Path root = files.getPath(repository);
      assertThat(Files.readString(root.resolve("README.md"))).isEqualTo("read me");
      assertThat(Files.readAllBytes(root.resolve("data/a/large.bin"))).isEqualTo(LARGE);
      assertThat(Files.size(root.resolve("data/a/large.bin"))).isEqualTo(5000);
      assertThat(root.resolve("data/a")).isDirectory();
      assertThat(root).isDirectory();
      assertThat(root.resolve("data/b")).doesNotExist();
      assertThat(files.provider().getPath(root.toUri()).toString()).endsWith("/" + repository);
      try (Stream<Path> all = Files.walk(root)) {
        assertThat(all.filter(Files::isRegularFile).map(each -> root.relativize(each).toString()))
            .containsExactly("README.md", "data/a/large.bin");
      }
    }
    assertThat(hub.requests().stream().filter(each -> each.contains("/revision/")).count())
        .isLessThanOrEqualTo(1);
  }

  @Test
  void shouldSendTheTokenToTheHubAlone() throws IOException {
    try (ObjectFileSystem files = open()) {
      Files.readAllBytes(files.getPath("owner/name/data/a/large.bin"));
    }
    assertThat(hub.requests())
        .allMatch(each -> each.startsWith("hub ") == each.endsWith(" Bearer " + StubHub.TOKEN))
        .anyMatch(each -> each.startsWith("content GET /data/a/large.bin"));
  }

  @Test
  void shouldAskTheHubForAnAddressOfContentOnceAndAgainWhenItHasExpired() throws IOException {
    try (ObjectFileSystem files = open()) {
      Path large = files.getPath("owner/name/data/a/large.bin");
      for (int i = 0; i < 3; i++) {
        assertThat(Files.readAllBytes(large)).isEqualTo(LARGE);
      }
      assertThat(resolved()).isEqualTo(1);
      hub.expire();
      assertThat(Files.readAllBytes(large)).isEqualTo(LARGE);
      assertThat(resolved()).isEqualTo(2);
    }
  }

  private long resolved() {
    return hub.requests().stream().filter(each -> each.contains("/resolve/")).count();
  }

  @Test
  void shouldReadNamesWithAnAtSign() throws IOException {
    hub.put("data@v1/a@b.txt", "at".getBytes(UTF_8));
    try (ObjectFileSystem files = open()) {
      Path file = files.getPath("owner/name@main/data@v1/a@b.txt");
      assertThat(Files.readString(file)).isEqualTo("at");
      assertThat(Files.readString(files.getPath("owner/name/data@v1/a@b.txt"))).isEqualTo("at");
      try (Stream<Path> all = Files.list(file.getParent())) {
        assertThat(all.toList()).containsExactly(file);
      }
    }
  }

  @Test
  void shouldReadADatasetThroughACache() throws Exception {
    Path local = disk.resolve("train.tar");
    Packing packing = Packing.of(List.of("ant", "bee"), 6);
    StubStore.write("webdataset", local, packing, 6, i -> StubStore.image(i, 0, i / 3));
    StubStore.putAll(local, "wds/", hub::put);
    DiskCache cache = DiskCache.at(disk.resolve("cache")).cacheBytes(1 << 24).build();
    try (ObjectFileSystem files = open()) {
      for (int run = 0; run < 2; run++) {
        Path cached = cache.inFrontOf(files.getPath("owner/name/wds"));
        try (FileSystem through = cached.getFileSystem();
            ImageDataset images = ImageDataset.open(cached)) {
          assertThat(through.isOpen()).isTrue();
          assertThat(images.size()).isEqualTo(6);
          assertThat(images.encoded(5).bytes()).isEqualTo(StubStore.image(5, 0, 1).bytes());
        }
      }
    }
    assertThat(hub.requests().stream().filter(each -> each.startsWith("content"))).hasSize(1);
  }

  @Test
  void shouldReadASplitOfAConfiguration() throws Exception {
    String card =
        "---\nconfigs:\n- config_name: series\n  data_files: series.parquet\n- config_name:"
            + " images\n  data_dir: data\n---\n";
    hub.put("README.md", card.getBytes(UTF_8));
    hub.put("data/test.parquet", new byte[9]);
    hub.put("series.parquet", new byte[9]);
    putImages();
    try (ObjectFileSystem files = open()) {
      HubSplits splits = HubSplits.of(files.getPath("owner/name"));
      assertThat(splits.configurations()).containsExactly("series", "images");
      assertThat(splits.splits("images")).containsExactly("train", "test");
      try (ImageDataset images = TableImages.builder(splits.files("images", "train")).build();
          ImageDataset here = TableImages.of(disk.resolve("train-*.parquet"))) {
        assertThat(images.labels()).isEqualTo(here.labels());
        assertThat(images.describe(0)).contains("owner/name/data/train-00000");
      }
    }
    assertThat(hub.requests().stream().filter(each -> each.contains("/tree/")))
        .as("a look whether it is a directory, and its listing")
        .hasSizeLessThan(3);
  }

  @Test
  void shouldFindTheSplitsOfTheConversionToParquet() throws IOException {
    for (String each : List.of("a/train/0000", "a/train/0001", "a/partial-test/0000", "b/x/0000")) {
      hub.put("en-" + each + ".parquet", new byte[9]);
    }
    try (ObjectFileSystem files = open()) {
      Path root = files.getPath("owner/name@refs/convert/parquet");
      HubSplits splits = HubSplits.of(root);
      assertThat(splits.configurations()).containsExactly("en-a", "en-b");
      assertThat(splits.splits("en-a")).containsExactly("test", "train");
      assertThat(splits.files("en-a", "train"))
          .containsExactly(
              root.resolve("en-a/train/0000.parquet"), root.resolve("en-a/train/0001.parquet"));
      assertThat(splits.files("en-b", "x")).hasSize(1);
    }
  }

  private void putImages() throws IOException {
    for (int part = 0; part < 2; part++) {
      String name = "train-0000%d-of-00002.parquet".formatted(part);
      hub.put("data/" + name, Files.readAllBytes(fixture("parquet/split/" + name)));
    }
  }

  private Path fixture(String name) throws IOException {
    Path file = disk.resolve(name.substring(name.lastIndexOf('/') + 1));
    Files.copy(Path.of("../tables/src/test/resources/io/feedline/formats", name), file);
    return file;
  }

  @Test
  void shouldListSeveralPagesOfFiles() throws IOException {
    for (int i = 0; i < 2500; i++) {
      hub.put("many/%03d/%d.txt".formatted(i % 100, i), new byte[0]);
    }
    try (ObjectFileSystem files = open();
        Stream<Path> all = Files.walk(files.getPath("owner/name/many"))) {
      assertThat(all.filter(Files::isRegularFile).count()).isEqualTo(2500);
    }
  }

  /** The hub allows no request for half a second, longer than any pause of the client's own. */
  @Test
  @ExpectedLog("asks to wait 1 s")
  void shouldWaitUntilTheHubAllowsRequestsAgain() throws IOException {
    Duration minute = Duration.ofMinutes(1);
    RequestPolicy patient = StubStore.policy(2, minute, minute, 1 << 20, minute, minute, 0);
    long end = System.nanoTime() + Duration.ofMillis(500).toNanos();
    hub.fault(
        (exchange, number) ->
            System.nanoTime() - end < 0
                && StubStore.send(exchange, 429, "", "RateLimit", "\"api\";r=0;t=1"));
    try (ObjectFileSystem files = hub.open(patient, Map.of("token", StubHub.TOKEN))) {
      assertThat(Files.readString(files.getPath("owner/name/README.md"))).isEqualTo("read me");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "401 | RepoNotFound | no | There is no such repository, or it is private: set HF_TOKEN",
        "401 | GatedRepo | no | Its owner grants access on its page; set HF_TOKEN",
        "403 | GatedRepo | yes | Its owner grants access on its page, which the token's account does",
        "404 | RevisionNotFound | yes | The repository has no such revision",
        "401 | x | yes | The token is not valid",
        "403 | x | no | It is read without a token",
      })
  void shouldSayWhyTheHubRefuses(int status, String code, String token, String words) {
    hub.refuse(status, code);
    try (ObjectFileSystem files =
        token.equals("yes") ? open() : hub.open(Map.of("anonymous", "true"))) {
      Path path = files.getPath("owner/name/README.md");
      assertThatThrownBy(() -> Files.size(path))
          .isInstanceOf(status == 404 ? FileNotFoundException.class : IOException.class)
          .hasMessageContainingAll("hf://datasets/owner/name", words)
          .hasMessageNotContaining(StubHub.TOKEN);
    }
  }

  @Test
  void shouldSayWhatNamesARepository() {
    try (ObjectFileSystem files = open()) {
      assertThatThrownBy(() -> files.objects().stat(URI.create("hf://datasets/owner")))
          .isInstanceOf(FileNotFoundException.class)
          .hasMessageContaining("hf://datasets/OWNER/NAME@REVISION/PATH");
    }
    assertThat(hub.requests()).isEmpty();
  }

  @Test
  void shouldTakeTheTokenOfTheEnvironmentOrOfItsFile() throws IOException {
    Path file = Files.writeString(disk.resolve("token"), "hf_file\n");
    assertThat(HubSettings.token(null, Map.of("HF_TOKEN", " hf_env\n")).get()).isEqualTo("hf_env");
    assertThat(HubSettings.token(null, Map.of("HF_TOKEN_PATH", file.toString())).get())
        .isEqualTo("hf_file");
    assertThat(HubSettings.token(null, Map.of("HF_HOME", disk.toString())).get())
        .isEqualTo("hf_file");
    assertThat(
            HubSettings.token(
                    null, Map.of("HF_HOME", disk + "", "HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"))
                .get())
        .isEmpty();
    assertThatThrownBy(() -> HubSettings.token("hf_a\nb", Map.of()))
        .hasMessageContaining("line break")
        .hasMessageNotContaining("hf_a");
  }
}
