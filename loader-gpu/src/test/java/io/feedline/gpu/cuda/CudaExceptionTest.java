package io.feedline.gpu.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CudaExceptionTest {

  private final FakeDriver driver = FakeDriver.of(Schedule.lazy());

  @Test
  void shouldLetSuccessPass() {
    assertThatCode(() -> CudaException.check(driver, 0, "cuInit")).doesNotThrowAnyException();
    assertThatCode(() -> CudaException.checkFreed(driver, 0, "cuMemFree"))
        .doesNotThrowAnyException();
  }

  @Test
  void shouldSayWhatFailedHowAndWhatHelps() {
    assertThatThrownBy(() -> CudaException.check(driver, 201, "cuEventCreate"))
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
  void shouldSayNothingWhereThereIsNothingToSay() {
    assertThatThrownBy(() -> CudaException.check(driver, 304, "cuEventRecord"))
        .hasMessage("cuEventRecord failed: CUDA_ERROR_OPERATING_SYSTEM (304)");
  }

  @Test
  void shouldTakeCodesThatTheDriverDoesNotName() {
    assertThatThrownBy(() -> CudaException.check(driver, 12345, "cuEventRecord"))
        .hasMessage("cuEventRecord failed: an error that the driver does not name (12345)");
  }

  @Test
  void shouldTellHostMemoryFromTheGpus() {
    assertThat(CudaException.of(driver, 2, "cuMemHostAlloc of 4096 bytes").hint())
        .contains("page-locked", "ulimit -l");
    assertThat(CudaException.of(driver, 2, "cuMemAlloc of 4096 bytes").hint())
        .contains("GPU's memory is full");
  }

  @ParameterizedTest
  @ValueSource(ints = {214, 220, 700, 702, 710, 714, 715, 716, 717, 718, 719, 999})
  void shouldKnowWhatStays(int code) {
    CudaException e = CudaException.of(driver, code, "cuStreamSynchronize");
    assertThat(e.sticky()).isTrue();
    assertThat(e.hint()).contains("until the process is started anew");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 201, 400, 600, 709, 802})
  void shouldKnowWhatPasses(int code) {
    assertThat(CudaException.of(driver, code, "cuStreamSynchronize").sticky()).isFalse();
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
    assertThat(CudaException.of(driver, code, "cuInit").hint()).contains(hint);
  }

  @Test
  void shouldTakeADriverThatHasGoneForFreed() {
    assertThatCode(() -> CudaException.checkFreed(driver, 4, "cuMemFree"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> CudaException.check(driver, 4, "cuMemAlloc"))
        .hasMessageContaining("CUDA_ERROR_DEINITIALIZED (4)");
    assertThatThrownBy(() -> CudaException.checkFreed(driver, 1, "cuMemFree"))
        .hasMessageContaining("CUDA_ERROR_INVALID_VALUE (1)");
  }

  @Test
  void shouldSayInOneLineWhatTheLoaderFound() {
    UnsatisfiedLinkError cause =
        new UnsatisfiedLinkError("Unable to load 'x':\nx: no such file\nx: no such file\nin jar");
    assertThat(CudaException.noDriver(cause))
        .hasMessageStartingWith("no CUDA driver: x: no such file; install NVIDIA's driver")
        .hasCause(cause);
    assertThat(CudaException.noDriver(new UnsatisfiedLinkError("no cuInit")))
        .hasMessageStartingWith("no CUDA driver: no cuInit; install");
  }

  @Test
  void shouldKeepWhatFailsInCleaningUp() {
    CudaException first = CudaException.of(driver, 2, "cuMemHostAlloc");
    CudaException second = CudaException.of(driver, 304, "cuCtxPopCurrent");

    CudaException thrown =
        first.after(
            () -> {
              throw second;
            });

    assertThat(thrown).isSameAs(first);
    assertThat(thrown.getSuppressed()).containsExactly(second);
    assertThat(second.after(() -> {}).getSuppressed()).isEmpty();
  }
}
