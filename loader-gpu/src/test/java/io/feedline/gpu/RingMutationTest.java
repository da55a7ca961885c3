package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.RingCalls.Subject;
import io.feedline.gpu.internal.Schedule;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That each order which a {@link CopyRing} establishes is needed, and that its absence would be
 * found: the ring's wait for an event, its record of one, or its wait in a thread is left out, and
 * a scenario that goes well otherwise goes wrong under every schedule.
 *
 * <p>An order that is added to the ring is added here; if nothing fails without it, it has no
 * reason to be, or the scenarios lack one.
 */
@Tag("once")
class RingMutationTest {

  enum Mutation {
    FILLED_WHILE_IT_IS_READ("cuStreamWaitEvent", Subject.CONSUMED, "copy"),
    START_NOT_RECORDED("cuEventRecord", Subject.STARTED, "copy"),
    COPY_NOT_RECORDED("cuEventRecord", Subject.COPIED, "copy"),
    READ_BEFORE_IT_IS_FILLED("cuStreamWaitEvent", Subject.COPIED, "read"),
    READING_NOT_RECORDED("cuEventRecord", Subject.CONSUMED, "read"),
    HOST_MEMORY_WRITTEN_WHILE_IT_IS_COPIED("cuEventSynchronize", Subject.COPIED, "awaitCopied"),
    GROWN_WHILE_IT_IS_READ(
        "cuStreamWaitEvent", Subject.CONSUMED, "grow", RingScenario.GROWTH_WHILE_READ),
    GROWN_WHILE_IT_IS_FILLED(
        "cuStreamWaitEvent", Subject.COPIED, "grow", RingScenario.GROWTH_WHILE_FILLED),
    FILLED_WHILE_ITS_MEMORY_IS_ANOTHERS("cuEventRecord", Subject.CONSUMED, "grow"),
    NOT_DRAINED_AFTER_A_FAILURE(
        "cuStreamSynchronize", Subject.COPYING_STREAM, "drain", RingScenario.FAILED_COPY),
    CLOSED_WHILE_IT_IS_FILLED(
        "cuStreamSynchronize", Subject.COPYING_STREAM, "close", RingScenario.CLOSED_WHILE_FILLED),
    CLOSED_WHILE_IT_IS_READ(
        "cuEventSynchronize", Subject.CONSUMED, "close", RingScenario.CLOSED_WHILE_READ),
    GIVEN_BACK_TO_THE_LOADER_WHILE_IT_IS_COPIED(
        "cuEventSynchronize", Subject.COPIED, "awaitCopied", CopierScenario.TWO_EPOCHS),
    LENT_AGAIN_WHILE_IT_IS_COPIED(
        "cuEventSynchronize", Subject.COPIED, "awaitCopied", CopierScenario.ONE_OPEN_BATCH),
    GIVEN_BACK_TO_THE_LOADER_AFTER_HALF_A_BATCH(
        "cuStreamSynchronize", Subject.COPYING_STREAM, "drain", CopierScenario.HALF_BATCHES),
    GIVEN_BACK_TO_THE_LOADER_AFTER_A_FAILED_WAIT(
        "cuStreamSynchronize", Subject.COPYING_STREAM, "drain", CopierScenario.FAILED_WAIT);

    @SuppressWarnings("ImmutableEnumChecker") // a record of constants
    private final RingCalls.Kind leftOut;

    @SuppressWarnings("ImmutableEnumChecker") // an enum's constant
    private final OrderScenario scenario;

    Mutation(String function, Subject subject, String method) {
      this(function, subject, method, RingScenario.MANY_BATCHES);
    }

    Mutation(String function, Subject subject, String method, OrderScenario scenario) {
      this.leftOut = new RingCalls.Kind(function, subject, method);
      this.scenario = scenario;
    }
  }

  static Stream<Arguments> mutationsAndSchedules() {
    return Arrays.stream(Mutation.values())
        .flatMap(
            mutation -> Schedule.all().stream().map(schedule -> Arguments.of(mutation, schedule)));
  }

  static Stream<OrderScenario> scenarios() {
    return Stream.concat(
        Arrays.stream(RingScenario.values()), Arrays.stream(CopierScenario.values()));
  }

  @ParameterizedTest
  @MethodSource("scenarios")
  void shouldGoWellWithAllOrders(OrderScenario scenario) {
    for (Schedule schedule : Schedule.all()) {
      assertThat(scenario.complaints(schedule, call -> false)).as("%s", schedule).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("mutationsAndSchedules")
  void shouldGoWrongWithoutAnOrder(Mutation mutation, Schedule schedule) {
    RingCalls calls = new RingCalls();
    AtomicInteger forgotten = new AtomicInteger();
    List<String> complaints =
        mutation.scenario.complaints(
            schedule,
            call -> calls.of(call).equals(mutation.leftOut) && forgotten.incrementAndGet() > 0);

    assertThat(forgotten.get()).as("calls left out").isPositive();
    assertThat(complaints).isNotEmpty();
  }
}
