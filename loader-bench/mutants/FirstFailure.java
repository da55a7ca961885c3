import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes up to the first failure, which it prints. */
final class FirstFailure implements TestExecutionListener {

  private static final int FAILED = 1;
  private static final int NOTHING_TO_RUN = 2;

  private TestPlan plan;
  private int passed;

  public static void main(String[] classes) {
    FirstFailure listener = new FirstFailure();
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(classes).map(name -> selectClass(name)).toList())
            .build();
    LauncherFactory.create().execute(request, listener);
    System.out.println("passed: " + listener.passed);
    // Without waiting for threads that a mutant has left behind.
    Runtime.getRuntime().halt(listener.passed > 0 ? 0 : NOTHING_TO_RUN);
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    plan = started;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == Status.FAILED) {
      String parent = plan.getParent(test).map(TestIdentifier::getDisplayName).orElse("");
      System.out.println("failed: " + parent + " " + test.getDisplayName());
      System.out.flush();
      result.getThrowable().ifPresent(Throwable::printStackTrace);
      Runtime.getRuntime().halt(FAILED);
    } else if (test.isTest() && result.getStatus() == Status.SUCCESSFUL) {
      passed++;
    }
  }
}
