package io.feedline.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.DataLoader;
import io.feedline.data.Dataset;
import io.feedline.internal.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The judgement of a record: one of 10 s, of which the consumer waited 5. */
class BottleneckTest {

  private Map<String, Object> json;

  @BeforeEach
  void record() {
    json = Json.read(none().toJson());
    loader("workers", 2);
    loader("prefetch", 2);
    machine("processors", 4);
    machine("other_processes_processors", 0.1);
    total("elapsed_seconds", 10);
    waited(5);
  }

  /** A loader that has delivered nothing. */
  private static RunRecord none() {
    try (DataLoader<Long> loader =
        DataLoader.builder(Dataset.of(4, index -> index)).name("none").build()) {
      return loader.runRecord();
    }
  }

  private void waited(double seconds) {
    Map<String, Object> waits = object(object(json, "total"), "waits");
    waits.put("count", 100);
    waits.put("total_seconds", seconds);
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Map<String, Object> of, String name) {
    return (Map<String, Object>) of.get(name);
  }

  private void loader(String name, Object value) {
    object(json, "loader").put(name, value);
  }

  private void machine(String name, Object value) {
    object(json, "machine").put(name, value);
  }

  private void total(String name, Object value) {
    object(json, "total").put(name, value);
  }

  private void stage(String name, double elapsed, double cpu, double queued) {
    List<Object> stages = new ArrayList<>((List<?>) object(json, "total").get("stages"));
    stages.add(
        Map.of(
            "name",
            name,
            "elapsed_seconds",
            elapsed,
            "cpu_seconds",
            cpu,
            "queued_seconds",
            queued));
    total("stages", stages);
  }

  private void stalls(String cause, String detail) {
    Map<String, Object> stalls = object(json, "stalls");
    stalls.put("by_cause", List.of(Map.of("cause", cause, "count", 7, "waited_seconds", 4.5)));
    Map<String, Object> stall = new LinkedHashMap<>();
    stall.put("cause", cause);
    stall.put("stage", "");
    stall.put("epoch", 0);
    stall.put("batch", 3);
    stall.put("waited_seconds", 1);
    stall.put("index", null);
    stall.put("detail", detail);
    stalls.put("longest", List.of(stall));
  }

  private Bottleneck judged() {
    return RunRecord.ofJson(Json.write(json)).bottleneck();
  }

  private Bottleneck.Advice first() {
    return judged().advice().get(0);
  }

  private List<String> pasted() {
    return judged().advice().stream().map(Bottleneck.Advice::option).toList();
  }

  @Test
  void shouldLeaveALoaderThatKeepsUp() {
    waited(0.05);
    assertThat(first().change()).startsWith("Leave the loader as it is");
  }

  @Test
  void shouldWantMoreWorkersAndShardsWhereReadsWait() {
    total("bytes_read", 1_000_000);
    stage("reading", 18, 1, 0);
    stage("decoding", 2, 2, 0);
    assertThat(pasted())
        .containsExactly(
            ".numWorkers(8), or .autoWorkers()",
            "feedline convert DATA DATA-packed --to webdataset");
    assertThat(first().evidence())
        .isEqualTo(
            "reading had 90% of the workers' 20 s in stages, and waited for storage or locks for"
                + " 94.4% of that.");
  }

  /** A dataset that computes its samples, or waits for something else than files. */
  @Test
  void shouldPackNoFilesWhereNoneAreRead() {
    total("bytes_read", 0);
    stage("reading", 18, 1, 0);
    assertThat(pasted())
        .as("the other is to make 'reading' faster")
        .containsExactly(".numWorkers(8), or .autoWorkers()", "");
  }

  /** A read that is a wait is not "done once before the training". */
  @Test
  void shouldSayWhoseTimeReadingIs() {
    total("bytes_read", 0);
    loader("workers", 64);
    stage("reading", 600, 1, 0);
    assertThat(first().change()).startsWith("Make the dataset itself faster: 'reading' is");
  }

