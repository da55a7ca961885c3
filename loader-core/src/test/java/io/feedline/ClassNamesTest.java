package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ClassNamesTest {

  @Test
  void shouldNameEachKindOfClassTheSameInEveryRun() {
    Supplier<String> lambda = () -> "";
    Object anonymous = new Object() {};
    assertThat(ClassNames.of("")).isEqualTo("String");
    assertThat(ClassNames.of(lambda)).isEqualTo("ClassNamesTest");
    assertThat(ClassNames.of(anonymous)).isEqualTo("io.feedline.ClassNamesTest$1");
  }
}
