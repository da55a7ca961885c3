package io.feedline.formats.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.formats.remote.RemoteFileSystem.S3Credentials;
import io.feedline.formats.remote.internal.fs.StubStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** File systems as users build them. */
class RemoteFileSystemTest {

  @Test
  void shouldBuildAnyNumberOfFileSystemsOfABucket() throws IOException {
    try (StubStore stub = new StubStore().put("a/b", new byte[] {'x'});
        StubStore other = new StubStore().put("a/b", new byte[] {'y'});
        FileSystem one = open(stub)) {
      try (FileSystem two = open(other)) {
        assertThat(Files.readString(two.getPath("a/b"))).isEqualTo("y");
      }
      assertThat(Files.readString(one.getPath("a/b"))).isEqualTo("x");
    }
  }

  private static FileSystem open(StubStore stub) {
    return RemoteFileSystem.s3(StubStore.BUCKET)
        .endpoint(stub.endpoint())
        .region("eu-test-1")
        .pathStyle(true)
        .credentials(() -> S3Credentials.of("id", "secret"))
        .connections(2)
        .build();
  }

  @Test
  void shouldRefuseBucketsAndHostsThatCannotBe() throws IOException {
    for (String bucket : List.of("", "a/b", "a@b", "..", "a?b")) {
      assertThatThrownBy(() -> RemoteFileSystem.s3(bucket))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> http("https://host/path").build())
        .hasMessage("the host must have no path, was https://host/path");
    assertThatThrownBy(() -> http("ftp://host").build())
        .hasMessageStartingWith("the host must be an http or https URL");
    http("https://host/").build().close();
  }

  @Test
  void shouldRefuseOptionsThatCannotBe() {
    assertThatThrownBy(() -> http("https://host").region("x").build())
        .hasMessage("region is an option of s3 only");
    assertThatThrownBy(() -> http("https://host").connections(0).build())
        .hasMessage("connections must be 1 or more, was 0");
    assertThatThrownBy(
            () -> RemoteFileSystem.s3("b").endpoint(URI.create("http://me:secret@host")).build())
        .hasMessageStartingWith("the endpoint must be an http or https URL")
        .hasMessageNotContaining("secret");
  }

  @Test
  void shouldRefuseACredentialWithALineBreak() {
    for (String broken : List.of("se\ncret", "secret\r\n", "\u0000secret")) {
      for (ThrowingCallable each :
          List.<ThrowingCallable>of(
              () -> S3Credentials.of(broken, "other"),
              () -> S3Credentials.of("id", broken),
              () -> new S3Credentials("id", "other", broken))) {
        assertThatThrownBy(each)
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("line break")
            .hasMessageNotContaining("secret");
      }
    }
  }

  private static RemoteFileSystem.Builder http(String host) {
    return RemoteFileSystem.http(URI.create(host));
  }
}
