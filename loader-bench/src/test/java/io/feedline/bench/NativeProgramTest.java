package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.within;

import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Region;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C does the same as Feedline: only then does a comparison of their speed mean anything. */
@Tag("once")
class NativeProgramTest {
  private static final int SIDE = Work.SIDE;
  private static final int PLANE = SIDE * SIDE;

  /** ImageNet's statistics, as in the source in C. */
  private static final double[] MEAN = {0.485, 0.456, 0.406};

  private static final double[] STD = {0.229, 0.224, 0.225};

  @TempDir private Path directory;

  /** Six images of three sizes, in JPEG with subsampled color; some crops grow, some shrink. */
  private Images images() throws IOException {
    Path root = Files.createDirectory(directory.resolve("with space"));
    int[][] sizes = {{701, 533}, {150, 211}, {1024, 300}};
    for (int i = 0; i < sizes.length; i++) {
      try (GeneratedFolder folder = GeneratedFolder.create(2, sizes[i][0], sizes[i][1])) {
        Files.copy(folder.root().resolve("even/0.jpg"), root.resolve(i + "a.jpg"));
        Files.copy(folder.root().resolve("odd/1.jpg"), root.resolve(i + "b.JPEG"));
      }
    }
    return Images.load(root, 3, DecodeOptions.DEFAULT);
  }

  private static Task plain(Work work) {
    return new Task(work, Task.Form.FILES);
  }

  private NativeProcess reference(List<Crop> crops) throws IOException {
    Path place = Files.createTempDirectory(directory, "c");
    Path list = Files.write(place.resolve("list"), crops.stream().map(Crop::toLine).toList());
    return NativeProcess.start(NativeProgram.JPEG_REFERENCE.build(place), list);
  }

