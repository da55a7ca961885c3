package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessMeterTest {

  @Test
  void shouldFindAValueOfTheStatusFile() {
    List<String> lines =
        List.of("Name:\tjava", "VmHWMx:\t 7 kB", "VmHWM:\t  123456 kB", "VmRSS:\t 99 kB");
    assertThat(ProcessMeter.kibibytes("VmHWM", lines)).hasValue(123456);
    assertThat(ProcessMeter.kibibytes("Name", lines)).isEmpty();
    assertThat(ProcessMeter.kibibytes("VmPeak", lines)).isEmpty();
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "only Linux tells the peak of a process's memory")
  void shouldKnowTheMemoryOfThisProcess() {
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    assertThat(ProcessMeter.peakRssMebibytes().orElseThrow()).isGreaterThan((double) (heap >> 20));
  }

  @Test
  void shouldCountTheWorkOfThisProcess() {
    long before = ProcessMeter.cpuNanos();
    long sum = 0;
    // Ends by work done, however long that takes: the clock of CPU time steps by 10 ms.
    do {
      sum += System.identityHashCode(new Object());
    } while (ProcessMeter.cpuNanos() - before < 20_000_000);
    assertThat(sum).isNotZero();
    assertThat(ProcessMeter.cpuNanos()).isGreaterThan(before);
  }
}
