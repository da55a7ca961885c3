package io.feedline.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.gpu.internal.ForgetfulDriver.Call;
import io.feedline.gpu.internal.Schedule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
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
class RingMutationTest {

  /** What a call of the driver is about. */
  private enum Subject {
    STARTED,
    COPIED,
    CONSUMED,
    COPYING_STREAM,
    OTHER_STREAM
  }

  /** An order that is left out. */
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

    private final String function;
    private final Subject subject;
    private final String method;

    @SuppressWarnings("ImmutableEnumChecker") // an enum's constant
    private final OrderScenario scenario;

    Mutation(String function, Subject subject, String method) {
      this(function, subject, method, RingScenario.MANY_BATCHES);
    }

    Mutation(String function, Subject subject, String method, OrderScenario scenario) {
      this.function = function;
      this.subject = subject;
      this.method = method;
      this.scenario = scenario;
    }
  }

  /** Finds the calls of a mutation by function, by handle, and by who in the ring calls. */
  private static final class Forgetting implements Predicate<Call> {
    private static final StackWalker STACK = StackWalker.getInstance();

    private final Mutation mutation;
    private final AtomicInteger forgotten = new AtomicInteger();

    /** What the driver gave, in the order in which the ring asked. */
    private final List<long[]> streams = new ArrayList<>();

    private final List<long[]> events = new ArrayList<>();

    Forgetting(Mutation mutation) {
      this.mutation = mutation;
    }

    @Override
    public synchronized boolean test(Call call) {
      switch (call.function()) {
        case "cuStreamCreateWithPriority" -> streams.add((long[]) call.arguments().get(0));
        case "cuEventCreate" -> events.add((long[]) call.arguments().get(0));
        default -> {
          if (call.function().equals(mutation.function)
              && subject(call) == mutation.subject
              && caller().equals(mutation.method)) {
            forgotten.incrementAndGet();
            return true;
          }
        }
      }
      return false;
    }

    private Subject subject(Call call) {
      return switch (call.function()) {
        case "cuStreamWaitEvent" -> event(call.argument(1));
        case "cuStreamSynchronize" ->
            streams.stream().anyMatch(made -> made[0] == call.argument(0))
                ? Subject.COPYING_STREAM
                : Subject.OTHER_STREAM;
        default -> event(call.argument(0));
      };
    }

    /** Each slot has three, made in this order. */
    private Subject event(long handle) {
      int i = 0;
      while (events.get(i)[0] != handle) {
        i++;
      }
      return List.of(Subject.STARTED, Subject.COPIED, Subject.CONSUMED).get(i % 3);
    }

    private static String caller() {
      return STACK.walk(
          frames ->
              frames
                  .filter(frame -> frame.getClassName().equals(CopyRing.class.getName()))
                  .findFirst()
                  .map(StackWalker.StackFrame::getMethodName)
                  .orElse(""));
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
    Forgetting forgetting = new Forgetting(mutation);
    List<String> complaints = mutation.scenario.complaints(schedule, forgetting);

    assertThat(forgetting.forgotten.get()).as("calls left out").isPositive();
    assertThat(complaints).isNotEmpty();
  }
}
