package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.internal.VectorApi;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineTest {

  @Test
  void shouldFindTheProcessorsModel() {
    assertThat(Machine.model(List.of("processor : 0", "model name\t: Fast: 9", "model name\t: B")))
        .isEqualTo("Fast: 9");
    assertThat(Machine.model(List.of("processor : 0"))).isEqualTo(System.getProperty("os.arch"));
  }

  @Test
  void shouldNameVendorAndVersionOfTheJdk() throws IOException {
    Machine machine = Machine.here();
    assertThat(machine.jdk()).contains(System.getProperty("java.vendor"), Runtime.version() + "");
    assertThat(machine.kernels()).isEqualTo(VectorApi.inUse() ? "vector" : "plain");
    assertThat(machine.processors()).isPositive();
    assertThat(machine.toString()).contains(machine.jdk(), machine.processor());
  }
}
