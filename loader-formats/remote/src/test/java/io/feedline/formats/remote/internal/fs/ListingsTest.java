package io.feedline.formats.remote.internal.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.remote.internal.s3.KeyText;
import io.feedline.formats.store.internal.files.VersionedAttributes;
import io.feedline.formats.store.internal.shards.FilesOfFormat;
import io.feedline.formats.store.internal.shards.ShardSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.ReadOnlyFileSystemException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Directories and attributes of a bucket, and what a server's listings may be like. */
@Timeout(60)
class ListingsTest {

  private final AtomicLong clock = new AtomicLong();
  @AutoClose private final StubStore stub = new StubStore();

  @AutoClose
  private final ObjectFileSystem files =
      stub.builder(Map.of("anonymous", true)).clock(clock::get).build();

  private StubStore put(String... keys) {
    for (String key : keys) {
      stub.put(key, key.getBytes(StandardCharsets.UTF_8));
    }
    return stub;
  }

  private List<String> names(String directory) throws IOException {
    try (Stream<Path> entries = Files.list(files.getPath(directory))) {
      return entries.map(path -> path.getFileName().toString()).toList();
    }
  }

  private List<String> walk(String directory) throws IOException {
    try (Stream<Path> all = Files.walk(files.getPath(directory))) {
      return all.filter(Files::isRegularFile).map(Path::toString).toList();
    }
  }

  @Test
  void shouldWalkDirectoriesWithOneListingOfManyPages() throws IOException {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      put("data/c%02d/deep/%02d.jpg".formatted(i % 10, i));
    }
    put("data.txt", "data-x/y", "other/z").pageSize(7);
    for (int c = 0; c < 10; c++) {
      for (int i = c; i < 50; i += 10) {
        expected.add("s3://bucket/data/c%02d/deep/%02d.jpg".formatted(c, i));
      }
    }

