package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.batch.DType;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.pixel.Interpolation;
import io.feedline.formats.image.pixel.PaddingMode;
import io.feedline.formats.image.transform.AugMix;
import io.feedline.formats.image.transform.AutoAugment;
import io.feedline.formats.image.transform.CenterCrop;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.ElasticTransform;
import io.feedline.formats.image.transform.FiveCrop;
import io.feedline.formats.image.transform.GaussianBlur;
import io.feedline.formats.image.transform.Normalize;
import io.feedline.formats.image.transform.Pad;
import io.feedline.formats.image.transform.RandAugment;
import io.feedline.formats.image.transform.RandomAdjustSharpness;
import io.feedline.formats.image.transform.RandomAffine;
import io.feedline.formats.image.transform.RandomAutocontrast;
import io.feedline.formats.image.transform.RandomChannelPermutation;
import io.feedline.formats.image.transform.RandomCrop;
import io.feedline.formats.image.transform.RandomEqualize;
import io.feedline.formats.image.transform.RandomErasing;
import io.feedline.formats.image.transform.RandomGrayscale;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomInvert;
import io.feedline.formats.image.transform.RandomPerspective;
import io.feedline.formats.image.transform.RandomPhotometricDistort;
import io.feedline.formats.image.transform.RandomPosterize;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.image.transform.RandomRotation;
import io.feedline.formats.image.transform.RandomShortestSize;
import io.feedline.formats.image.transform.RandomSolarize;
import io.feedline.formats.image.transform.RandomVerticalFlip;
import io.feedline.formats.image.transform.RandomZoomOut;
import io.feedline.formats.image.transform.Resize;
import io.feedline.formats.image.transform.ScaleJitter;
import io.feedline.formats.image.transform.TenCrop;
import io.feedline.formats.image.transform.TrivialAugmentWide;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.SampleRandom;
import io.feedline.transform.Transform;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Compares how many images each transform makes per CPU-second with torchvision's transform.
 *
 * <pre>
 * java --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
 *     -cp loader-bench/target/benchmarks.jar io.feedline.bench.Transforms --data DIR --python PYTHON
 * </pre>
 *
 * <p>Both sides have the same decoded images in memory. A transform is applied to one image after
 * the other, and its result is written into a row of a batch: 8-bit samples in CHW, except for
 * Normalize. A transform with a probability has the probability 1. Each side has one thread. The
 * sides take turns, transform by transform. torchvision's half is {@code peers/transforms.py}, on
 * PIL images.
 */
@Command(
    name = "Transforms",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Compares each transform with torchvision's, one thread of each, in turns.",
    footer = {
      "",
      "A table goes to standard error, and a line of JSON for each transform to standard output:",
      "  ratio                  median over the rounds of Feedline's images per CPU-second divided",
      "                         by torchvision's; ratio_min and ratio_max are the extremes",
      "  feedline_images_per_cpu_second, torchvision_images_per_cpu_second",
      "                         medians; CPU time is that of the one thread that works"
    })
