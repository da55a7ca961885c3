package io.feedline.formats.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.Strength;
import io.feedline.data.FormatException;
import io.feedline.formats.image.dataset.ImageDataset;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Files with broken bytes: whatever they are, there are images or an error that names the file.
 *
 * <p>{@code -Dfuzz.cases=20000} tries more cases than the default, {@code -Dfuzz.seed} other ones.
 */
public final class BrokenTables {

  private static final int CASES = Integer.getInteger("fuzz.cases", Strength.of(400));
  private static final long SEED = Long.getLong("fuzz.seed", 1);

  private final Path file;
  private int refused;
  private int read;

  private BrokenTables(Path file) {
    this.file = file;
  }

  /**
   * Reads a file again and again, each time with some bytes changed.
   *
   * @param file where the changed bytes are written
   * @param sound all of its bytes
   * @param from where the bytes begin that are changed in half of the cases
   * @param to where they end
   * @param first the first byte that is changed in the other half
   */
  public static void read(Path file, byte[] sound, int from, int to, int first) throws IOException {
    BrokenTables tables = new BrokenTables(file);
    for (int i = 0; i < CASES; i++) {
      Random random = new Random(SEED * 1_000_003L + i);
      byte[] broken = sound.clone();
      int begin = i % 2 == 0 ? from : first;
      int end = i % 2 == 0 ? to : broken.length;
      int changes = 1 + random.nextInt(3);
      for (int change = 0; change < changes; change++) {
        int at = begin + random.nextInt(end - begin);
        broken[at] =
            (byte) (random.nextBoolean() ? random.nextInt() : broken[at] ^ 1 << random.nextInt(8));
      }
      Files.write(file, broken);
      try {
        tables.readOrRefuse();
      } catch (RuntimeException | Error escaped) {
        throw new AssertionError("case %d of seed %d".formatted(i, SEED), escaped);
      }
    }
    assertThat(tables.refused).isPositive();
    assertThat(tables.read).isPositive();
  }

  /** Requires that opening a file fails that is cut off before {@code end}. */
  public static void cut(Path file, byte[] sound, int end) throws IOException {
    for (int length = 0; length < end; length += length < 20 ? 1 : 997) {
      Files.write(file, Arrays.copyOf(sound, length));
      assertThatThrownBy(() -> TableImages.of(file))
          .isInstanceOf(FormatException.class)
          .hasMessageContaining(file.toString());
    }
  }

  /** Requires that a file is refused, at the latest when an image is read. */
  public static void refused(Path file, int image, String... words) {
    assertThatThrownBy(
            () -> {
              try (ImageDataset images = TableImages.of(file)) {
                images.encoded(image);
              }
            })
        .isInstanceOf(FormatException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContainingAll(words);
  }

  private void readOrRefuse() {
    try (ImageDataset images = ImageDataset.open(file)) {
      for (long i = 0; i < Math.min(20, images.size()); i++) {
        try {
          assertThat(images.encoded(i).bytes()).isNotNull();
          read++;
        } catch (IOException refusal) {
          note(refusal);
        }
      }
      images.store().checkStructure();
    } catch (IOException refusal) {
      note(refusal);
    }
  }

  private void note(IOException refusal) {
    assertThat(refusal).hasMessageContaining(file.getFileName().toString());
    refused++;
  }
}
