package io.feedline.bench;

import io.feedline.data.Dataset;
import io.feedline.formats.image.Image;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.image.dataset.LabeledImage;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * JPEG files in memory, each with a drawn crop, which one thread turns into tensors. Like a
 * loader's worker, it makes a recipe for each image, which writes the pixels into a row of a batch.
 * This is Feedline's half of {@link AgainstNative}.
 *
 * <p>Used by one thread.
 */
final class Images {
  /** The number of rows of the batch, which results fill in turn, as in the C program. */
  private static final int BATCH = 64;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final List<Crop> crops;
  private final Map<Task.Form, Dataset<LabeledImage>> forms = new EnumMap<>(Task.Form.class);
  private final ByteBuffer[] rows = new ByteBuffer[BATCH];
  private final double meanBytes;

  private Images(List<Crop> crops, MemoryImages files, DecodeOptions options, int largest) {
    this.crops = List.copyOf(crops);
    ImageDataset images = ImageDataset.of(files).withDecodeOptions(options);
    forms.put(Task.Form.FILES, images.withScanIndexBytes(0));
    forms.put(Task.Form.INDEXED, images.withScanIndexBytes(Long.MAX_VALUE));
    this.meanBytes = files.files().stream().mapToInt(file -> file.length).average().orElseThrow();
    allocateRows(largest);
  }

  /**
   * Reads every JPEG file below a directory and draws a crop for each.
   *
   * @param seed the seed of the crops: the same files and seed give the same crops
   * @throws IOException if the directory has no image, or an image cannot be read
   */
  static Images load(Path directory, long seed, DecodeOptions options) throws IOException {
    List<Path> paths = jpegs(directory);
    if (paths.isEmpty()) {
      throw new FileNotFoundException("no files *.jpg or *.jpeg below " + directory);
    }
    List<Crop> crops = new ArrayList<>();
    List<byte[]> files = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(seed);
    long largest = 3L * Work.SIDE * Work.SIDE * Float.BYTES;
    for (Path path : paths) {
      byte[] file = Files.readAllBytes(path);
      Image image = Image.ofEncoded(file, path.toString(), options);
      files.add(file);
      crops.add(Crop.draw(path, image.width(), image.height(), random.split()));
      largest = Math.max(largest, 3L * image.width() * image.height());
    }
    List<String> names = paths.stream().map(Path::toString).toList();
    return new Images(
        crops, new MemoryImages(directory, names, files), options, Math.toIntExact(largest));
  }

  /** Returns the JPEG files below a directory, sorted by name. */
  static List<Path> jpegs(Path directory) throws IOException {
    try (Stream<Path> tree = Files.walk(directory)) {
      return tree.filter(Images::isJpeg).sorted().toList();
    }
  }

  private static boolean isJpeg(Path path) {
    String name = String.valueOf(path.getFileName()).toLowerCase(Locale.ROOT);
    return (name.endsWith(".jpg") || name.endsWith(".jpeg")) && Files.isRegularFile(path);
  }

  /** Allocates the rows. The first row also has room for a whole image's bytes. */
  private void allocateRows(int largest) {
    int row = 3 * Work.SIDE * Work.SIDE * Float.BYTES;
    for (int i = 0; i < BATCH; i++) {
      rows[i] = ByteBuffer.allocateDirect(i == 0 ? largest : row).order(ByteOrder.nativeOrder());
    }
  }

  /**
   * Adds a store into which the files were packed, after checking that each crop has equal pixels
   * in both.
   *
   * @param store the same images in the order of the files; not closed
   * @throws IOException if the store has other images; the message names the first
   * @throws Exception if an image cannot be decoded
   */
  void addPacked(ImageDataset store) throws Exception {
    if (store.size() != crops.size()) {
      throw new IOException(
          "%s has %d images, expected %d, one for each file"
              .formatted(store.name(), store.size(), crops.size()));
    }
    forms.put(Task.Form.PACKED, store);
    for (int i = 0; i < crops.size(); i++) {
      ByteBuffer tensor = make(new Task(Work.ANTIALIAS, Task.Form.FILES), i).rewind();
      ByteBuffer kept = ByteBuffer.allocate(tensor.remaining()).put(tensor).flip();
      if (!make(new Task(Work.ANTIALIAS, Task.Form.PACKED), i).rewind().equals(kept)) {
        throw new IOException(
            "%s and %s differ in %s"
                .formatted(crops.get(i).file(), store.describe(i), crops.get(i).region()));
      }
    }
  }

  /** Returns the crops in the order of the images. */
  List<Crop> crops() {
    return crops;
  }

  /** Returns the mean length of a file in bytes. */
  double meanBytes() {
    return meanBytes;
  }

  /**
   * Makes each image once, as the first epoch of a training does. Then each image has a scan index
   * if possible.
   *
   * @throws Exception if an image cannot be decoded
   */
  void prepare(Task task) throws Exception {
    for (int i = 0; i < crops.size(); i++) {
      write(task, i, i % BATCH);
    }
  }

  /**
   * Makes image after image until this thread has used some CPU time. The CPU time of the JVM's
   * other threads is not included.
   *
   * @throws Exception if an image cannot be decoded
   */
  Timing run(Task task, double cpuSeconds) throws Exception {
    long start = THREADS.getCurrentThreadCpuTime();
    long images = 0;
    double used;
    do {
      for (int i = 0; i < crops.size(); i++) {
        write(task, i, (int) (images++ % BATCH));
      }
      used = (THREADS.getCurrentThreadCpuTime() - start) / 1e9;
    } while (used < cpuSeconds);
    return new Timing(images, used);
  }

  /**
   * Makes the result of a task for one image. Returns the elements in a buffer that the next call
   * overwrites.
   *
   * @throws Exception if the image cannot be decoded
   */
  ByteBuffer make(Task task, int index) throws Exception {
    return write(task, index, 0);
  }

  private ByteBuffer write(Task task, int index, int row) throws Exception {
    Image whole = forms.get(task.form()).get(index).image();
    Image image = task.work().of(whole, crops.get(index));
    int length = Math.toIntExact(image.shape().elements() * image.dtype().bytes());
    ByteBuffer target = length > rows[row].capacity() ? rows[0] : rows[row];
    target.clear().limit(length);
    image.writeTo(target);
    return target;
  }
}