  private ByteBuffer dump(NativeProcess c, Work work, int index) throws IOException {
    Path file = directory.resolve("dump of " + work);
    c.dump(work.toString(), index, file);
    return ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldDecodeAndScaleAsFeedlineDoes() throws Exception {
    Images images = images();
    List<Crop> crops = images.crops();
    assertThat(crops).extracting(Crop::flip).contains(true, false);
    try (NativeProcess c = reference(crops)) {
      assertThat(c.loaded()).startsWith("6 libjpeg-turbo");
      for (int i = 0; i < crops.size(); i++) {
        String crop = crops.get(i).toString();
        assertThat(dump(c, Work.FULL, i)).as(crop).isEqualTo(images.make(plain(Work.FULL), i));
        assertSameButForTheSides(
            dump(c, Work.DECODE, i), images.make(plain(Work.DECODE), i), crops.get(i));
        for (Work work : List.of(Work.ANTIALIAS, Work.BILINEAR)) {
          assertSameFilter(
              dump(c, work, i).asFloatBuffer(),
              images.make(plain(work), i).asFloatBuffer(),
              work + " " + crop);
        }
      }
    }
  }

  /**
   * libjpeg-turbo cannot interpolate colors with pixels beside a crop, which it does not decode, so
   * the outermost columns differ. Feedline decodes them as if there were no crop.
   */
  private static void assertSameButForTheSides(ByteBuffer theirs, ByteBuffer ours, Crop crop) {
    assertThat(theirs.remaining()).isEqualTo(ours.remaining());
    int width = crop.region().width();
    int[] worst = new int[width];
    for (int i = 0; i < ours.remaining(); i++) {
      int difference = Math.abs((ours.get(i) & 0xFF) - (theirs.get(i) & 0xFF));
      worst[i / 3 % width] = Math.max(worst[i / 3 % width], difference);
    }
    for (int x = 0; x < width; x++) {
      assertThat(worst[x])
          .as("%s: column %d", crop, x)
          .isLessThanOrEqualTo(x == 0 || x == width - 1 ? 40 : 0);
    }
  }

  /** C computes in floats, Feedline in fixed point with a rounding between the passes. */
  private static void assertSameFilter(FloatBuffer theirs, FloatBuffer ours, String crop) {
    assertThat(theirs.remaining()).isEqualTo(3 * PLANE).isEqualTo(ours.remaining());
    double sum = 0;
    double[] worst = new double[SIDE];
    for (int i = 0; i < 3 * PLANE; i++) {
      double levels = 255 * STD[i / PLANE] * Math.abs(ours.get(i) - theirs.get(i));
      worst[i % SIDE] = Math.max(worst[i % SIDE], levels);
      sum += levels;
    }
    for (int x = 0; x < SIDE; x++) {
      // A column of the crop reaches into up to three of the enlarged image.
      assertThat(worst[x])
          .as("%s: column %d", crop, x)
          .isLessThan(x < 3 || x > SIDE - 4 ? 40 : 1.05);
    }
    assertThat(sum / (3 * PLANE)).as(crop).isLessThan(0.4);
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldInterpolateBetweenTheNearestRowsAndColumns() throws IOException {
    Images images = images();
    try (NativeProcess c = reference(images.crops())) {
      for (int i = 0; i < images.crops().size(); i++) {
        Crop crop = images.crops().get(i);
        ByteBuffer rgb = dump(c, Work.DECODE, i);
        FloatBuffer result = dump(c, Work.BILINEAR, i).asFloatBuffer();
        for (int at = 0; at < 3 * PLANE; at += 97) {
          int x = crop.flip() ? SIDE - 1 - at % SIDE : at % SIDE;
          int channel = at / PLANE;
          double expected = bilinear(rgb, crop.region(), x, at / SIDE % SIDE, channel);
          assertThat((double) result.get(at))
              .as("%s: element %d", crop, at)
              .isCloseTo((expected / 255 - MEAN[channel]) / STD[channel], within(0.002));
        }
      }
    }
  }

  private static double bilinear(ByteBuffer rgb, Region region, int x, int y, int channel) {
    double px = Math.max(0, (x + 0.5) * region.width() / SIDE - 0.5);
    double py = Math.max(0, (y + 0.5) * region.height() / SIDE - 0.5);
    double sum = 0;
    for (int k = 0; k < 4; k++) {
      int column = Math.min((int) px + k % 2, region.width() - 1);
      int row = Math.min((int) py + k / 2, region.height() - 1);
      double right = px - (int) px;
      double down = py - (int) py;
      double weight = (k % 2 == 0 ? 1 - right : right) * (k / 2 == 0 ? 1 - down : down);
      sum += weight * (rgb.get(3 * (row * region.width() + column) + channel) & 0xFF);
    }
    return sum;
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldGoThroughTheWholeListUntilTheTimeIsUp() throws IOException {
    try (NativeProcess c = reference(images().crops())) {
      for (Work work : Work.values()) {
        Timing timing = c.run(work.toString(), 0.02);
        assertThat(timing.items() % 6).isZero();
        assertThat(timing.cpuSeconds()).isGreaterThanOrEqualTo(0.02);
      }
    }
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldRefuseWhatItDoesNotUnderstandAndGoOn() throws IOException {
    try (NativeProcess c = reference(images().crops())) {
      assertThatIOException()
          .isThrownBy(() -> c.run("lanczos", 1))
          .withMessageContaining("lanczos");
      Path nowhere = directory.resolve("absent").resolve("file");
      assertThatIOException()
          .isThrownBy(() -> c.dump("full", 0, nowhere))
          .withMessageContaining(nowhere.toString());
      assertThatIOException().isThrownBy(() -> c.dump("full", 6, directory.resolve("x")));
      assertThat(c.run("full", 0.001).items()).isPositive();
    }
  }

  @Test
  @RequiresNative(NativeProgram.JPEG_REFERENCE)
  void shouldEndOverAListThatMakesNoSense() throws IOException {
    Path text = Files.writeString(directory.resolve("text.jpg"), "no JPEG");
    Crop absent = new Crop(directory.resolve("absent.jpg"), new Region(0, 0, 1, 1), false);
    assertThatIOException().isThrownBy(() -> reference(List.of(absent))).withMessageContaining("1");
    assertThatIOException().isThrownBy(() -> reference(List.of()));
    try (NativeProcess c = reference(List.of(new Crop(text, new Region(0, 0, 1, 1), false)))) {
      assertThatIOException()
          .isThrownBy(() -> c.run("decode", 1))
          .withMessageContaining("ended early with exit code 1");
    }
    Images images = images();
    Crop first = images.crops().get(0);
    Crop outside = new Crop(first.file(), new Region(700, 0, 2, 2), false);
    try (NativeProcess c = reference(List.of(outside))) {
      assertThatIOException().isThrownBy(() -> c.run("antialias", 1));
    }
  }

  @Test
  @RequiresNative(NativeProgram.LMDB_RANDOM_READ)
  void shouldReadEveryValueOfAnLmdbFile() throws IOException, InterruptedException {
    Path executable = NativeProgram.LMDB_RANDOM_READ.build(directory);
    Path database = directory.resolve("lmdb");
    Process made =
        new ProcessBuilder(executable.toString(), "--make", database.toString(), "50", "60000")
            .inheritIO()
            .start();
    assertThat(made.waitFor()).isZero();
    for (Path opened : new Path[] {database, database.resolve("data.mdb")}) {
      try (NativeProcess c = NativeProcess.start(executable, opened)) {
        assertThat(c.loaded()).startsWith("50 60000 LMDB");
        for (String mode : new String[] {"touch", "copy"}) {
          Timing timing = c.run(mode, 0.005);
          assertThat(timing.items() % 50).isZero();
          assertThat(timing.cpuSeconds()).isGreaterThanOrEqualTo(0.005);
        }
        assertThatIOException().isThrownBy(() -> c.run("write", 1)).withMessageContaining("write");
      }
    }
    assertThatIOException()
        .isThrownBy(() -> NativeProcess.start(executable, directory.resolve("absent")));
  }
}
