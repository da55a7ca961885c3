package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import ai.djl.Device;
import ai.djl.Model;
import ai.djl.inference.Predictor;
import ai.djl.modality.Classifications;
import ai.djl.modality.cv.BufferedImageFactory;
import ai.djl.modality.cv.Image;
import ai.djl.modality.cv.transform.CenterCrop;
import ai.djl.modality.cv.transform.Normalize;
import ai.djl.modality.cv.transform.ResizeShort;
import ai.djl.modality.cv.transform.ToTensor;
import ai.djl.modality.cv.translator.ImageClassificationTranslator;
import ai.djl.ndarray.NDList;
import ai.djl.nn.Block;
import ai.djl.nn.Blocks;
import ai.djl.nn.LambdaBlock;
import ai.djl.translate.Translator;
import ai.djl.translate.TranslatorContext;
import io.feedline.formats.image.dataset.DecodeImage;
import io.feedline.formats.image.transform.Resize;
import io.feedline.gpu.DjlTranslator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares three ways from the bytes of photographs to a model's answer: Feedline's translator,
 * DJL's translator, and torchvision. It measures the images that are answered per CPU-second, the
 * time of a request, and the difference of the pixels from torchvision's.
 *
 * <pre>
 * java --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
 *     -cp loader-bench/target/benchmarks.jar io.feedline.bench.Serving --data DIR --python PYTHON
 * </pre>
 *
 * <p>All sides have the same files in memory, and take turns. The model takes the mean of each
 * channel, so nearly all of the time is spent before the model. Feedline and DJL run in this JVM,
 * on PyTorch's CPU engine with one thread; torchvision's half is {@code peers/serving.py}.
 */
@Command(
    name = "Serving",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares the ways from photographs to answers: Feedline, DJL and torchvision.",
    footer = {
      "",
      "A table goes to standard error, and a line of JSON for each row to standard output. CPU time",
      "is that of the process, all its threads included."
    })
