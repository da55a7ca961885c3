package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class PinnedMemoryTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy());
  private final CudaContext context = driver.cuda().context(0);

  @Test
  void shouldBeAWholeDirectBuffer() {
    try (PinnedMemory memory = context.allocatePinned(100)) {
      ByteBuffer buffer = memory.buffer();

      assertThat(buffer.isDirect()).isTrue();
      assertThat(buffer.position()).isZero();
      assertThat(buffer.remaining()).isEqualTo(100);
      assertThat(buffer.order()).isEqualTo(ByteOrder.nativeOrder());
      assertThat(memory.buffer()).isSameAs(buffer);
      assertThat(CudaContext.address(buffer)).isEqualTo(memory.address());
      buffer.put(99, (byte) 9);
      assertThat(driver.peek(memory.address() + 99, 1)).containsExactly(9);
    }
    context.close();
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldCloseOnceInAnyThreadAndRefuseUseAfterwards() throws InterruptedException {
    PinnedMemory memory = context.allocatePinned(100);
    Thread thread = new Thread(memory::close);
    thread.start();
    thread.join();
    memory.close();

    assertThat(driver.calls()).containsOnlyOnce("cuMemFreeHost");
    assertThatThrownBy(memory::buffer)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("this page-locked memory has been freed");
    assertThatThrownBy(memory::address).isInstanceOf(IllegalStateException.class);
    context.close();
    driver.assertNothingLeft();
    driver.assertNoViolations();
  }

  @Test
  void shouldSayThatItsContextIsClosed() {
    PinnedMemory memory = context.allocatePinned(100);
    context.close();

    assertThatThrownBy(memory::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the context of GPU 0 is closed");
    assertThat(driver.violations())
        .singleElement()
        .asString()
        .startsWith("the context of GPU 0 ended")
        .contains("pinned memory");
  }
}
