package io.feedline.formats.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The size of the methods that take or return vectors. */
class VectorHelpersTest {

  /** MaxInlineSize of the JVM. */
  private static final int BYTES_THAT_C2_INLINES_ALWAYS = 35;

  /** FreqInlineSize of the JVM. */
  private static final int BYTES_THAT_C2_INLINES_WHERE_HOT = 325;

  private static final Pattern METHOD_OR_INSTRUCTION =
      Pattern.compile("(?m)^  (\\S.*);$|^ +(\\d+): ");
  private static final Pattern VECTORS =
      Pattern.compile("jdk\\.incubator\\.vector\\.\\w*(Vector|Mask|Shuffle)\\b");

  /** A method that C2 does not inline gets its vectors as objects. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "io.feedline.formats.image.kernel.internal.VectorKernels",
        "io.feedline.formats.image.kernel.internal.VectorKernels$Third",
        "io.feedline.formats.jpeg.coefficients.internal.VectorSetKernels",
        "io.feedline.formats.jpeg.internal.VectorPixelKernels",
        "io.feedline.formats.jpeg.internal.VectorRowKernels",
        "io.feedline.formats.jpeg.internal.VectorTransform"
      })
  void shouldBeSmallEnoughToBeInlined(String kernels) throws Exception {
    Map<String, Integer> helpers = new TreeMap<>(bytesOfMethods(kernels));
    helpers.keySet().removeIf(method -> !VECTORS.matcher(method).find());
    assertThat(helpers).as("methods of vectors in " + kernels).isNotEmpty();

    helpers.values().removeIf(bytes -> bytes <= BYTES_THAT_C2_INLINES_ALWAYS);
    assertThat(helpers).isEmpty();
  }

  /** Inlined beside the narrower windows, this one's vectors would stay objects. */
  @Test
  void shouldBeTooLargeToBeInlinedWhereTwoWindowsWouldExceedTheCompilersLimit() throws Exception {
    Map<String, Integer> bytes =
        bytesOfMethods("io.feedline.formats.image.kernel.internal.VectorKernels");

    bytes.keySet().removeIf(method -> !method.contains(" farther("));
    assertThat(bytes).hasSize(1);
    assertThat(bytes.values()).allMatch(size -> size > BYTES_THAT_C2_INLINES_WHERE_HOT);
  }

  private static Map<String, Integer> bytesOfMethods(String kernels) throws Exception {
    Map<String, Integer> bytes = new TreeMap<>();
    String method = "";
    Matcher found = METHOD_OR_INSTRUCTION.matcher(disassembled(kernels));
    while (found.find()) {
      if (found.group(1) != null) {
        method = found.group(1);
      } else if (method.contains("(")) {
        bytes.put(method, Integer.parseInt(found.group(2)) + 1);
      }
    }
    return bytes;
  }

  private static String disassembled(String name) throws Exception {
    Class<?> kernels = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
    Path classes = Path.of(kernels.getProtectionDomain().getCodeSource().getLocation().toURI());
    StringWriter code = new StringWriter();
    PrintWriter out = new PrintWriter(code);
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
    int status = javap.run(out, out, "-p", "-c", "-cp", classes.toString(), name);
    assertThat(status).as(code.toString()).isZero();
    return code.toString();
  }
}
