package io.feedline.formats.store.internal.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class PartCacheTest {

  /** A value that is equal to others, to be found without a look at what it is made of. */
  private record Whole(String name) {
    @Override
    public boolean equals(Object other) {
      throw new AssertionError("compared with " + other);
    }

    @Override
    public int hashCode() {
      throw new AssertionError("hashed");
    }
  }

  @Test
  void shouldTellByIdentityWhatHasAPart() throws IOException {
    PartCache<String> cache = new PartCache<>(100);
    Whole first = new Whole("same");
    assertThat(cache.get(new PartCache.Key(first, 0), 1, () -> "a")).isEqualTo("a");
    assertThat(cache.get(new PartCache.Key(new Whole("same"), 0), 1, () -> "b")).isEqualTo("b");
    assertThat(cache.get(new PartCache.Key(first, 1), 1, () -> "c")).isEqualTo("c");
    assertThat(cache.get(new PartCache.Key(first, 0), 1, () -> "d")).isEqualTo("a");
  }

  @Test
  void shouldGiveUpWhatWasUsedLeastRecently() throws IOException {
    PartCache<String> cache = new PartCache<>(10);
    for (int part = 0; part < 3; part++) {
      cache.get(new PartCache.Key(this, part), 4, () -> "old");
      cache.get(new PartCache.Key(this, 0), 4, () -> "read anew");
    }
    assertThat(cache.bytes()).isEqualTo(8);
    assertThat(cache.get(new PartCache.Key(this, 0), 4, () -> "new")).isEqualTo("old");
    assertThat(cache.get(new PartCache.Key(this, 2), 4, () -> "new")).isEqualTo("old");
    assertThat(cache.get(new PartCache.Key(this, 1), 4, () -> "new")).isEqualTo("new");
  }
}
