package io.feedline.formats.remote.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.remote.internal.s3.RemoteObject;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class CacheLineTest {

  private static String identity(
      String uri, long size, String version, int lineBytes, long number, String server) {
    RemoteObject object = new RemoteObject(URI.create(uri), size, version);
    return HexFormat.of().formatHex(new CacheLine(object, lineBytes, number).identity(server));
  }

  @Test
  void shouldTellApartLinesThatDifferInOneThing() {
    List<String> identities = new ArrayList<>();
    identities.add(identity("s3://b/a", 100, "v1", 10, 1, ""));
    identities.add(identity("s3://b/c", 100, "v1", 10, 1, ""));
    identities.add(identity("s3://b/a", 101, "v1", 10, 1, ""));
    identities.add(identity("s3://b/a", 100, "v2", 10, 1, ""));
    identities.add(identity("s3://b/a", 100, "v1", 11, 1, ""));
    identities.add(identity("s3://b/a", 100, "v1", 10, 2, ""));
    identities.add(identity("s3://b/a", 100, "v1", 10, 1, "https://other"));

    assertThat(identities).doesNotHaveDuplicates();
    assertThat(identity("s3://b/a", 100, "v1", 10, 1, "")).isEqualTo(identities.get(0));
  }
}
