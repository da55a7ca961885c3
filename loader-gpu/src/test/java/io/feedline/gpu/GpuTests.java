package io.feedline.gpu;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * A program that runs tests of this module where there is no Maven, and that does not take a test
 * which was not run for one that went well.
 *
 * <pre>
 * java -Dfeedline.gpu.required=true -cp ... io.feedline.gpu.GpuTests cuda-driver
 * java -Dfeedline.gpu.required=true -cp ... io.feedline.gpu.GpuTests [engine:junit-jupiter]/...
 * </pre>
 *
 * <p>Arguments are JUnit tags, of which a test has one, or the unique ids of single tests. Prints a
 * line for each test, and the unique id of each one that failed, for another run of that test
 * alone. Exit code 0 if there were tests and all went well; 1 if one failed, was skipped or was
 * aborted, or if there was none; 2 without arguments.
 */
public final class GpuTests implements TestExecutionListener {

  private final PrintStream out;
  private final Map<String, Long> started = new ConcurrentHashMap<>();
  private final List<String> failed = new ArrayList<>();
  private TestPlan plan;
  private int passed;
  private int skipped;

  GpuTests(PrintStream out) {
    this.out = out;
  }

  public static void main(String... args) {
    System.exit(new GpuTests(System.out).run("io.feedline.gpu", args));
  }

  int run(String packageName, String... tagsOrIds) {
    if (tagsOrIds.length == 0) {
      out.println("which tests? Give JUnit tags or unique ids, for example cuda-driver");
      return 2;
    }
    LauncherFactory.create().execute(request(packageName, Arrays.asList(tagsOrIds)), this);
    out.printf(Locale.ROOT, "%d passed, %d failed, %d skipped%n", passed, failed.size(), skipped);
    if (passed + failed.size() + skipped == 0) {
      out.println("no test has any of these tags: " + String.join(", ", tagsOrIds));
    }
    return passed > 0 && failed.isEmpty() && skipped == 0 ? 0 : 1;
  }

  private static LauncherDiscoveryRequest request(String packageName, List<String> tagsOrIds) {
    LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request();
    List<String> ids = tagsOrIds.stream().filter(each -> each.startsWith("[")).toList();
    if (!ids.isEmpty()) {
      List<? extends DiscoverySelector> single =
          ids.stream().map(DiscoverySelectors::selectUniqueId).toList();
      return request.selectors(single).build();
    }
    return request
        .selectors(DiscoverySelectors.selectPackage(packageName))
        .filters(TagFilter.includeTags(tagsOrIds))
        .build();
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public synchronized void executionStarted(TestIdentifier test) {
    started.put(test.getUniqueId(), System.nanoTime());
  }

  @Override
  public synchronized void executionSkipped(TestIdentifier test, String reason) {
    skipped++;
    out.printf("SKIPPED  %s: %s%n", name(test), reason);
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    double seconds = (System.nanoTime() - started.remove(test.getUniqueId())) / 1e9;
    switch (result.getStatus()) {
      case SUCCESSFUL -> {
        if (test.isTest()) {
          passed++;
          out.printf(Locale.ROOT, "ok       %s, %.2f s%n", name(test), seconds);
        }
      }
      case ABORTED -> {
        skipped++;
        out.printf("SKIPPED  %s: %s%n", name(test), message(result));
      }
      case FAILED -> {
        failed.add(test.getUniqueId());
        out.printf(Locale.ROOT, "FAILED   %s, %.2f s%n", name(test), seconds);
        result.getThrowable().ifPresent(failure -> failure.printStackTrace(out));
        out.println("again:   " + test.getUniqueId());
      }
    }
  }

  private static String message(TestExecutionResult result) {
    return result.getThrowable().map(Throwable::getMessage).orElse("");
  }

  private String name(TestIdentifier test) {
    String parent =
        plan.getParent(test)
            .filter(above -> above.getParentId().isPresent())
            .map(above -> name(above) + ", ")
            .orElse("");
    return parent + test.getDisplayName();
  }
}