  @Test
  void shouldNotProposeTheNumberOfWorkersThatTheLoaderChose() {
    loader("max_workers", 64);
    stage("reading", 18, 1, 0);
    assertThat(pasted()).containsExactly("");
    total("stages", List.of());
    assertThat(first().evidence()).endsWith("and the loader has chosen 2 workers.");
  }

  @Test
  void shouldNotWantMoreWorkersWhereTheyWaitForEachOther() {
    loader("workers", 4);
    total("workers_waited_to_read_seconds", 30);
    stage("reading", 9, 1, 0);
    assertThat(pasted()).containsExactly("stream.map(\"NAME\", transform)", "");
  }

  /** The instruments cannot tell a lock from a storage by times alone. */
  @Test
  void shouldWantALockToGoAndNoMoreWorkersWhereTheyWaitForIt() {
    total("bytes_read", 1_000_000);
    total("workers_contention", 0.49);
    stage("reading", 19, 9, 0);
    assertThat(pasted()).containsExactly("jcmd PID Thread.print");
    assertThat(first().evidence())
        .isEqualTo(
            "49% of the workers waited for such a lock, so more workers would wait too; 'reading'"
                + " takes most of their time. Stacks of the threads show where.");
  }

  @Test
  void shouldLeaveALockThatFewWaitFor() {
    total("workers_contention", 0.2);
    stage("reading", 18, 1, 0);
    assertThat(pasted()).startsWith(".numWorkers(8), or .autoWorkers()");
  }

  /** That is the loader's own lock, around a stream. */
  @Test
  void shouldNotTakeAStreamForALock() {
    loader("workers", 4);
    total("workers_waited_to_read_seconds", 30);
    total("workers_contention", 0.7);
    stage("reading", 9, 1, 0);
    assertThat(pasted()).containsExactly("stream.map(\"NAME\", transform)", "");
    total("workers_waited_to_read_seconds", 9);
    assertThat(first().cause()).as("others never got it").isEqualTo(Bottleneck.Cause.STREAM);
  }

  /** Each batch transform waits by itself: workers without room for a batch cannot begin one. */
  @Test
  void shouldWantRoomWhereWorkersWaitForItAndTheConsumerForThem() {
    loader("workers", 8);
    total("workers_waited_for_room_seconds", 40);
    stage("batch transform", 39, 0, 0);
    assertThat(pasted()).containsExactly(".prefetch(8)");
    stalls("no room to prepare batches", "");
    assertThat(pasted()).as("once").containsExactly(".prefetch(4)");
  }

  /** Workers waited for room before a slow shard, and the consumer for that shard. */
  @Test
  void shouldNotWantRoomWhereStallsHaveAnotherCause() {
    total("workers_waited_for_room_seconds", 8);
    waited(4.6);
    stage("reading", 12, 1, 0);
    stalls("reading", "");
    assertThat(pasted()).containsExactly(".numWorkers(8), or .autoWorkers()", "");
  }

  @Test
  void shouldNotWantRoomForTheStart() {
    total("workers_waited_for_room_seconds", 18);
    waited(4.6);
    stalls("start-up", "");
    assertThat(pasted()).containsExactly(".prefetchFirstEpoch(true)");
  }

  @Test
  void shouldGiveMoreWorkersBatchesOfTheirOwn() {
    stage("batch transform", 19, 1, 0);
    assertThat(pasted()).containsExactly(".numWorkers(8).prefetch(8)");
  }

  @Test
  void shouldLookAtSlowSamplesAndTheirStageWhereWorkersHaveNoTimeToSpare() {
    loader("workers", 4);
    stage("augment", 39, 39, 0);
    stalls("one slow sample", "took 200 ms, most of it augment; others take 2 ms");
    assertThat(pasted()).as("more batches ahead do not help").containsExactly("", "");
    assertThat(first().change()).isEqualTo("Look at the samples that are named below");
  }

