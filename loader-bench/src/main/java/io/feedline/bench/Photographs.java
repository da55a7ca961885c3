package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.batch.DType;
import io.feedline.formats.image.BoundingBoxes;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.JointTransform;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.image.transform.Resize;
import io.feedline.transform.Transform;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Resizes large JPEGs to a length of their shorter edge, with their boxes, as detection pipelines
 * do. This is Feedline's half of {@code peers/photographs.py}. The script starts this program,
 * compares it with Pillow, torchvision and OpenCV, and describes how to run all of them.
 *
 * <p>The program has one thread. It waits for lines on standard input, and answers each with a
 * line.
 */
@Command(
    name = "Photographs",
    sortOptions = false,
    usageHelpWidth = 100,
    header = "Shrinks large JPEGs whenever it is told to; peers/photographs.py tells it.",
    footer = {
      "",
      "The lines that it takes, and its answers; WAY is 'whole' or 'draft', EDGE a length in pixels:",
      "  run WAY EDGE SECONDS        shrinks all files, again and again, until the process has used",
      "                              that much CPU time: images and seconds",
      "  dump WAY EDGE INDEX FILE    writes the samples of one image, (3, height, width): dumped"
    })
public final class Photographs extends BenchCommand {

  @Option(
      names = "--list",
      paramLabel = "FILE",
      required = true,
      description = "The paths of the JPEGs, one a line. They are read into memory.")
  private Path list;

  private final BufferedReader input;
  private final List<byte[]> files = new ArrayList<>();
  private ByteBuffer rows = ByteBuffer.allocateDirect(0);

  /** A photograph, and the boxes of three objects. */
  private record Detected(Image image, BoundingBoxes boxes) {}

  /** Creates the command, which reads its lines from an input. */
  Photographs(BufferedReader input) {
    this.input = input;
  }

  public static void main(String... args) {
    BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
    System.exit(new Photographs(input).commandLine().execute(args));
  }

  @Override
  public Integer call() throws Exception {
    for (String path : Files.readAllLines(list)) {
      files.add(Files.readAllBytes(Path.of(path)));
    }
    shrink(0, DecodeOptions.DEFAULT, bytes(1));
    print("ready " + Machine.here());
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      print(answer(line.split(" ", -1)));
    }
    return CommandLine.ExitCode.OK;
  }

  private String answer(String... words) throws Exception {
    DecodeOptions options = DecodeOptions.DEFAULT.withFast(words[1].equals("draft"));
    Transform<Detected, Detected> transform = bytes(Integer.parseInt(words[2]));
    if (words[0].equals("dump")) {
      ByteBuffer row = shrink(Integer.parseInt(words[3]), options, transform);
      byte[] samples = new byte[row.limit()];
      row.get(0, samples);
      Files.write(Path.of(words[4]), samples);
      return "dumped";
    }
    if (!words[0].equals("run")) {
      throw new IllegalArgumentException("a line begins with run or dump, not with " + words[0]);
    }
    long images = 0;
    long used;
    long start = ProcessMeter.cpuNanos();
    do {
      for (int i = 0; i < files.size(); i++, images++) {
        shrink(i, options, transform);
      }
      used = ProcessMeter.cpuNanos() - start;
    } while (used < Double.parseDouble(words[3]) * 1e9);
    return String.format(Locale.ROOT, "%d %.6f", images, used / 1e9);
  }

  private static Transform<Detected, Detected> bytes(int edge) {
    return JointTransform.of(
        Resize.of(edge).andThen(image -> image.toTensor(DType.UINT8, ImageLayout.CHW)));
  }

  /** Makes a sample; returns its row, which the next call overwrites. */
  private ByteBuffer shrink(
      int index, DecodeOptions options, Transform<Detected, Detected> transform) throws Exception {
    Image photograph = Image.ofEncoded(files.get(index), "image " + index, options);
    int width = photograph.width();
    int height = photograph.height();
    float[] boxes = {0, 0, width, height, 0, 0, width / 2f, height / 2f, 1, 1, 9, 9};
    Image shrunk =
        transform
            .apply(
                new Detected(
                    photograph, BoundingBoxes.of(boxes, BoundingBoxes.Format.XYXY, width, height)))
            .image();
    int bytes = Math.toIntExact(shrunk.shape().elements());
    if (rows.capacity() < bytes) {
      rows = ByteBuffer.allocateDirect(bytes);
    }
    ByteBuffer row = rows.slice(0, bytes).order(ByteOrder.nativeOrder());
    shrunk.writeTo(row);
    return row;
  }
}
