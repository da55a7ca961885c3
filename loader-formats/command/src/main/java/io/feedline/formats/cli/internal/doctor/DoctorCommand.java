package io.feedline.formats.cli.internal.doctor;

import io.feedline.formats.cli.internal.command.ExitCode;
import io.feedline.formats.cli.internal.command.PipelineOptions;
import io.feedline.formats.cli.internal.command.StoreCommand;
import io.feedline.formats.cli.internal.command.TimeSpan;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Epoch;
import io.feedline.formats.cli.internal.doctor.Diagnosis.Figures;
import io.feedline.formats.cli.internal.doctor.Examination.Run;
import io.feedline.formats.cli.internal.doctor.Trials.Attempt;
import io.feedline.formats.cli.internal.plan.GpuStep;
import io.feedline.formats.cli.internal.plan.MachineFigures;
import io.feedline.formats.cli.internal.plan.Plan;
import io.feedline.formats.cli.internal.plan.Workload;
import io.feedline.formats.folder.ImageFolder;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.FormatException;
import io.feedline.formats.store.StoreFormat;
import io.feedline.internal.Circumstances;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Measures how fast this machine loads this data, and says what holds it up. */
@Command(
    name = "doctor",
    description = {
      "Measures, in a minute or two, how fast this machine reads and decodes this data; predicts"
          + " from that how many images a second a loader gives, names the bottleneck and what to"
          + " change; then runs the loader and tells how wrong the prediction was, and what the"
          + " changes brought.",
      "Writes nothing, and cannot empty the system's page cache: it says whether the data were in"
          + " it."
    },
    sortOptions = false,
    sortSynopsis = false,
    mixinStandardHelpOptions = true)
public final class DoctorCommand extends StoreCommand {

  /** The part of the images that is read for measuring; the others are left for the loader. */
  private static final int PART_TO_PROBE = 2;

  private static final int MOST_TO_PROBE = 8192;

  private static final int LARGEST_IMAGE = 4096;
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 60;

  /** The usual names of directories of images, and of those of their masks. */
  private static final Pattern IMAGES = Pattern.compile("(?i)images?|imgs?|JPEGImages|photos");

  private static final Pattern MASKS =
      Pattern.compile("(?i).*masks?|labels?|annotations?|trimaps|SegmentationClass|gt");

  /** Parts of the time of a run that measurements take. */
  private static final double READING = 0.3;

  private static final double DECODING = 0.8;
  private static final double SPEEDUP = 0.3;

  private static final int COPIED = 32 << 20;
  private static final int COPIES = 8;

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
        "How long each run of the loader takes, from 0.1 to 60; the measurements before it take two"
            + " to three times as long. Default: ${DEFAULT-VALUE}."
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

  private int examine(StoreFormat format, Loading asked, Tries changes) throws Exception {
    ImageDataset images = asked.images();
    PipelineOptions options = asked.pipeline();
    UnreadImages unread = new UnreadImages(images.size());
    say("measuring reads");
    long[] fresh = unread.take(Math.min(images.size() / PART_TO_PROBE, MOST_TO_PROBE));
    ReadProbe readProbe = new ReadProbe(images, fresh, part(READING));
    ReadFigures reads = readProbe.measure();
    say("measuring the decoder");
    boolean indexKept = images.hasScanIndexFiles();
    DecodeProbe decodeProbe =
        new DecodeProbe(
            readProbe.inMemory(), options, indexKept, part(DECODING), asked.rowsInMemory());
    DecodeFigures decoding = decodeProbe.measure();
    Figures figures =
        new Figures(reads, decoding, machine(decodeProbe), images.store().prefersReadAhead());

    int workers = common().workers();
    Workload workload =
        Workload.builder(Math.max(1, Math.round(reads.bytes())))
            .steps(step.batchSize(), step.stepTime())
            .rowBytes(options.rowBytes())
            .build();
    Epoch epoch = Examination.worthwhile(figures, workers, images.size(), seconds);
    int recommended = Diagnosis.recommended(figures, workload, epoch);
    say("running the loader");
    Map<Integer, Run> runs = new TreeMap<>();
    Trials trials =
        new Trials(asked, part(1), unread, decodeProbe, figures, workload.examplesPerSecondOfGpu());
    for (Run run : trials.run(new TreeSet<>(List.of(workers, recommended)))) {
      runs.put(run.workers(), run);
    }

    Figures atTheTime = figures.on(runs.get(workers).machine());
    Diagnosis diagnosis = Diagnosis.of(atTheTime, workload, workers, epoch, recommended);
    say("trying changes");
    Map<String, Attempt> attempts = changes.measure(trials, diagnosis, decodeProbe);
    for (int each : diagnosis.shown()) {
      runs.computeIfAbsent(
          each,
          absent ->
              new Run(
                  each,
                  epoch,
                  atTheTime.machine(),
                  atTheTime.model(epoch).predict(Math.max(1, each)),
                  Optional.empty()));
    }
    Examination found =
        new Examination(
            path(),
            format.name(),
            images.size(),
            pipeline,
            atTheTime,
            diagnosis,
            List.copyOf(runs.values()),
            attempts);
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("inputs", inputs());
    json.putAll(DoctorJson.of(found));
    common().print(json, DoctorText.of(found));
    return ExitCode.OK;
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

  private MachineFigures machine(DecodeProbe decodeProbe) throws Exception {
    OtherLoad others = new OtherLoad();
    List<MachineFigures.Speedup> speedups = decodeProbe.speedups(part(SPEEDUP));
    return new MachineFigures(
        Runtime.getRuntime().availableProcessors(),
        speedups,
        true,
        copyBytesPerSecond(),
        others.processors());
  }

  private Duration part(double part) {
    return Duration.ofNanos(Math.round(seconds * part * 1e9));
  }

  /** Copies what no cache holds, and takes the best of some times. */
  private static double copyBytesPerSecond() {
    ByteBuffer from = ByteBuffer.allocateDirect(COPIED);
    ByteBuffer to = ByteBuffer.allocateDirect(COPIED);
    long best = Long.MAX_VALUE;
    for (int i = 0; i < COPIES; i++) {
      long start = System.nanoTime();
      to.clear().put(from.clear());
      best = Math.min(best, System.nanoTime() - start);
    }
    return COPIED * 1e9 / best;
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
    from("--workers", common().workers(), 0, Plan.MOST_WORKERS);
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
