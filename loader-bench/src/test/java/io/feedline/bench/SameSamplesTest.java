package io.feedline.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageStoreWriter;
import io.feedline.formats.store.Packing;
import io.feedline.formats.store.StoreFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SameSamplesTest {

  @TempDir private Path directory;
  private Path folder;

  @BeforeEach
  void make() {
    folder = directory.resolve("pictures");
    Run run = make(folder);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private static Run make(Path folder) {
    return Run.of(
        new MakePictures().commandLine(),
        folder.toString(),
        "--pictures=12",
        "--classes=3",
        "--size=16");
  }

  private static Run compare(Path one, Path other) {
    return Run.of(new SameSamples().commandLine(), one.toString(), other.toString());
  }

  private Path packed(LongStream order) throws IOException {
    Path target = directory.resolve("packed");
    try (ImageDataset images = ImageDataset.open(folder);
        ImageStoreWriter writer =
            StoreFormat.named("webdataset").create(target, Packing.of(images.classes(), 12))) {
      for (long index : order.toArray()) {
        writer.write(images.encoded(index));
      }
      writer.commit();
    }
    return target;
  }

  @Test
  void shouldMakeDifferentPicturesAndTheSameOnesEachTime() throws IOException {
    Set<String> contents = new HashSet<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        contents.add(
            new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(contents).hasSize(12);

    Path again = directory.resolve("again");
    assertThat(make(again).exitCode()).isZero();
    assertThat(compare(folder, again).out())
        .containsExactly("12 samples are the same, in the same order");
    make(again).requireRefused("there is something already: " + again);
  }

  @Test
  void shouldFindSamplesInAnotherFormatAndOrder() throws IOException {
    Run run = compare(folder, packed(IntStream.range(0, 12).mapToLong(i -> 11 - i)));

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).containsExactly("12 samples are the same, in another order");
  }

  @Test
  void shouldTellWhatDiffers() throws IOException {
    Path packed = packed(LongStream.range(0, 12));
    Files.write(folder.resolve("class-001/0000004.jpg"), new byte[] {1});
    Files.move(folder.resolve("class-001/0000007.jpg"), folder.resolve("class-002/0000007.jpg"));

    Run run = compare(folder, packed);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out().get(0)).endsWith("has 12, and 10 are the same");
    assertThat(run.out().subList(1, 5))
        .anyMatch(line -> line.contains("only in " + folder + ": class-001/0000004, class-001, "))
        .anyMatch(line -> line.contains("only in " + folder + ": class-002/0000007, class-002, "))
        .anyMatch(line -> line.contains("only in " + packed + ": class-001/0000004, class-001, "))
        .anyMatch(line -> line.contains("only in " + packed + ": class-001/0000007, class-001, "));
  }
}