  /** Pauses are too short to be half of a stall, and many. */
  @Test
  void shouldWantMemoryWhereTheGarbageCollectorHasMuchOfTheTime() {
    processor(4);
    stage("augment", 19, 10, 0);
    assertThat(pasted()).startsWith("-Xmx or -XX:+UseZGC").doesNotContain(".numWorkers(8)");
    assertThat(first().evidence())
        .isEqualTo("The garbage collector stopped all threads for 40% of the time.");
    stalls("the garbage collector", "");
    assertThat(pasted()).as("once").containsOnlyOnce("-Xmx or -XX:+UseZGC");
  }

  private void processor(double collecting) {
    json.put(
        "processor",
        Map.of(
            "process_seconds",
            20,
            "workers_seconds",
            10,
            "other_threads_seconds",
            1,
            "collector_stopped_seconds",
            collecting));
  }

  @Test
  void shouldNotJudgeABeginning() {
    total("elapsed_seconds", 0.2);
    total("workers_waited_for_room_seconds", 0.3);
    waited(0.1);
    stage("writing", 0.4, 0.4, 0);
    assertThat(judged().advice())
        .extracting(Bottleneck.Advice::change)
        .containsExactly("Record a longer run");
  }

  @Test
  void shouldWantNoWorkersForSamplesThatCostNothing() {
    total("batches", 100_000);
    stage("writing", 3, 3, 0);
    assertThat(pasted()).containsExactly(".numWorkers(0)");
    assertThat(first().evidence()).startsWith("A batch takes 30 us to make");
  }

  /** Other processes had processors that the workers did not ask for. */
  @Test
  void shouldNotAskForAnIdleMachineWhereWorkersHardlyQueued() {
    machine("other_processes_processors", 3.2);
    total("bytes_read", 1_000_000);
    stage("reading", 18, 1, 0.2);
    assertThat(first().change()).isEqualTo("Let more workers wait at once");
  }

  @Test
  void shouldHaveMoreBatchesReadyForSlowSamples() {
    loader("prefetch", 3);
    total("workers_waited_for_room_seconds", 8);
    stage("reading", 18, 1, 0);
    stalls("one slow sample", "took 200 ms, most of it reading; others take 2 ms");
    assertThat(pasted()).as("more workers do not help").containsExactly(".prefetch(12)");
  }

  @Test
  void shouldWantAllProcessorsWhereWorkersComputeAndThereAreFew() {
    stage("reading", 1, 1, 0);
    stage("decoding", 19, 19, 0);
    assertThat(pasted().get(0)).isEqualTo(".numWorkers(4)");
  }

  @Test
  void shouldWantLessWorkWhereAllProcessorsAreBusy() {
    loader("workers", 8);
    stage("reading", 1, 1, 0);
    stage("decoding", 79, 38, 41);
    assertThat(pasted())
        .containsExactly("feedline convert DATA DATA-small --to webdataset --resize 256");
  }

  @Test
  void shouldNameTheTransformThatIsSlow() {
    loader("workers", 4);
    stage("decoding", 1, 1, 0);
    stage("tokenize", 39, 39, 0);
    assertThat(first().change())
        .isEqualTo("Make 'tokenize' faster, or do it once before the training");
  }

  /** Such as lambdas: which of them is slow is not known. */
  @Test
  void shouldSayHowToSeeWhichTransformIsSlow() {
    loader("workers", 4);
    stage("transforming", 39, 39, 0);
    assertThat(first().change()).startsWith("Make the transforms faster");
    assertThat(first().option()).isEqualTo("dataset.map(\"NAME\", transform)");
  }

  @Test
  void shouldSayFirstThatTheMachineIsBusy() {
    machine("other_processes_processors", 3.2);
    stage("decoding", 19, 5, 14);
    assertThat(first().change()).isEqualTo("Repeat the run while the machine is idle");
    assertThat(first().evidence()).startsWith("Other processes kept 3.20 of 4 processors busy");
  }

  @Test
  void shouldWantMoreRoom() {
    stalls("no room to prepare batches", "");
    assertThat(first().option()).isEqualTo(".prefetch(4)");
  }

