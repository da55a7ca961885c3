package io.feedline.formats.cli.internal.doctor;

import io.feedline.data.FormatException;
import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.plan.GpuStep;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Circumstances;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast this machine loads this data, and says what holds it up. */
@Command(
    name = "doctor",
    description = {
      "Runs a loader on this machine and this data, in a minute or so; says how many images a second"
          + " come and what the bottleneck is; then makes changes, in turns with the loader as it is,"
          + " and prints the gain that came.",
      "Writes nothing: a change that would have to be written is named, and not tried."
    },
    sortOptions = false,
    sortSynopsis = false,
    mixinStandardHelpOptions = true)
public final class DoctorCommand extends StoreCommand {

  private static final int LARGEST_IMAGE = 4096;
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 60;

  /** The usual names of directories of images, and of those of their masks. */
  private static final Pattern IMAGES = Pattern.compile("(?i)images?|imgs?|JPEGImages|photos");

  private static final Pattern MASKS =
      Pattern.compile("(?i).*masks?|labels?|annotations?|trimaps|SegmentationClass|gt");

  /** Parts of the time of a run that are taken before it, and by each turn of a change. */
  private static final double READING = 0.3;

  private static final double WARM_UP = 0.4;
  private static final double TURN = 0.2;

  /** In a shorter run threads start and the JVM compiles. */
  private static final Duration LEAST_RUN = Duration.ofMillis(1200);

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
            + " Normalize; detection: RandomIoUCrop by made-up boxes, Resize,"
            + " RandomHorizontalFlip, Normalize; or your own: the name of a class on the class path that is a Transform or"
            + " a RandomTransform from Image to Image. Default: ${DEFAULT-VALUE}."
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
        "A change to make: the loader so changed runs in turns with the one that is asked about, and"
            + " the gain that came is printed. Can be given several times. Names: "
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
    if (format instanceof ImageFolder) {
      sayOfMasks(images.classes());
    }
    if (readLatency == null) {
      return examine(format, images, images);
    }
    // Closes the store a second time, which is allowed.
    try (ImageDataset delayed = ImageDataset.of(new DelayedStore(images.store(), readLatency))) {
      return examine(format, delayed, images);
    }
  }

  /** Says that masks are taken for images of a class, where directories are named so. */
  private void sayOfMasks(List<String> classes) {
    Optional<String> ofImages = classes.stream().filter(IMAGES.asMatchPredicate()).findFirst();
    Optional<String> ofMasks = classes.stream().filter(MASKS.asMatchPredicate()).findFirst();
    if (ofImages.isPresent() && ofMasks.isPresent()) {
      common()
          .err()
          .println(
              "doctor: %s is taken for an imagefolder, whose directories are classes: %s. If %s has the masks of %s, give %s, whose images are then examined alone."
                  .formatted(
                      path(),
                      String.join(", ", classes),
                      ofMasks.get(),
                      ofImages.get(),
                      path().resolve(ofImages.get())));
    }
  }

  private int examine(StoreFormat format, ImageDataset images, ImageDataset undelayed)
      throws Exception {
    PipelineOptions options = PipelineOptions.of(pipeline, imageSize, images);
    Loading asked = new Loading(images, options, step.batchSize(), common().workers());
    Duration delay = readLatency == null ? Duration.ZERO : readLatency;
    try (Tries changes = new Tries(asked, undelayed, delay, this::open)) {
      for (String each : tries) {
        changes.add(each);
      }
      return examine(format, asked, changes);
    }
  }

  private int examine(StoreFormat format, Loading asked, Tries tries) throws Exception {
    say("reading some images");
    Samples samples = Samples.read(asked.images(), part(READING));
    // The JVM has not compiled the loader yet.
    int processors = Runtime.getRuntime().availableProcessors();
    Trial.run(asked.withImages(samples.images()).withWorkers(processors), 0, part(WARM_UP));
    say("running the loader");
    Duration time = part(1);
    Trial trial = Trial.judged(asked, time.compareTo(LEAST_RUN) < 0 ? LEAST_RUN : time);
    Findings found =
        new Findings(
            path(),
            format.name(),
            samples.bytes(),
            step.stepTime(),
            asked,
            trial,
            List.of(),
            Map.of());
    say("trying changes");
    if (!found.enough()) {
      found = found.with(Change.of(path(), found, samples, tries, part(TURN)), Map.of());
    }
    found = found.with(found.changes(), attempts(found, tries));
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("inputs", inputs());
    json.putAll(DoctorJson.of(found));
    common().print(json, DoctorText.of(found));
    return ExitCode.OK;
  }

  /** Makes the changes: those of the same loader in the same turns. */
  private Map<String, Tries.Attempt> attempts(Findings found, Tries tries) {
    Map<Loading, Map<String, Loading>> turns = new LinkedHashMap<>();
    for (Change change : found.changes()) {
      if (change.to() != null) {
        turns
            .computeIfAbsent(change.from(), from -> new LinkedHashMap<>())
            .put(change.name(), change.to());
      }
    }
    turns.computeIfAbsent(found.asked(), from -> new LinkedHashMap<>()).putAll(tries.named());
    Map<String, Tries.Attempt> attempts = new LinkedHashMap<>();
    turns.forEach((from, to) -> attempts.putAll(Tries.inTurns(from, to, part(TURN), found.need())));
    return attempts;
  }

  /** All that the answer depends on beside the data and the machine. */
  private Map<String, Object> inputs() {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("batch_size", step.batchSize());
    json.put("step_seconds", step.stepTime().toNanos() / 1e9);
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

  private Duration part(double part) {
    return Duration.ofNanos(Math.round(seconds * part * 1e9));
  }

  private void validate() {
    require(
        step.batchSize() != null && step.stepTime() != null,
        "how fast the GPU is must be given: %s",
        GpuStep.EXAMPLE);
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