public final class Serving extends BenchCommand {
  private static final int SIZE = 224;
  private static final int SHORTER_EDGE = 256;
  private static final float[] MEAN = {0.485f, 0.456f, 0.406f};
  private static final float[] STD = {0.229f, 0.224f, 0.225f};
  private static final List<String> CLASSES = List.of("red", "green", "blue");

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "JPEG files, in directories or not.")
  private Path data;

  @Option(
      names = "--images",
      paramLabel = "N",
      defaultValue = "200",
      description = "How many are taken, evenly spread. Default: ${DEFAULT-VALUE}.")
  private int images;

  @Option(
      names = "--python",
      paramLabel = "COMMAND",
      defaultValue = "python3",
      description = "A Python with torch, torchvision and Pillow. Default: ${DEFAULT-VALUE}.")
  private String python;

  @Option(
      names = "--peer",
      paramLabel = "FILE",
      defaultValue = "loader-bench/peers/serving.py",
      description = "torchvision's half. Default: ${DEFAULT-VALUE}.")
  private Path peer;

  @Mixin private final Turns turns = new Turns(2, 2);

  private final DjlTranslator<byte[], Classifications> ours =
      DjlTranslator.of(
          DecodeImage.of()
              .andThen(Resize.of(SHORTER_EDGE))
              .andThen(io.feedline.formats.image.transform.CenterCrop.of(SIZE))
              .andThen(io.feedline.formats.image.transform.Normalize.imagenet()),
          CLASSES);

  private final ImageClassificationTranslator djls =
      ImageClassificationTranslator.builder()
          .addTransform(new ResizeShort(SHORTER_EDGE))
          .addTransform(new CenterCrop(SIZE, SIZE))
          .addTransform(new ToTensor())
          .addTransform(new Normalize(MEAN, STD))
          .optSynset(CLASSES)
          .optApplySoftmax(true)
          .build();

  /** A side of the comparison, which answers requests. */
  private interface Side {
    /** Answers requests for {@code seconds} of the load's clock; returns images and seconds. */
    Timing run(Load load, double seconds) throws Exception;
  }

  /**
   * The work that is measured.
   *
   * @param requests the number of images that are answered together
   * @param threads the number of threads that answer at the same time
   * @param clock the clock that is measured: {@code cpu} or {@code wall}
   */
  private record Load(int requests, int threads, String clock) {
    LongSupplier nanos() {
      return clock.equals("cpu") ? ProcessMeter::cpuNanos : System::nanoTime;
    }

    @Override
    public String toString() {
      return requests + "," + threads + "," + clock;
    }
  }

  public static void main(String... args) {
    System.exit(new Serving().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    turns.check(this);
    requireAtLeast(1, "--images", images);
    System.setProperty("ai.djl.pytorch.num_threads", "1");
    System.setProperty("ai.djl.pytorch.num_interop_threads", "1");
    List<Path> files = files();
    List<byte[]> encoded = new ArrayList<>();
    for (Path file : files) {
      encoded.add(Files.readAllBytes(file));
    }
    Block means =
        new LambdaBlock(list -> new NDList(list.head().mean(new int[] {3}).mean(new int[] {2})));
    try (ScratchDirectory scratch = ScratchDirectory.create("feedline-serving");
        Model model = model(means);
        Model identity = model(Blocks.identityBlock())) {
      Path list = scratch.path().resolve("list");
      Files.write(list, files.stream().map(Path::toString).toList(), UTF_8);
      try (NativeProcess torchvision =
          new NativeProcess(List.of(python, peer.toString(), list.toString()))) {
        log().printf("machine: %s%nbeside it: %s%n", Machine.here(), torchvision.loaded());
        comparePixels(encoded, identity, torchvision, scratch.path().resolve("pixels"));
        compareSpeed(encoded, model, torchvision);
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private static Model model(Block block) {
    Model model = Model.newInstance("serving", Device.cpu(), "PyTorch");
    model.setBlock(block);
    return model;
  }

  private List<Path> files() throws IOException {
    List<Path> all = Images.jpegs(data);
    int taken = Math.min(images, all.size());
    if (taken == 0) {
      throw wrong("--data has no *.jpg and no *.jpeg: " + data);
    }
    return IntStream.range(0, taken)
        .mapToObj(i -> all.get((int) ((long) i * all.size() / taken)).toAbsolutePath())
        .toList();
  }

  // ---- pixels -------------------------------------------------------------------------------

  private void comparePixels(
      List<byte[]> encoded, Model identity, NativeProcess torchvision, Path file) throws Exception {
    Differences feedline = new Differences();
    Differences djl = new Differences();
    try (Predictor<byte[], float[]> our = identity.newPredictor(new InputOf<>(ours));
        Predictor<Image, float[]> their = identity.newPredictor(new InputOf<>(djls))) {
      for (int i = 0; i < encoded.size(); i++) {
        torchvision.dump("pixels", i, file);
        FloatBuffer expected =
            ByteBuffer.wrap(Files.readAllBytes(file))
                .order(ByteOrder.nativeOrder())
                .asFloatBuffer();
        feedline.add(our.predict(encoded.get(i)), expected);
        djl.add(their.predict(image(encoded.get(i))), expected);
      }
    }
    PrintWriter log = log();
    log.printf("%n| of %d images | values unlike torchvision's | most, of 255 |%n", encoded.size());
    log.printf("|---|---|---|%n| Feedline | %s |%n| DJL | %s |%n%n", feedline, djl);
    log.flush();
    print(new JsonLine().put("pixels", "Feedline").put("different", feedline.different));
    print(new JsonLine().put("pixels", "DJL").put("different", djl.different));
  }

  /** A translator whose output is the model's input, for a model that returns its input. */
  private record InputOf<I>(Translator<I, ?> of) implements Translator<I, float[]> {
    @Override
    public NDList processInput(TranslatorContext context, I input) throws Exception {
      return of.processInput(context, input);
    }

    @Override
    public float[] processOutput(TranslatorContext context, NDList output) {
      return output.singletonOrThrow().toFloatArray();
    }
  }

  /** The differences of values from torchvision's values. */
  private static final class Differences {
    private long values;
    private long different;
    private double most;
    private double sum;

    void add(float[] found, FloatBuffer expected) {
      for (int i = 0; i < found.length; i++) {
        double difference = Math.abs(found[i] - expected.get(i));
        double levels = difference * STD[i / (SIZE * SIZE)] * 255;
        values++;
        different +=
            Float.floatToIntBits(found[i]) == Float.floatToIntBits(expected.get(i)) ? 0 : 1;
        most = Math.max(most, levels);
        sum += levels;
      }
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.2f%% | %.1f, mean %.3f", 100.0 * different / values, most, sum / values);
    }
  }

  private static Image image(byte[] bytes) throws IOException {
    return new BufferedImageFactory().fromInputStream(new ByteArrayInputStream(bytes));
  }

  // ---- speed --------------------------------------------------------------------------------

  private void compareSpeed(List<byte[]> encoded, Model model, NativeProcess torchvision)
      throws Exception {
    log()
        .println(
            "| requests x threads, clock | Feedline | DJL | torchvision | by DJL | by torchvision |");
    log().println("|---|---|---|---|---|---|");
    for (String clock : List.of("cpu", "wall")) {
      for (int requests : new int[] {1, 32}) {
        for (int threads : new int[] {1, 2}) {
          Load load = new Load(requests, threads, clock);
          compare(
              load,
              List.of(
                  (of, seconds) -> run(of, seconds, encoded, () -> feedline(model)),
                  (of, seconds) -> run(of, seconds, encoded, () -> djl(model)),
                  (of, seconds) -> torchvision.run(of.toString(), seconds)));
        }
      }
    }
  }

  private void compare(Load load, List<Side> sides) throws Exception {
    List<List<Timing>> all = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int round = -turns.warmUp; round < turns.rounds; round++) {
      for (int turn = 0; turn < sides.size(); turn++) {
        // Each side is first equally often.
        int side = Math.floorMod(turn + round, sides.size());
        Timing timing = sides.get(side).run(load, turns.seconds);
        if (round >= 0) {
          all.get(side).add(timing);
        }
      }
    }
    Spread byDjl = Spread.ofRatios(all.get(0), all.get(1));
    Spread byTorchvision = Spread.ofRatios(all.get(0), all.get(2));
    JsonLine line = new JsonLine().put("load", load.toString()).put("rounds", turns.rounds);
    StringBuilder row = new StringBuilder("| " + load.requests + " x " + load.threads);
    row.append(load.clock.equals("cpu") ? ", images per CPU-second" : ", ms per request");
    for (int side = 0; side < sides.size(); side++) {
      double rate = Spread.ofRates(all.get(side)).median();
      double shown = load.clock.equals("cpu") ? rate : 1000.0 * load.requests * load.threads / rate;
      row.append(String.format(Locale.ROOT, " | %.1f", shown));
      line.put(List.of("feedline", "djl", "torchvision").get(side), shown);
    }
    log().printf("%s | **%s** | %s |%n", row, byDjl.toString(2), byTorchvision.toString(2));
    log().flush();
    print(line.put("by_djl", byDjl).put("by_torchvision", byTorchvision));
  }

  /** The answers of one thread to requests. */
  private interface Answers extends AutoCloseable {
    void to(List<byte[]> request) throws Exception;

    @Override
    void close();
  }

  /** Makes an {@link Answers} for each thread. */
  private interface Service {
    Answers open();
  }

  private Answers feedline(Model model) {
    Predictor<byte[], Classifications> predictor = model.newPredictor(ours);
    return new Answers() {
      @Override
      public void to(List<byte[]> request) throws Exception {
        predictor.batchPredict(request).forEach(Classifications::best);
      }

      @Override
      public void close() {
        predictor.close();
      }
    };
  }

  private Answers djl(Model model) {
    Predictor<Image, Classifications> predictor = model.newPredictor(djls);
    return new Answers() {
      @Override
      public void to(List<byte[]> request) throws Exception {
        List<Image> decoded = new ArrayList<>();
        for (byte[] bytes : request) {
          decoded.add(image(bytes));
        }
        predictor.batchPredict(decoded).forEach(Classifications::best);
      }

      @Override
      public void close() {
        predictor.close();
      }
    };
  }

  private static Timing run(Load load, double seconds, List<byte[]> encoded, Service service)
      throws InterruptedException, ExecutionException {
    LongSupplier clock = load.nanos();
    long start = clock.getAsLong();
    long end = start + (long) (seconds * 1e9);
    ExecutorService threads = Executors.newFixedThreadPool(load.threads);
    try {
      List<Future<Long>> counts = new ArrayList<>();
      for (int i = 0; i < load.threads; i++) {
        int first = i;
        counts.add(threads.submit(() -> work(load, encoded, first, service, clock, end)));
      }
      long count = 0;
      for (Future<Long> each : counts) {
        count += each.get();
      }
      return new Timing(count, (clock.getAsLong() - start) / 1e9);
    } finally {
      threads.shutdown();
    }
  }

  private static long work(
      Load load, List<byte[]> encoded, int first, Service service, LongSupplier clock, long end)
      throws Exception {
    long count = 0;
    try (Answers answers = service.open()) {
      for (int at = first; clock.getAsLong() < end; at += load.threads * load.requests) {
        List<byte[]> request = new ArrayList<>();
        for (int i = 0; i < load.requests; i++) {
          request.add(encoded.get((at + i) % encoded.size()));
        }
        answers.to(request);
        count += load.requests;
      }
    }
    return count;
  }
}