  @Test
  void shouldWantMemoryWhereTheGarbageCollectorStopsTheLoader() {
    stalls("the garbage collector", "");
    assertThat(first().option()).isEqualTo("-Xmx or -XX:+UseZGC");
  }

  @Test
  void shouldNameTheTimeOfTheGarbageCollector() {
    stalls("the garbage collector", "");
    assertThat(first().evidence())
        .isEqualTo(
            "The garbage collector stopped all threads in stalls: 4.5 s of 5 s of waiting, in 7 stalls.");
  }

  @Test
  void shouldNameStallsThatNothingExplains() {
    stalls("nothing the loader did", "");
    assertThat(first().change()).isEqualTo("Find out what held up the process");
  }

  @Test
  void shouldNotSayWhatOtherProcessesDidWhereThatIsNotKnown() {
    machine("other_processes_processors", null);
    stage("decoding", 19, 5, 14);
    assertThat(first().change()).isEqualTo("Repeat the run while the machine is idle");
    assertThat(first().evidence()).startsWith("Workers queued for a processor for 74%");
  }

  /** As on macOS and Windows, which do not tell how long a thread queued for a processor. */
  @Test
  void shouldNotTakeAFullMachineForSlowStorage() {
    loader("workers", 8);
    stage("reading", 1, 1, 0);
    stage("decoding", 79, 38, 0);
    assertThat(pasted())
        .containsExactly("feedline convert DATA DATA-small --to webdataset --resize 256");
    assertThat(first().evidence()).contains("in stages, on a processor or in the queue for one.");
  }

  /** A cause that explains most of the waiting comes before the load of the machine. */
  @Test
  void shouldNameTheCauseThatExplainsMostBeforeTheBusyMachine() {
    machine("other_processes_processors", 3.2);
    loader("workers", 4);
    stage("collating", 8, 3, 4);
    stalls("collating", "");
    assertThat(judged().advice())
        .extracting(Bottleneck.Advice::cause)
        .containsExactly(Bottleneck.Cause.WHOLE_BATCHES, Bottleneck.Cause.BUSY_MACHINE);
  }

  @Test
  void shouldSayThatTheConsumerIsSlower() {
    total("workers_waited_for_room_seconds", 18);
    waited(0.1);
    assertThat(judged().clause())
        .isEqualTo("the consumer waited 1% of its time, and workers waited 18 s of 20 s for it");
  }

  /** A level is missed by batches, and not by the load of others alone where more is known. */
  @Test
  void shouldBlameMoreThanTheMachineForALevel() {
    machine("other_processes_processors", 3.2);
    stage("decoding", 19, 5, 14);
    assertThat(first().cause()).isEqualTo(Bottleneck.Cause.BUSY_MACHINE);
    assertThat(judged().clause()).endsWith("decoding had 100% of the workers' 5 s in stages");
  }

  /** The copying thread hardly waits for the loader, and the training for its copies. */
  @Test
  void shouldSayThatTheTrainingWaitsForCopies() {
    waited(0.1);
    json.put(
        "device",
        Json.read(
            """
            {"transfer":"stream","batches":100,"bytes":1,"pinned_bytes":0,"copying_seconds":3,
             "copy_idle_seconds":6,"waited_seconds":0,
             "stalls":[{"cause":"the device copy","count":90,"waited_seconds":3.5}]}
            """));
    assertThat(first().cause()).isEqualTo(Bottleneck.Cause.DEVICE_COPY);
    assertThat(first().evidence())
        .isEqualTo("The copy to the device was late: 3.5 s of the training's 10 s, in 90 stalls.");
  }

  @Test
  void shouldMoveWorkFromBatchesToSamplesWhereOneWorkerComputes() {
    loader("workers", 4);
    stage("batch transform", 39, 38, 0);
    assertThat(pasted()).containsExactly("dataset.map(...)");
  }

  @Test
  void shouldAlwaysHaveALine() {
    assertThat(first().option()).isEqualTo(".autoWorkers()");
  }
}
