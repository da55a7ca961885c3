package io.feedline.stats;

import io.feedline.DataLoader;
import io.feedline.internal.Json;
import io.feedline.internal.JsonMembers;
import io.feedline.stats.Stalls.Stall;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * The record of a run: the figures of a loader so far, step by step, and the circumstances. {@code
 * feedline report} makes a page of the record, and {@link #bottleneck} finds the cause that limits
 * the run.
 *
 * <pre>{@code
 * RunRecord record =
 *     loader.runRecord(ServiceLevel.of(128, Duration.ofMillis(87)))
 *         .with("model", "resnet50");
 * Files.writeString(Path.of("run.json"), record.toJson());
 * }</pre>
 *
 * <p>It contains up to 1024 steps one by one; if there are more steps, neighbors are merged into
 * sums and extremes. So the text has some 200 kilobytes at most. {@code RUN.md} of loader-core
 * lists the names.
 *
 * <p>A snapshot, immutable. {@link DataLoader#runRecord()} makes it.
 */
public final class RunRecord {

  private static final String KIND = "feedline run";
  private static final long VERSION = 1;

  private final JsonMembers json;
  private final JsonMembers loader;
  private final JsonMembers machine;
  private final JsonMembers steps;
  private final JsonMembers histogram;
  private final LoaderStats.Epoch total;
  private final List<LoaderStats.Epoch> epochs;
  private final Optional<ServiceLevel.Report> level;
  private final List<Stall> longestStalls;
  private final Duration stallThreshold;

  private RunRecord(JsonMembers json) {
    this.json = json;
    JsonMembers stalls = json.object("stalls");
    this.loader = json.object("loader");
    this.machine = json.object("machine");
    this.stallThreshold = stalls.time("threshold_seconds");
    this.longestStalls = stalls.objects("longest", RunRecord::stall);
    this.total =
        new LoaderStats.Epoch(
            json.object("total"), new Stalls(byCause(stalls, "by_cause"), longestStalls));
    this.epochs =
        json.objects(
            "epochs",
            each -> new LoaderStats.Epoch(each, new Stalls(byCause(each, "stalls"), List.of())));
    this.level = json.objectOrNull("service_level", RunRecord::level);
    this.steps = json.object("steps");
    this.histogram = json.object("waits_histogram");
    checkLengths(steps);
    checkLengths(histogram);
    // These calls check that the members exist which are read later.
    name();
    created();
    settings();
    workers();
    prefetch();
    slots();
    processors();
    collectingShare();
    json.number("host_bytes");
    deviceStalls();
  }

  /**
   * Returns the record with the given members; {@code RUN.md} of loader-core lists their names.
   *
   * @throws IllegalArgumentException if a member is missing, or of another type
   */
  public static RunRecord of(Map<String, Object> members) {
    return new RunRecord(new JsonMembers("run record", members));
  }

  /**
   * Reads a record.
   *
   * @param text the text of {@link #toJson}
   * @throws IllegalArgumentException if the text is not a record, or is of another version
   */
  public static RunRecord ofJson(String text) {
    JsonMembers json = JsonMembers.read("run record", text);
    if (!KIND.equals(json.members().get("kind"))) {
      throw new IllegalArgumentException(
          "not the record of a run, whose 'kind' is '%s': write one with loader.runRecord().toJson(), or the training programs' --report run.json"
              .formatted(KIND));
    }
    long version = json.whole("version");
    if (version != VERSION) {
      throw new IllegalArgumentException(
          "the record of a run has version %d, and this report reads version %d: use the version of Feedline that wrote it"
              .formatted(version, VERSION));
    }
    return new RunRecord(json);
  }

  private static void checkLengths(JsonMembers lists) {
    int length = -1;
    for (String name : lists.members().keySet()) {
      length = length < 0 ? lists.numbers(name).length : lists.numbers(name, length).length;
    }
  }

  private static Map<Stalls.Cause, Stalls.Sum> byCause(JsonMembers json, String name) {
    Map<Stalls.Cause, Stalls.Sum> sums = new EnumMap<>(Stalls.Cause.class);
    if (json.has(name)) {
      for (JsonMembers each : json.objects(name, each -> each)) {
        sums.put(cause(each), new Stalls.Sum(each.count("count"), each.time("waited_seconds")));
      }
    }
    return Collections.unmodifiableMap(sums);
  }

  private static Stalls.Cause cause(JsonMembers json) {
    String words = json.string("cause");
    return Arrays.stream(Stalls.Cause.values())
        .filter(cause -> cause.toString().equals(words))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException(json.where() + ": unknown cause: " + words));
  }

  private static Stall stall(JsonMembers json) {
    return new Stall(
        cause(json),
        json.string("stage"),
        json.count("epoch"),
        json.count("batch"),
        json.time("waited_seconds"),
        json.isNull("index") ? OptionalLong.empty() : OptionalLong.of(json.count("index")),
        json.string("detail"));
  }

  private static ServiceLevel.Report level(JsonMembers json) {
    json.flag("step_measured");
    return new ServiceLevel.Report(
        ServiceLevel.of((int) json.count("batch_size"), json.time("step_seconds")),
        json.count("batches"),
        json.count("in_time"),
        json.has("blame") ? json.string("blame") : "");
  }

  /**
   * Returns the same record with a setting of the training, such as its model. An existing name
   * gets the new value.
   */
  public RunRecord with(String name, String value) {
    Map<String, Object> settings = new LinkedHashMap<>(settings());
    settings.put(Objects.requireNonNull(name, "name"), Objects.requireNonNull(value, "value"));
    return with("settings", settings);
  }

  /**
   * Returns the same record with the figures of a device, as {@code DeviceLoader.runRecord} of
   * loader-gpu adds them.
   */
  public RunRecord withDevice(Map<String, Object> figures) {
    return with("device", figures);
  }

  private RunRecord with(String member, Object value) {
    Map<String, Object> copy = new LinkedHashMap<>(json.members());
    copy.put(member, value);
    return of(copy);
  }

  /** Returns the record as one line of ASCII. */
  public String toJson() {
    return Json.write(json.members());
  }

  /**
   * Returns the diagnosis of this run: the cause that limits the loader, and the changes to make.
   */
  public Bottleneck bottleneck() {
    return Bottleneck.of(this);
  }

  // ---- circumstances ----------------------------------------------------------------------------

  /** Returns the loader's name. */
  public String name() {
    return json.string("name");
  }

  /** Returns when the record was made: ISO 8601, UTC. */
  public String created() {
    return json.string("created");
  }

  /** Returns the settings that the program has added by {@link #with(String, String)}. */
  public Map<String, Object> settings() {
    return json.object("settings").members();
  }

  /** Returns the loader's options by their names in JSON. */
  public Map<String, Object> loader() {
    return Collections.unmodifiableMap(loader.members());
  }

  /** Returns the machine's properties by their names in JSON. */
  public Map<String, Object> machine() {
    return Collections.unmodifiableMap(machine.members());
  }

  /** Returns the workers at the end of the run; 0 if the consumer's thread made the batches. */
  public int workers() {
    return (int) loader.number("workers");
  }

  /** Tests whether the loader chose the number of its workers. */
  public boolean isAuto() {
    return loader.numberIfPresent("max_workers").orElse(0) > workers();
  }

  /** Returns the number of batches that were prepared ahead at the end of the run. */
  public int prefetch() {
    return (int) loader.number("prefetch");
  }

  /** Returns the largest number of batches that are in production or open at once. */
  public int slots() {
    return (int) loader.number("slots");
  }

  /** Returns the host memory allocated for batches, in bytes. */
  public long hostBytes() {
    return json.count("host_bytes");
  }

  /** Returns the number of processors that the JVM may use. */
  public int processors() {
    return (int) machine.number("processors");
  }

  /** Returns how many processors other processes kept busy; empty if unknown. */
  public OptionalDouble otherProcessors() {
    return machine.numberIfPresent("other_processes_processors");
  }

  /**
   * Returns the processor time of the process since the first epoch began, by its names in JSON;
   * empty if it is unknown.
   */
  public Map<String, Object> processorTime() {
    return json.has("processor") ? json.object("processor").members() : Map.of();
  }

  /** Returns the share of the time for which the garbage collector stopped all threads. */
  public double collectingShare() {
    double elapsed = total.elapsed().toNanos() / 1e9;
    double collecting =
        new JsonMembers("processor", processorTime())
            .numberIfPresent("collector_stopped_seconds")
            .orElse(0);
    return elapsed == 0 ? 0 : Math.min(1, collecting / elapsed);
  }

  // ---- figures ----------------------------------------------------------------------------------

  /** Returns the figures of all epochs together; {@link Stalls#recent} has the longest stalls. */
  public LoaderStats.Epoch total() {
    return total;
  }

  /** Returns the figures of each of the last 16 epochs and of the epoch under way. */
  public List<LoaderStats.Epoch> epochs() {
    return epochs;
  }

  /** Returns how the service level was kept; empty before the second batch of an epoch. */
  public Optional<ServiceLevel.Report> serviceLevel() {
    return level;
  }

  /** Tests whether the level's step time was measured on the consumer. */
  public boolean isStepMeasured() {
    return json.has("service_level") && json.object("service_level").flag("step_measured");
  }

  /** Returns the figures of the device by their names in JSON; empty without a device. */
  public Map<String, Object> device() {
    return json.has("device") ? json.object("device").members() : Map.of();
  }

  /** Returns the stalls of the training on a device, by their cause; empty without a device. */
  public Stalls deviceStalls() {
    return new Stalls(
        json.has("device") ? byCause(json.object("device"), "stalls") : Map.of(), List.of());
  }

  /** Returns the shortest duration of a wait that counts as a stall. */
  public Duration stallThreshold() {
    return stallThreshold;
  }

  /** Returns the longest stalls of each cause, the longest first. */
  public List<Stall> longestStalls() {
    return longestStalls;
  }

  /**
   * Returns a figure of each step; if there are many steps, of merged neighbors.
   *
   * @param name a name of {@code RUN.md}, such as {@code waited_seconds}
   * @throws IllegalArgumentException if there is no such figure
   */
  public double[] steps(String name) {
    return steps.numbers(name);
  }

  /** Returns the number of waits longer than {@code above} and at most {@code most}, in seconds. */
  public long waitsBetween(double above, double most) {
    double[] upTo = histogram.numbers("up_to_seconds");
    double[] count = histogram.numbers("count", upTo.length);
    double sum = 0;
    for (int i = 0; i < upTo.length; i++) {
      sum += upTo[i] > above && upTo[i] <= most ? count[i] : 0;
    }
    return Math.round(sum);
  }
}
