package io.feedline.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The allocator that is used where none is given. */
class HostAllocatorTest {

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 63, 64, 65, 4096, 1_000_001})
  void shouldGiveDirectMemoryThatBeginsOnACacheLine(int bytes) {
    for (int i = 0; i < 20; i++) {
      HostAllocator.HostMemory memory = HostAllocator.direct().allocate(bytes);
      ByteBuffer buffer = memory.buffer();
      assertThat(buffer.isDirect()).isTrue();
      assertThat(buffer.position()).isZero();
      assertThat(buffer.limit()).isEqualTo(bytes);
      assertThat(buffer.capacity()).isEqualTo(bytes);
      assertThat(buffer.alignmentOffset(0, 64)).isZero();
      memory.close();
      memory.close();
      assertThatThrownBy(memory::buffer)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("given back");
    }
  }
}
