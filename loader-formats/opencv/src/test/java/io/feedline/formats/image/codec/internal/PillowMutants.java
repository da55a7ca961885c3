package io.feedline.formats.image.codec.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.formats.image.Fixtures;
import io.feedline.formats.image.codec.DecodeOptions;
import io.feedline.formats.image.pixel.Region;
import io.feedline.formats.jpeg.index.internal.ScanIndexStore;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Damaged images, and what Pillow makes of each, as pillow_mutants.py wrote them. Does a large
 * comparison by hand:
 *
 * <pre>
 * java -cp ... io.feedline.formats.image.codec.internal.PillowMutants cases.gz [folder for what differs]
 * </pre>
 */
final class PillowMutants {

  /** The limit that Pillow's side was made with. */
  static final DecodeOptions OPTIONS = DecodeOptions.DEFAULT.withMaxPixels(1 << 20);

  private PillowMutants() {}

  /** The results of two decoders for one image. */
  enum Outcome {
    BOTH_REFUSE,
    EQUAL,
    /** We refuse what Pillow shows: stricter. */
    ONLY_PILLOW,
    /** We show what Pillow refuses, but the pixels are those of before the damage. */
    ONLY_WE_WHOLE,
    /**
     * We show what Pillow refuses, and it is not what it was: a fault, unless it can be said why.
     */
    ONLY_WE,
    /** Both show something, and not the same: a fault. */
    DIFFERENT
  }

  /**
   * One damaged image.
   *
   * @param name its kind, the number of the image that was damaged, and how
   * @param data the image
   * @param width what Pillow decodes it to, 0 where it refuses
   * @param crc of those pixels
   * @param crcBefore of the pixels before the damage
   */
  record Case(String name, byte[] data, int width, int height, String crc, String crcBefore) {
    /** Returns how our result compares with Pillow's. */
    Outcome outcome(DecodeOptions.Backend backend) {
      Optional<String> ours = ours(backend);
      if (ours.isEmpty()) {
        return width == 0 ? Outcome.BOTH_REFUSE : Outcome.ONLY_PILLOW;
      } else if (width > 0) {
        return ours.get().equals(pillow()) ? Outcome.EQUAL : Outcome.DIFFERENT;
      }
      return ours.get().endsWith(" " + crcBefore) ? Outcome.ONLY_WE_WHOLE : Outcome.ONLY_WE;
    }

    /** The size and the checksum of what Pillow decodes. */
    String pillow() {
      return "%d x %d %s".formatted(width, height, crc);
    }

    /** The size and the checksum of what we decode; empty if we refuse it. */
    Optional<String> ours(DecodeOptions.Backend backend) {
      try {
        DecodeOptions options =
            OPTIONS.withBackend(backend).withExifRotation(name.startsWith("exif"));
        EncodedSource image = EncodedSource.of(data, options, ScanIndexStore.Place.NOWHERE);
        Region whole = new Region(0, 0, image.width(), image.height());
        byte[] rgb = Fixtures.decode(image, whole);
        return Optional.of(
            "%d x %d %s".formatted(image.width(), image.height(), Fixtures.crc(rgb)));
      } catch (IOException refused) {
        return Optional.empty();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> read(InputStream zipped) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(new GZIPInputStream(zipped)))) {
      while (true) {
        cases.add(
            new Case(
                new String(in.readNBytes(in.readInt()), UTF_8),
                in.readNBytes(in.readInt()),
                in.readInt(),
                in.readInt(),
                "%08x".formatted(in.readInt()),
                "%08x".formatted(in.readInt())));
      }
    } catch (EOFException end) {
      return cases;
    }
  }

  public static void main(String[] arguments) throws IOException {
    Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
    Map<Outcome, List<String>> examples = new EnumMap<>(Outcome.class);
    try (InputStream in = Files.newInputStream(Path.of(arguments[0]))) {
      for (Case each : read(in)) {
        Outcome outcome = each.outcome(DecodeOptions.Backend.AUTO);
        counts.merge(outcome, 1, Integer::sum);
        if (outcome != Outcome.EQUAL && outcome != Outcome.BOTH_REFUSE) {
          examples.computeIfAbsent(outcome, o -> new ArrayList<>()).add(each.name());
          if (arguments.length > 1) {
            Files.write(Path.of(arguments[1], outcome + "-" + each.name()), each.data());
          }
        }
      }
    }
    System.out.println(counts);
    examples.forEach(
        (outcome, names) ->
            System.out.println(outcome + " " + names.subList(0, Math.min(12, names.size()))));
  }
}