    assertThat(walk("/data")).containsExactlyElementsOf(expected);
    assertThat(stub.requests()).hasSizeLessThanOrEqualTo(12);
    stub.forgetRequests();
    assertThat(Files.size(files.getPath("/data/c03/deep/03.jpg"))).isEqualTo(20);
    assertThat(names("/data/c03")).containsExactly("deep");
    assertThat(stub.requests()).isEmpty();
  }

  @Test
  void shouldKnowFilesDirectoriesAndNothing() throws IOException {
    put("a/b.jpg", "a/b.jpg.d/x");

    assertThat(files.getPath("/a")).isDirectory();
    assertThat(files.getPath("/a/b.jpg")).isRegularFile();
    assertThat(files.getPath("/a/b")).doesNotExist();
    assertThatThrownBy(() -> names("/nothing")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> names("/a/b.jpg")).isInstanceOf(NotDirectoryException.class);
  }

  @Test
  void shouldTellShardsFromDirectoriesByTheListing() throws IOException {
    put("a/0.tar", "a/1.tar/x.jpg", "a/2.tar");
    FilesOfFormat shards = FilesOfFormat.matching(".*\\.tar");
    Path directory = files.getPath("/a");
    names("/a");
    stub.forgetRequests();

    assertThat(shards.at(directory))
        .isEqualTo(ShardSet.matching(directory.resolve("*.tar")))
        .containsExactly(directory.resolve("0.tar"), directory.resolve("2.tar"))
        .allMatch(Files::isRegularFile);
    assertThat(stub.requests()).isEmpty();
  }

  @Test
  void shouldTakeAKeyThatIsAlsoADirectoryForADirectory() throws IOException {
    put("a", "a-b", "a/b");

    assertThat(names("/")).containsExactly("a", "a-b");
    assertThat(walk("/")).containsExactly("s3://bucket/a/b", "s3://bucket/a-b");
  }

  @Test
  void shouldSeeChangesOnceWhatItSawIsOld() throws IOException {
    put("a/1");
    assertThat(names("/a")).containsExactly("1");
    put("a/2");
    assertThat(names("/a")).containsExactly("1");
    clock.addAndGet(30_000_000_000L);

    assertThat(names("/a")).containsExactly("1", "2");
    assertThat(Files.exists(files.getPath("/a/3"))).isFalse();
  }

  @Test
  void shouldAskOnceForWhatIsAskedForOften() throws IOException {
    put("a/1");
    for (int i = 0; i < 5; i++) {
      assertThat(files.getPath("/a/1")).isRegularFile();
      assertThat(files.getPath("/a/2")).doesNotExist();
    }

    assertThat(stub.requests()).hasSize(3); // HEAD; HEAD and a listing for what is not there
  }

  @Test
  void shouldLeaveOutKeysThatAreNoPaths() throws IOException {
    String longest = "a/" + "x".repeat(4096);
    put(
        "a/../../etc/passwd",
        "a/./b",
        "a//b",
        "a/\0",
        "a/ends/",
        longest,
        "a/good +%25 ü\u20ac\ud83d\ude00.jpg",
        "a/..b");
    stub.put("a/empty/", new byte[0]);

    assertThat(names("/a"))
        .containsExactly("..b", "good +%25 ü\u20ac\ud83d\ude00.jpg", "x".repeat(4096));
    assertThat(Files.readString(files.getPath("/a/good +%25 ü\u20ac\ud83d\ude00.jpg")))
        .isEqualTo("a/good +%25 ü\u20ac\ud83d\ude00.jpg");
    assertThat(Files.size(files.getPath("/" + longest))).isEqualTo(4098);
  }

  @Test
  void shouldBeWhereAUriOfAPathLeads() {
    String key = "a b/ü%?#+;&=.jpg";
    Path path = files.getPath("/" + key);

    assertThat(path.toUri().toString())
        .isEqualTo("s3://bucket/a%20b/%C3%BC%25%3F%23%2B%3B%26%3D.jpg");
    assertThat(KeyText.key(path.toUri())).isEqualTo(key);
    assertThat(files.getPath(path.toString())).isEqualTo(path);
  }

  @Test
  void shouldEndAListingThatHasMoreObjectsThanAreAllowed() throws IOException {
    put("a/1", "a/2", "a/3").pageSize(1);
    try (ObjectFileSystem two =
        stub.builder(Map.of("anonymous", true, "listed-objects", 2)).build()) {
      assertThatThrownBy(() -> Files.list(two.getPath("/a")).close())
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("s3://bucket/a/", "more than 2 objects", "listed-objects");
    }
    assertThat(names("/a")).hasSize(3);
  }

  private void endless(String body) {
    stub.fault(
        (exchange, number) ->
            StubStore.send(
                exchange,
                200,
                "<ListBucketResult>"
                    + body.replace("NUMBER", "%09d".formatted(number))
                    + "</ListBucketResult>"));
  }

  @Test
  void shouldNotFollowAListingThatNeverEnds() {
    String more = "<IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken>";
    endless(more + StubStore.entry("a/1", 1, "\"x\"") + StubStore.entry("a/2", 1, "\"x\""));
    assertThatThrownBy(() -> names("/a"))
        .hasMessageContainingAll("s3://bucket/a/", "repeats itself");

    endless(more.replace(">t<", ">NUMBER<"));
    assertThatThrownBy(() -> names("/a")).hasMessageContaining("pages in succession are empty");

    endless("<IsTruncated>true</IsTruncated>");
    assertThatThrownBy(() -> names("/a")).hasMessageContaining("does not say where");
  }

  @Test
  void shouldNotTakeGarbageForAListing() {
    String bomb =
        "<!DOCTYPE l [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">"
            + "<!ENTITY f SYSTEM \"file:///etc/passwd\">]><ListBucketResult><Contents><Key>&b;&f;"
            + "</Key><Size>1</Size></Contents></ListBucketResult>";
    for (String garbage :
        List.of(
            "",
            "secret",
            "<html><body>secret</body></html>",
            "<ListBucketResult>",
            "<ListBucketResult><Contents><Key>a/b</Key></Contents></ListBucketResult>",
            "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
            "<ListBucketResult>" + StubStore.entry("a", -1, "x") + "</ListBucketResult>",
            "<ListBucketResult><Contents><Key>a</Key><Size>one</Size></Contents></ListBucketResult>",
            "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%zz</Key><Size>1</Size></Contents></ListBucketResult>",
            bomb)) {
      stub.fault((exchange, number) -> StubStore.send(exchange, 200, garbage));
      stub.forgetRequests();

      assertThatThrownBy(() -> names("/a"))
          .as(garbage)
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll("s3://bucket/a/", "is not a listing")
          .hasMessageNotContaining("secret");
      assertThat(stub.requests()).hasSize(1);
    }
  }

  @Test
  void shouldRefuseAListingThatIsTooLong() {
    String page = "<ListBucketResult>" + " ".repeat(1 << 20);
    stub.fault(
        (exchange, number) -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
          for (int i = 0; i < 40; i++) {
            exchange.getResponseBody().write(bytes);
          }
          return true;
        });

    assertThatThrownBy(() -> names("/a")).hasMessageContaining("longer than 33554432 bytes");
  }

  @Test
  void shouldOnlyBeRead() throws IOException {
    put("a/1");
    Path file = files.getPath("/a/1");

    assertThatThrownBy(() -> Files.writeString(file, "x"))
        .isInstanceOf(ReadOnlyFileSystemException.class);
    assertThatThrownBy(() -> Files.delete(file)).isInstanceOf(ReadOnlyFileSystemException.class);
    assertThatThrownBy(() -> Files.createDirectory(file.resolveSibling("b")))
        .isInstanceOf(ReadOnlyFileSystemException.class);
    assertThat(Files.isWritable(file)).isFalse();
    assertThat(Files.isReadable(file)).isTrue();
  }

  @Test
  void shouldGiveTheVersionForTheStampOfAFile() throws IOException {
    put("a/1");
    Path file = files.getPath("/a/1");
    BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);

    assertThat(attributes).isInstanceOf(VersionedAttributes.class);
    assertThat(((VersionedAttributes) attributes).version()).startsWith("\"v");
    assertThat(Files.readAttributes(file, "size,isDirectory"))
        .isEqualTo(Map.of("size", 3L, "isDirectory", false));
  }

  @Test
  void shouldMatchPatternsInADirectory() throws IOException {
    put("a/train-1", "a/train-2", "a/val-1");
    Path directory = files.getPath("/a");
    try (DirectoryStream<Path> matching = Files.newDirectoryStream(directory, "train-*")) {
      assertThat(matching)
          .containsExactly(directory.resolve("train-1"), directory.resolve("train-2"));
    }
  }

  @Test
  void shouldResolvePathsAsTheDefaultFileSystemDoes() {
    for (String one : List.of("/a/b", "/a/b/c.jpg", "/", "a", "a/b/../c", "")) {
      Path mine = files.getPath(one);
      Path local = Path.of(one);
      assertThat(mine.isAbsolute()).as(one).isEqualTo(local.isAbsolute());
      assertThat(mine.getNameCount()).as(one).isEqualTo(local.getNameCount());
      assertThat(text(mine.getFileName())).as(one).isEqualTo(text(local.getFileName()));
      assertThat(text(mine.getParent())).as(one).isEqualTo(text(local.getParent()));
      assertThat(text(mine.normalize())).as(one).isEqualTo(text(local.normalize()));
      for (String other : List.of("/a", "x/y", "..", "")) {
        assertThat(text(mine.resolve(other))).isEqualTo(text(local.resolve(other)));
        assertThat(text(mine.resolveSibling(other))).isEqualTo(text(local.resolveSibling(other)));
        assertThat(mine.startsWith(other)).as(one + other).isEqualTo(local.startsWith(other));
        assertThat(mine.endsWith(other)).as(one + other).isEqualTo(local.endsWith(other));
      }
    }
    assertThat(files.getPath("/a/b").relativize(files.getPath("/a/c/d"))).hasToString("../c/d");
    assertThat(files.getPath("/a").relativize(files.getPath("/a/c/d"))).hasToString("c/d");
  }

  private static String text(Path path) {
    return path == null ? "null" : path.toString().replace("s3://bucket/", "/");
  }
}
