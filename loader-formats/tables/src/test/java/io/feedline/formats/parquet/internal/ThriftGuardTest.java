package io.feedline.formats.parquet.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.data.FormatException;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ThriftGuardTest {

  /** Lists and texts that are said to have more elements than there are bytes. */
  @Test
  void shouldRefuseLengthsBeforeTheyAreBelieved() throws IOException {
    // Field 4, a list of structures; its count is 2^31 - 1.
    byte[] bomb = {0x49, (byte) 0xfc, -1, -1, -1, -1, 7, 0, 0, 0, 0, 0};
    assertThat(ThriftGuard.lengthOf(bomb, bomb.length)).isEqualTo(-1);
    byte[] larger = {0x49, (byte) 0xfc, -1, -1, -1, -1, -1, -1, -1, -1, 1};
    assertThatThrownBy(() -> ThriftGuard.lengthOf(larger, larger.length))
        .isInstanceOf(FormatException.class);
    byte[] nested = new byte[4000];
    Arrays.fill(nested, (byte) 0x1c);
    assertThatThrownBy(() -> ThriftGuard.lengthOf(nested, nested.length))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("nested deeper");
    byte[] lists = new byte[1 << 20];
    Arrays.fill(lists, (byte) 0x19);
    assertThatThrownBy(() -> ThriftGuard.lengthOf(lists, lists.length))
        .isInstanceOf(FormatException.class)
        .hasMessageContaining("nested deeper");
    byte[] endless = new byte[40];
    Arrays.fill(endless, (byte) 0x86);
    assertThatThrownBy(() -> ThriftGuard.lengthOf(endless, endless.length))
        .isInstanceOf(FormatException.class);
  }
}
