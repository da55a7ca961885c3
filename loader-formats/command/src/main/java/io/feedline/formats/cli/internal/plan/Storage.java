package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.ByteSize;
import io.feedline.formats.cli.internal.command.TimeSpan;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The capacity of a storage, which all its readers share.
 *
 * @param name the name of the kind of storage
 * @param latencySeconds the time of one read of an example, from the request to the last byte,
 *     while the storage serves few other reads
 * @param readsPerSecond the largest number of reads a second, with any number of reads in flight
 * @param bytesPerSecond the largest number of bytes a second
 * @param source the source of the figures
 */
record Storage(
    String name,
    double latencySeconds,
    double readsPerSecond,
    double bytesPerSecond,
    String source) {

  /**
   * Typical storages, with round and cautious figures. Bandwidths are in powers of 1000, as
   * manufacturers state them. The object store serves 5500 GETs a second, as Amazon states for each
   * prefix of S3.
   */
  static final List<Storage> TYPICAL =
      List.of(
          new Storage("nvme", 100e-6, 500_000, 3e9, "typical of drives on PCIe 3"),
          new Storage("sata-ssd", 150e-6, 90_000, 550e6, "typical; SATA carries 600 MB/s at most"),
          new Storage("disk", 12.5e-3, 80, 150e6, "half a turn at 7200 rpm, and a typical seek"),
          new Storage("nfs", 1e-3, 20_000, 1.1e9, "typical of a server over 10 Gbit/s; measure it"),
          new Storage("object-store", 30e-3, 5500, 1.1e9, "a prefix of S3, over 10 Gbit/s"));

  static String names() {
    return TYPICAL.stream().map(Storage::name).collect(Collectors.joining(", "));
  }

  /**
   * A converter of a typical storage's name, in upper or lower case, or of a latency, reads a
   * second and a bandwidth.
   */
  static final class Converter implements ITypeConverter<Storage> {

    private static final double MOST_READS = 1e12;

    @Override
    public Storage convert(String text) {
      String[] figures = text.split(",", -1);
      return figures.length == 3 ? given(text, figures) : typical(text);
    }

    private static Storage typical(String text) {
      return TYPICAL.stream()
          .filter(kind -> kind.name.equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'%s' is none of %s, nor LATENCY,READS/s,BYTES/s such as 30ms,5500,1GB/s"
                          .formatted(text, names())));
    }

    private static Storage given(String text, String[] figures) {
      double reads = figures[1].matches("\\d+(\\.\\d+)?") ? Double.parseDouble(figures[1]) : 0;
      if (reads <= 0 || reads > MOST_READS) {
        throw new TypeConversionException(
            "'%s': reads a second must be above 0, and 1e12 at most, was %s"
                .formatted(text, figures[1]));
      }
      double latency = new TimeSpan().convert(figures[0]).toNanos() / 1e9;
      long bytes = new ByteSize().convert(figures[2].replaceFirst("/s$", ""));
      return new Storage("the storage", latency, reads, bytes, "as given");
    }
  }

  /**
   * Returns the same storage with a higher latency: adds the time to transfer {@code bytes} at the
   * full bandwidth.
   */
  Storage readingPiecesOf(long bytes) {
    return new Storage(
        name, latencySeconds + bytes / bytesPerSecond, readsPerSecond, bytesPerSecond, source);
  }
}
