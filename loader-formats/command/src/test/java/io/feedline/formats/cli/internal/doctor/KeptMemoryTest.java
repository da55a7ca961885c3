package io.feedline.formats.cli.internal.doctor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.HostAllocator.HostMemory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class KeptMemoryTest {

  @Test
  void shouldGiveTheSameMemoryToTheNextOne() {
    KeptMemory kept = new KeptMemory();
    HostMemory first = kept.allocate(64);
    HostMemory second = kept.allocate(64);
    first.buffer().putLong(0, 7);
    second.buffer().putLong(0, 8);

    first.close();
    first.close();

    ByteBuffer again = kept.allocate(64).buffer();
    assertThat(again.getLong(0)).isEqualTo(7);
    assertThat(again.remaining()).isEqualTo(64);
    assertThat(kept.allocate(64).buffer().getLong(0)).as("new").isZero();
    assertThat(kept.allocate(32).buffer().remaining()).isEqualTo(32);
    assertThatThrownBy(first::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the memory has been given back");
  }
}
