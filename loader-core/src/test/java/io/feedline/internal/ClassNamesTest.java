package io.feedline.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ClassNamesTest {

  private record Boxes() {}

  @Test
  void shouldNameEachKindOfClassTheSameInEveryRun() {
    Supplier<String> lambda = () -> "";
    Object anonymous = new Object() {};
    assertThat(ClassNames.of("")).isEqualTo("String");
    assertThat(ClassNames.of(lambda)).isEqualTo("ClassNamesTest");
    assertThat(ClassNames.of(anonymous)).isEqualTo("io.feedline.internal.ClassNamesTest$1");
  }

  @Test
  void shouldNameTypesAsJavaWritesThem() {
    assertThat(ClassNames.ofType(new float[0])).isEqualTo("float[]");
    assertThat(ClassNames.ofType(new int[0][][])).isEqualTo("int[][][]");
    assertThat(ClassNames.ofType(new String[0])).isEqualTo("String[]");
    assertThat(ClassNames.ofType(new BigDecimal("1"))).isEqualTo("BigDecimal");
    assertThat(ClassNames.ofType(new ArrayList<>())).isEqualTo("ArrayList");
    assertThat(ClassNames.ofType(new Boxes[0]))
        .isEqualTo("io.feedline.internal.ClassNamesTest.Boxes[]");
    assertThat(ClassNames.ofType(new Object() {}))
        .startsWith("io.feedline.internal.ClassNamesTest$");
    assertThat(ClassNames.ofType((Object) null)).isEqualTo("null");
  }
}
