package io.feedline.bench;

import io.feedline.formats.image.DecodeOptions;
import io.feedline.formats.image.Image;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * JPEG files in memory, each with the crop that was drawn for it, and the one thread that makes
 * tensors of them as a worker of a loader does: a recipe for each picture, which writes itself into
 * a row of a batch. Feedline's half of {@link AgainstNative}.
 *
 * <p>Used by one thread.
 */
final class Pictures {
  /** Results go to one row of a batch after the other, as in C. */
  private static final int BATCH = 64;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<Crop> crops = new ArrayList<>();
  private final List<byte[]> files = new ArrayList<>();
  private final DecodeOptions options;
  private final ByteBuffer[] rows = new ByteBuffer[BATCH];
  private long bytes;

  private Pictures(DecodeOptions options) {
    this.options = options;
  }

  /**
   * Reads every JPEG file below a directory and draws a crop for each.
   *
   * @param seed of the crops: the same files and seed give the same crops
   * @throws IOException if there are none, or one of them cannot be read
   */
  static Pictures load(Path directory, long seed, DecodeOptions options) throws IOException {
    List<Path> paths;
    try (Stream<Path> tree = Files.walk(directory)) {
      paths = tree.filter(Pictures::isJpeg).sorted().toList();
    }
    if (paths.isEmpty()) {
      throw new FileNotFoundException("no files *.jpg or *.jpeg below " + directory);
    }
    Pictures pictures = new Pictures(options);
    SplittableRandom random = new SplittableRandom(seed);
    long largest = 3L * Work.SIDE * Work.SIDE * Float.BYTES;
    for (Path path : paths) {
      byte[] file = Files.readAllBytes(path);
      Image image = Image.ofEncoded(file, path.toString(), options);
      pictures.files.add(file);
      pictures.crops.add(Crop.draw(path, image.width(), image.height(), random.split()));
      pictures.bytes += file.length;
      largest = Math.max(largest, 3L * image.width() * image.height());
    }
    pictures.allocateRows(Math.toIntExact(largest));
    return pictures;
  }

  private static boolean isJpeg(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    return (name.endsWith(".jpg") || name.endsWith(".jpeg")) && Files.isRegularFile(path);
  }

  /** The first row takes a whole picture's bytes as well, the others a tensor of floats. */
  private void allocateRows(int largest) {
    int row = 3 * Work.SIDE * Work.SIDE * Float.BYTES;
    for (int i = 0; i < BATCH; i++) {
      rows[i] = ByteBuffer.allocateDirect(i == 0 ? largest : row).order(ByteOrder.nativeOrder());
    }
  }

  /** The crops, in the order of the pictures. */
  List<Crop> crops() {
    return List.copyOf(crops);
  }

  /** The mean length of a file. */
  double meanBytes() {
    return (double) bytes / files.size();
  }

  /**
   * Goes through all pictures until this thread has used some CPU time. What the JVM's other
   * threads use meanwhile is not in it.
   *
   * @throws IOException if a picture cannot be decoded
   */
  Timing run(Work work, double cpuSeconds) throws IOException {
    long start = THREADS.getCurrentThreadCpuTime();
    long images = 0;
    double used;
    do {
      for (int i = 0; i < files.size(); i++) {
        write(work, i, (int) (images++ % BATCH));
      }
      used = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    } while (used < cpuSeconds);
    return new Timing(images, used);
  }

  /**
   * What is made of one picture: a tensor's elements in a buffer that the next call overwrites.
   *
   * @throws IOException if the picture cannot be decoded
   */
  ByteBuffer make(Work work, int index) throws IOException {
    return write(work, index, 0);
  }

  private ByteBuffer write(Work work, int index, int row) throws IOException {
    Crop crop = crops.get(index);
    Image picture = Image.ofEncoded(files.get(index), crop.file().toString(), options);
    Image image = work.of(picture, crop);
    int length = Math.toIntExact(image.shape().elements() * image.dtype().bytes());
    ByteBuffer target = length > rows[row].capacity() ? rows[0] : rows[row];
    target.clear().limit(length);
    image.writeTo(target);
    return target;
  }
}
