package io.feedline.formats.cli.internal.doctor;

import io.feedline.data.FormatException;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.RecordJson;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.plan.GpuStep;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Circumstances;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command that measures how fast this machine loads given data, and names the bottleneck. */
@Command(
    name = "doctor",
    description = {
      "Runs a loader on this machine and this data, in a minute or so; says how many images a"
          + " second come and what the bottleneck is; then makes changes, in turns with the loader"
          + " as it is, and prints the gain that came.",
      "Writes nothing: a change that would have to be written is named, and not tried."
    },
    sortOptions = false,
    sortSynopsis = false,
    mixinStandardHelpOptions = true)
public final class DoctorCommand extends StoreCommand {

  private static final int LARGEST_IMAGE = 4096;
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 60;

  /** The usual names of directories of masks, which are not classes. */
  private static final Pattern MASKS =
      Pattern.compile("(?i).*masks?|labels?|annotations?|trimaps|SegmentationClass|gt");

  /** The fractions of {@code --seconds} for the first reading, the warm-up, and each turn. */
  private static final double READING = 0.3;

  private static final double WARM_UP = 0.4;
  private static final double TURN = 0.2;
  private static final int BATCH_SIZE = 128;

  /** The shortest run; a shorter run mostly measures the start of threads and the JIT compiler. */
  private static final Duration LEAST_RUN = Duration.ofMillis(1200);

  /** The number of batches that a run should reach so that its bottleneck can be named. */
  private static final int JUDGED_BATCHES = 3;

  @Mixin private GpuStep step;

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      defaultValue = "224",
      description = "The side of the training's random crops. Default: ${DEFAULT-VALUE}.")
  private int imageSize;

  @Option(
      names = "--pipeline",
      paramLabel = "NAME",
      defaultValue = "train",
      description = {
        "train: RandomResizedCrop, RandomHorizontalFlip, Normalize; val: Resize, CenterCrop,"
            + " Normalize; detection: RandomIoUCrop by made-up boxes, Resize, RandomHorizontalFlip,"
            + " Normalize; or your own: a .json file of Transforms.toJson, or the name of a class"
            + " on the class path that is a Transform or a RandomTransform from Image to Image."
            + " Default: ${DEFAULT-VALUE}."
      })
  private String pipeline;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "5",
      description = {
        "How long the loader runs, from 0.1 to 60; each change takes four fifths of it."
            + " Default: ${DEFAULT-VALUE}."
      })
  private double seconds;

  @Option(
      names = "--read-latency",
      paramLabel = "TIME",
      converter = TimeSpan.class,
      description = "Makes each read wait so much longer, to try out a storage that is far away.")
  private Duration readLatency;

  @Option(
      names = "--try",
      paramLabel = "NAME=VALUE",
      description = {
        "A change to make: the loader so changed runs in turns with the one that is asked about,"
            + " and the gain that came is printed. Can be given several times. Names: "
            + Tries.NAMES
            + "."
      })
  private List<String> tries = new ArrayList<>();

  @Override
  public int run(StoreFormat format, ImageDataset images) throws Exception {
    validate();
    if (images.size() == 0) {
      throw FormatException.in(path(), "there are no images in it, and nothing to measure");
    }
    if (format.name().equals("imagefolder")
        && images.classes().stream().anyMatch(MASKS.asMatchPredicate())) {
      common()
          .err()
          .println(
              "doctor: %s is taken for an imagefolder, whose directories are classes: %s. If one has the masks of another, give the directory of the images alone."
                  .formatted(path(), String.join(", ", images.classes())));
    }
    // Closes the store a second time, which is allowed.
    try (ImageDataset delayed =
        readLatency == null
            ? images
            : ImageDataset.of(new DelayedStore(images.store(), readLatency))) {
      return examine(format, delayed, images);
    }
  }

  private int examine(StoreFormat format, ImageDataset delayed, ImageDataset images)
      throws Exception {
    PipelineOptions options = PipelineOptions.of(pipeline, imageSize, delayed);
    double need =
        step.stepTime() == null
            ? Double.POSITIVE_INFINITY
            : batchSize() * 1e9 / step.stepTime().toNanos();
    Loading asked = new Loading(delayed, options, batchSize(), common().workers());
    Duration delay = readLatency == null ? Duration.ZERO : readLatency;
    try (Tries changes = new Tries(asked, images, delay, this::open)) {
      List<Tries.Try> named = new ArrayList<>();
      for (String each : tries) {
        named.add(changes.named(each));
      }
      say("reading some images");
      Samples samples = Samples.read(asked.images(), part(READING));
      // The first run does not count, since the JVM has not compiled the loader yet.
      int processors = Runtime.getRuntime().availableProcessors();
      Trial.run(asked.withImages(samples.dataset()).withWorkers(processors), 0, part(WARM_UP), 0);
      say("running the loader");
      Duration run = part(1).compareTo(LEAST_RUN) < 0 ? LEAST_RUN : part(1);
      Trial trial = Trial.run(asked, 0, run, JUDGED_BATCHES);
      say("trying changes");
      List<Tries.Try> proposed =
          asked.trained(trial.imagesPerSecond(), need) >= need
              ? List.of()
              : Proposals.of(path(), asked, trial.record(), need, samples, changes, part(TURN));
      List<Tries.Try> all = new ArrayList<>(proposed);
      all.addAll(named);
      List<Tries.Attempt> made = Tries.make(all, part(TURN), need);
      Findings found =
          Findings.of(
              inputs(),
              path(),
              format.name(),
              samples.bytes(),
              need,
              asked,
              trial,
              made.subList(0, proposed.size()),
              made.subList(proposed.size(), made.size()));
      common().print(RecordJson.of(found), DoctorText.of(found));
    }
    return ExitCode.OK;
  }

  private Map<String, Object> inputs() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", batchSize());
    json.put("step_seconds", step.stepTime() == null ? null : step.stepTime().toNanos() / 1e9);
    json.put("image_size", imageSize);
    json.put("pipeline", pipeline);
    json.put("workers", common().workers());
    json.put("seconds", seconds);
    json.put("read_latency_seconds", readLatency == null ? 0 : readLatency.toNanos() / 1e9);
    json.put("try", tries);
    json.put("feedline", Circumstances.version());
    json.put("kernels", Circumstances.chosen().get("kernels"));
    json.put("java", Runtime.version().toString());
    return json;
  }

  private int batchSize() {
    return step.batchSize() == null ? BATCH_SIZE : step.batchSize();
  }

  private Duration part(double part) {
    return Duration.ofNanos(Math.round(seconds * part * 1e9));
  }

  private void validate() {
    require(
        step.stepTime() == null || step.batchSize() != null,
        "--step-time needs --batch-size, the images of a step");
    from("--image-size", imageSize, 1, LARGEST_IMAGE);
    require(
        seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS,
        "--seconds must be from %s to %.0f, was %s",
        LEAST_SECONDS,
        MOST_SECONDS,
        seconds);
    from("--workers", common().workers(), 0, Tries.MOST_WORKERS);
  }

  private void from(String option, int value, int least, int most) {
    require(
        value >= least && value <= most,
        "%s must be from %s to %s, was %s",
        option,
        least,
        most,
        value);
  }

  private void say(String what) {
    if (!common().quiet()) {
      common().err().println("doctor: " + what + " ...");
    }
  }
}
