package io.feedline.gpu.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.gpu.cuda.CudaException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CudaCallsTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy());

  @Test
  void shouldSayWhatFailedHowAndWhatHelps() {
    assertThatThrownBy(() -> CudaCalls.check(driver, 201, "cuEventCreate"))
        .isInstanceOfSatisfying(
            CudaException.class,
            e -> {
              assertThat(e.code()).isEqualTo(201);
              assertThat(e.name()).isEqualTo("CUDA_ERROR_INVALID_CONTEXT");
              assertThat(e.call()).isEqualTo("cuEventCreate");
              assertThat(e.hint()).isEqualTo("no context is current in this thread");
              assertThat(e.sticky()).isFalse();
            })
        .hasMessage(
            "cuEventCreate failed: CUDA_ERROR_INVALID_CONTEXT (201); no context is current in this"
                + " thread");
  }

  @Test
  void shouldTakeCodesThatTheDriverDoesNotName() {
    assertThatThrownBy(() -> CudaCalls.check(driver, 12345, "cuEventRecord"))
        .hasMessage("cuEventRecord failed: an error that the driver does not name (12345)");
  }

  @ParameterizedTest
  @ValueSource(ints = {214, 220, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})
  void shouldKnowWhatStays(int code) {
    CudaException e = CudaCalls.failure(driver, code, "cuStreamSynchronize");
    assertThat(e.sticky()).isTrue();
    assertThat(e.hint()).contains("until the process is started anew");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 201, 400, 600, 709, 802})
  void shouldKnowWhatPasses(int code) {
    assertThat(CudaCalls.failure(driver, code, "cuStreamSynchronize").sticky()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "34, stub",
    "46, compute mode",
    "100, CUDA_VISIBLE_DEVICES",
    "802, Fabric Manager",
    "803, differ in version",
    "804, compatibility library",
  })
  void shouldHelpAgainstWhatUsersMeet(int code, String hint) {
    assertThat(CudaCalls.failure(driver, code, "cuInit").hint()).contains(hint);
  }

  @Test
  void shouldTakeADriverThatHasGoneForFreed() {
    assertThatCode(() -> CudaCalls.checkFreed(driver, 4, "cuMemFree")).doesNotThrowAnyException();
    assertThatThrownBy(() -> CudaCalls.check(driver, 4, "cuMemAlloc"))
        .hasMessageContaining("CUDA_ERROR_DEINITIALIZED (4)");
    assertThatThrownBy(() -> CudaCalls.checkFreed(driver, 1, "cuMemFree"))
        .hasMessageContaining("CUDA_ERROR_INVALID_VALUE (1)");
  }

  @Test
  void shouldSayInOneLineWhatTheLoaderFound() {
    UnsatisfiedLinkError cause =
        new UnsatisfiedLinkError("Unable to load 'x':\nx: no such file\nx: no such file\nin jar");
    assertThat(CudaCalls.noDriver(cause))
        .hasMessageStartingWith("no CUDA driver: x: no such file; install NVIDIA's driver")
        .hasCause(cause);
    assertThat(CudaCalls.noDriver(new UnsatisfiedLinkError("no cuInit")))
        .hasMessageStartingWith("no CUDA driver: no cuInit; install");
  }
}
