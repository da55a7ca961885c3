package io.feedline.formats.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandles;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorApiTest {
  private static final IntSupplier PLAIN = new Ten();
  private static final String ALL_COMPILERS = "mixed mode, sharing";

  private final VectorApi withVectors = new VectorApi(true, ALL_COMPILERS, bits -> bits >= 1);

  @AfterEach
  void forget() {
    System.clearProperty(VectorApi.PROPERTY);
  }

  @Test
  void shouldUseVectorsWhereTheModuleIsPresent() {
    assertThat(choose(withVectors, "VectorWidth").getAsInt()).isGreaterThanOrEqualTo(64);
    assertThat(withVectors.used()).isTrue();
  }

  @Test
  void shouldLoadAClassOfTheCallersPackageWhichIsNotPublic() {
    assertThat(choose(withVectors, "VectorApiTest$Ten").getAsInt()).isEqualTo(10);
  }

  @ParameterizedTest
  @CsvSource({
    "false, true, 'mixed mode, sharing'",
    "true, false, 'mixed mode, sharing'",
    "true, true, 'mixed mode, emulated-client, sharing'",
    "true, true, 'interpreted mode, sharing'"
  })
  void shouldUsePlainKernelsWhereVectorsAreAbsentOrShortOrNotTakenApart(
      boolean present, boolean wide, String compilers) {
    VectorApi api = new VectorApi(present, compilers, bits -> wide);

    assertThat(choose(api, "VectorWidth")).isSameAs(PLAIN);
    assertThat(api.used()).isFalse();
  }

  @Test
  void shouldUsePlainKernelsWhenThePropertySaysSo() {
    System.setProperty(VectorApi.PROPERTY, "false");

    assertThat(choose(new VectorApi(true, ALL_COMPILERS, bits -> true), "VectorWidth"))
        .isSameAs(PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"VectorApiTest$MissesAMethod", "NoSuchClass"})
  void shouldUsePlainKernelsFromThenOnOnceAVectorClassDoesNotLink(String missing) {
    assertThat(choose(withVectors, missing)).isSameAs(PLAIN);
    assertThat(withVectors.used()).isFalse();
    assertThat(choose(withVectors, "VectorWidth")).isSameAs(PLAIN);
  }

  @Test
  void shouldNotTakeABugForAMissingApi() {
    assertThatThrownBy(() -> choose(withVectors, "VectorApiTest$Faulty"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a bug");
  }

  private static IntSupplier choose(VectorApi api, String name) {
    return api.choose(MethodHandles.lookup(), IntSupplier.class, name, () -> PLAIN);
  }

  /** Loaded by their names, all of these. */
  static class Ten implements IntSupplier {
    @Override
    public int getAsInt() {
      return 10;
    }
  }

  static final class MissesAMethod extends Ten {
    MissesAMethod() {
      throw new NoSuchMethodError("rearrange");
    }
  }

  static final class Faulty extends Ten {
    Faulty() {
      throw new IllegalStateException("a bug");
    }
  }
}
