package io.feedline.gpu.internal;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds pairs of accesses to the same memory, one of them a write, that nothing orders: whatever
 * the schedule was, another one would have been allowed.
 *
 * <p>Each operation carries a {@link VectorClock}; so does the host. All host threads share one
 * clock: what one of them has waited for, all are taken to know, since how Java threads tell each
 * other is not visible here and is Java's affair. Thus the order of host and device, and of device
 * and device, is checked, not that of host and host.
 *
 * <p>What is put into a stream happens after everything that the host did or knew of before. So an
 * access is compared only with operations put in earlier, and one that the host knows to be done
 * can be forgotten.
 */
final class RaceDetector {

  private record Touch(Operation operation, Access access) {}

  private final List<String> violations;
  private final List<Touch> touches = new ArrayList<>();
  private VectorClock host = VectorClock.ZERO;

  RaceDetector(List<String> violations) {
    this.violations = violations;
  }

  VectorClock host() {
    return host;
  }

  void learn(VectorClock done) {
    host = host.join(done);
    touches.removeIf(touch -> touch.operation.before(host));
  }

  void device(Operation operation, List<Access> accesses) {
    for (Access access : accesses) {
      check(access, operation.clock, operation + ", which " + access);
    }
    accesses.forEach(access -> touches.add(new Touch(operation, access)));
  }

  void host(Access access, String what) {
    check(access, host, what + ", which " + access);
  }

  private void check(Access access, VectorClock clock, String later) {
    for (Touch touch : touches) {
      if (access.conflictsWith(touch.access) && !touch.operation.before(clock)) {
        violations.add(
            "race: %s, and nothing makes it wait for %s, which %s"
                .formatted(later, touch.operation, touch.access));
      }
    }
  }
}
