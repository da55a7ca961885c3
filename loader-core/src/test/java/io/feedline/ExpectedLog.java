package io.feedline;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * The warnings that a test provokes: they are captured, so that a green run is quiet. A warning
 * that contains none of these words fails the test; where a test fails, everything it has logged is
 * printed. For tests that run one after the other.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ExpectedLog.Capture.class)
public @interface ExpectedLog {

  /** Returns the words of which each warning contains one. */
  String[] value();

  /** The extension that captures. */
  final class Capture implements BeforeEachCallback, AfterEachCallback {

    private static final ExtensionContext.Namespace NAMESPACE =
        ExtensionContext.Namespace.create(Capture.class);

    /** A line that begins a message of slf4j-simple's. */
    private static final Pattern WARNING = Pattern.compile("\\[.*?\\] (WARN|ERROR) .*");

    @Override
    public void beforeEach(ExtensionContext context) {
      context.getStore(NAMESPACE).put(CapturedLog.class, new CapturedLog());
    }

    @Override
    public void afterEach(ExtensionContext context) {
      CapturedLog log = context.getStore(NAMESPACE).remove(CapturedLog.class, CapturedLog.class);
      log.close();
      if (context.getExecutionException().isPresent()) {
        System.err.print(log.text());
        return;
      }
      List<String> expected =
          Stream.of(context.getElement(), Optional.of(context.getRequiredTestClass()))
              .flatMap(
                  element -> AnnotationSupport.findAnnotation(element, ExpectedLog.class).stream())
              .flatMap(annotation -> Stream.of(annotation.value()))
              .toList();
      List<String> unexpected = unexpected(log.text(), expected);
      if (!unexpected.isEmpty()) {
        throw new AssertionError(
            "expected warnings with one of %s only, logged was also:%n%s"
                .formatted(expected, String.join(System.lineSeparator(), unexpected)));
      }
    }

    /** Returns the warnings that contain none of the words. */
    static List<String> unexpected(String log, List<String> words) {
      return log.lines()
          .filter(line -> WARNING.matcher(line).matches())
          .filter(line -> words.stream().noneMatch(line::contains))
          // Said once, to whichever test is the first to have that many.
          .filter(line -> !line.contains("workers on"))
          .toList();
    }
  }
}
