package io.feedline.formats.store.internal.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.store.ImageStore;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ForwardingStoreTest {

  /** A default method that is added to the interface would otherwise answer for the other store. */
  @Test
  void shouldForwardAllThatAStoreCanBeAsked() {
    assertThat(ImageStore.class.getMethods())
        .filteredOn(method -> !method.isSynthetic())
        .allMatch(ForwardingStoreTest::isForwarded);
  }

  private static boolean isForwarded(Method asked) {
    return Arrays.stream(ForwardingStore.class.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals(asked.getName())
                    && Arrays.equals(method.getParameterTypes(), asked.getParameterTypes()));
  }
}