public final class Transforms extends BenchCommand {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /** A bound on the growth of an image: zooming out makes up to four times as many pixels. */
  private static final int LARGEST_GROWTH = 5;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      required = true,
      description = "JPEG files, in directories or not.")
  private Path data;

  @Option(
      names = "--images",
      paramLabel = "N",
      defaultValue = "16",
      description = "How many are taken, evenly spread. Default: ${DEFAULT-VALUE}.")
  private int images;

  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = "A transform; may be given more than once. Default: all.")
  private List<String> only = List.of();

  @Option(
      names = "--python",
      paramLabel = "COMMAND",
      defaultValue = "python3",
      description = "A Python with torch, torchvision and Pillow. Default: ${DEFAULT-VALUE}.")
  private String python;

  @Option(
      names = "--peer",
      paramLabel = "FILE",
      defaultValue = "loader-bench/peers/transforms.py",
      description = "torchvision's half. Default: ${DEFAULT-VALUE}.")
  private Path peer;

  @Mixin private final Turns turns = new Turns(3, 0.2);

  private ByteBuffer rows;

  /** Returns the transforms by the peer's names for them; some make several images of one. */
  static Map<String, RandomTransform<Image, List<Image>>> transforms() {
    Map<String, RandomTransform<Image, List<Image>>> all = new LinkedHashMap<>();
    put(all, "Resize", RandomTransform.from(Resize.of(224)));
    put(all, "CenterCrop", RandomTransform.from(CenterCrop.of(224)));
    put(all, "RandomCrop", RandomCrop.of(224).withPadding(4));
    put(all, "RandomResizedCrop", RandomResizedCrop.of(224));
    put(all, "ScaleJitter", ScaleJitter.of(224));
    put(
        all,
        "ScaleJitter, RandomCrop",
        ScaleJitter.of(224).andThen(RandomCrop.of(224).withPadIfNeeded(true)));
    put(all, "RandomShortestSize", RandomShortestSize.of(192, 224, 256).withMaxSize(320));
    put(all, "RandomZoomOut", RandomZoomOut.of().withSideRange(1, 2).withProbability(1));
    put(all, "Pad, reflected", RandomTransform.from(Pad.of(16).withMode(PaddingMode.REFLECT)));
    all.put("FiveCrop", views(FiveCrop.of(112)));
    all.put("TenCrop", views(TenCrop.of(112)));
    put(all, "RandomHorizontalFlip", RandomHorizontalFlip.of(1));
    put(all, "RandomVerticalFlip", RandomVerticalFlip.of(1));
    put(all, "RandomRotation", RandomRotation.of(30));
    put(
        all,
        "RandomRotation, bilinear",
        RandomRotation.of(30).withInterpolation(Interpolation.BILINEAR));
    put(
        all,
        "RandomRotation, bicubic",
        RandomRotation.of(30).withInterpolation(Interpolation.BICUBIC));
    put(all, "RandomAffine", affine());
    put(all, "RandomAffine, bilinear", affine().withInterpolation(Interpolation.BILINEAR));
    put(all, "RandomPerspective", RandomPerspective.of(0.5, 1));
    put(
        all,
        "RandomPerspective, nearest",
        RandomPerspective.of().withProbability(1).withInterpolation(Interpolation.NEAREST));
    put(all, "ElasticTransform", ElasticTransform.of());
    put(all, "ColorJitter", ColorJitter.of(0.4, 0.4, 0.4, 0.1));
    put(all, "RandomPhotometricDistort", RandomPhotometricDistort.of().withProbability(1));
    put(all, "RandomChannelPermutation", RandomChannelPermutation.of());
    put(all, "RandomGrayscale", RandomGrayscale.of(1));
    put(all, "RandomEqualize", RandomEqualize.of(1));
    put(all, "RandomPosterize", RandomPosterize.of(4, 1));
    put(all, "RandomSolarize", RandomSolarize.of(128, 1));
    put(all, "RandomInvert", RandomInvert.of(1));
    put(all, "RandomAutocontrast", RandomAutocontrast.of(1));
    put(all, "RandomAdjustSharpness", RandomAdjustSharpness.of(2, 1));
    put(all, "GaussianBlur", GaussianBlur.of(5));
    put(all, "GaussianBlur, 23", GaussianBlur.of(23));
    put(all, "AutoAugment", AutoAugment.of());
    put(all, "RandAugment", RandAugment.of());
    put(all, "TrivialAugmentWide", TrivialAugmentWide.of());
    put(all, "AugMix", AugMix.of());
    all.put("Normalize", (image, random) -> List.of(Normalize.imagenet().apply(image)));
    put(all, "RandomErasing", RandomErasing.of(1));
    return all;
  }

  private static RandomAffine affine() {
    return RandomAffine.of(15).withTranslate(0.1, 0.1).withScale(0.8, 1.2).withShear(10);
  }

  /** Adds a transform of one image whose result is bytes. */
  private static void put(
      Map<String, RandomTransform<Image, List<Image>>> all,
      String name,
      RandomTransform<Image, Image> transform) {
    all.put(name, (image, random) -> List.of(bytes(transform.apply(image, random))));
  }

  private static RandomTransform<Image, List<Image>> views(
      Transform<Image, List<Image>> transform) {
    return (image, random) -> transform.apply(image).stream().map(Transforms::bytes).toList();
  }

  private static Image bytes(Image image) {
    return image.toTensor(DType.UINT8, ImageLayout.CHW);
  }

  /**
   * A transform, and the turns of both sides.
   *
   * @param feedline Feedline's turn beside each of torchvision's
   */
  private record Contest(
      String name,
      RandomTransform<Image, List<Image>> transform,
      List<Timing> feedline,
      List<Timing> torchvision) {}

  public static void main(String... args) {
    System.exit(new Transforms().commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    turns.check(this);
    requireAtLeast(1, "--images", images);
    List<Contest> contests = contests();
    List<Path> files = files();
    List<Image> decoded = decode(files);
    try (ScratchDirectory scratch = ScratchDirectory.create("feedline-transforms")) {
      Path list = scratch.path().resolve("list");
      Files.write(list, files.stream().map(Path::toString).toList(), UTF_8);
      List<String> command = List.of(python, peer.toString(), list.toString());
      try (NativeProcess torchvision = new NativeProcess(command)) {
        for (Contest contest : contests) {
          for (int round = -turns.warmUp; round < turns.rounds; round++) {
            takeTurns(contest, decoded, torchvision, round);
          }
        }
        report(contests, torchvision.loaded());
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private List<Contest> contests() {
    Map<String, RandomTransform<Image, List<Image>>> all = transforms();
    for (String name : only) {
      if (!all.containsKey(name)) {
        throw wrong("--only must be one of %s, was %s".formatted(all.keySet(), name));
      }
    }
    List<Contest> contests = new ArrayList<>();
    all.forEach(
        (name, transform) -> {
          if (only.isEmpty() || only.contains(name)) {
            contests.add(new Contest(name, transform, new ArrayList<>(), new ArrayList<>()));
          }
        });
    return contests;
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

  private List<Image> decode(List<Path> files) throws IOException {
    List<Image> decoded = new ArrayList<>();
    int largest = 0;
    for (Path file : files) {
      Image image = Image.ofEncoded(Files.readAllBytes(file), file.toString());
      decoded.add(image.pixels().toImage());
      largest = Math.max(largest, 3 * image.width() * image.height());
    }
    rows = ByteBuffer.allocateDirect(Float.BYTES * LARGEST_GROWTH * largest);
    return decoded;
  }

  /** Takes one turn of each side; torchvision is first in every second round. */
  private void takeTurns(Contest contest, List<Image> decoded, NativeProcess torchvision, int round)
      throws Exception {
    boolean torchvisionFirst = round % 2 == 0;
    Timing before = torchvisionFirst ? torchvision.run(contest.name(), turns.seconds) : null;
    Timing ours = run(contest.transform(), decoded, round);
    Timing theirs = torchvisionFirst ? before : torchvision.run(contest.name(), turns.seconds);
    if (round >= 0) {
      contest.feedline().add(ours);
      contest.torchvision().add(theirs);
    }
  }

  private Timing run(RandomTransform<Image, List<Image>> transform, List<Image> decoded, int round)
      throws Exception {
    long count = 0;
    long used;
    long start = THREADS.getCurrentThreadCpuTime();
    do {
      for (Image image : decoded) {
        RandomGenerator random = new SampleRandom(0, round, count++, 0);
        for (Image result : transform.apply(image, random)) {
          write(result);
        }
      }
      used = THREADS.getCurrentThreadCpuTime() - start;
    } while (used < turns.seconds * 1e9);
    return new Timing(count, used / 1e9);
  }

  private void write(Image image) throws IOException {
    int bytes = Math.toIntExact(image.shape().elements() * image.dtype().bytes());
    image.writeTo(rows.slice(0, bytes).order(ByteOrder.nativeOrder()));
  }

  private void report(List<Contest> contests, String torchvision) throws IOException {
    PrintWriter log = log();
    Machine machine = Machine.here();
    log.printf("machine: %s%n", machine);
    log.printf("beside it: %s%n", torchvision);
    log.printf("%d rounds: median (smallest - greatest)%n%n", turns.rounds);
    log.println(
        "| images per CPU-second | Feedline | torchvision | Feedline/torchvision by round |");
    log.println("|---|---|---|---|");
    for (Contest contest : contests) {
      Spread feedline = Spread.ofRates(contest.feedline());
      Spread theirs = Spread.ofRates(contest.torchvision());
      Spread ratio = Spread.ofRatios(contest.feedline(), contest.torchvision());
      log.printf(
          Locale.ROOT,
          "| %s | %.0f | %.0f | **%s** |%n",
          contest.name(),
          feedline.median(),
          theirs.median(),
          ratio.toString(2));
      print(
          new JsonLine()
              .put("transform", contest.name())
              .put("data", data.toString())
              .put("jdk", machine.jdk())
              .put("kernels", machine.kernels())
              .put("processor", machine.processor())
              .put("processors", machine.processors())
              .put("torchvision", torchvision)
              .put("rounds", turns.rounds)
              .put("ratio", ratio)
              .put("feedline_images_per_cpu_second", feedline.median())
              .put("torchvision_images_per_cpu_second", theirs.median()));
    }
    log.flush();
  }
}
