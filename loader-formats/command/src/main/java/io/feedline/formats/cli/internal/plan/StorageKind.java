package io.feedline.formats.cli.internal.plan;

import io.feedline.formats.cli.internal.command.Output;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The kinds of storage that have figures of their own, and the one place where these figures are.
 *
 * <p>They are round and on the careful side, to plan with until the storage at hand is measured.
 * Bandwidths are in powers of 1000, as makers state them. "Typical" means that the figure is not a
 * measurement of one device.
 */
enum StorageKind {

  /** A drive of this machine; random reads of some KiB, many at once. */
  NVME(Duration.ofNanos(100_000), 500_000, 3e9, "typical of drives on PCIe 3"),

  /** SATA carries 600 MB/s at most. */
  SATA_SSD(Duration.ofNanos(150_000), 90_000, 550e6, "typical; SATA carries 600 MB/s at most"),

  /** One read at a time: half a turn at 7200 rpm takes 4.2 ms, a seek about 8.3 ms. */
  DISK(
      Duration.ofNanos(12_500_000),
      80,
      150e6,
      "half a turn at 7200 rpm, a typical seek, and a typical bandwidth"),

  /** To open, read and close a small file takes several round trips. */
  NFS(
      Duration.ofMillis(1),
      20_000,
      1.1e9,
      "typical of one server over 10 Gbit/s; differs widely, so measure"),

  /** Amazon states 5500 GETs a second for each prefix of S3 (Optimizing Amazon S3 performance). */
  OBJECT_STORE(
      Duration.ofMillis(30),
      5500,
      1.1e9,
      "latency typical, with tails of 100 to 1000 ms; reads/s as Amazon states for a prefix of S3;"
          + " bandwidth of 10 Gbit/s");

  private final Duration latency;
  private final double readsPerSecond;
  private final double bytesPerSecond;
  private final String source;

  StorageKind(Duration latency, double readsPerSecond, double bytesPerSecond, String source) {
    this.latency = latency;
    this.readsPerSecond = readsPerSecond;
    this.bytesPerSecond = bytesPerSecond;
    this.source = source;
  }

  /** A storage of this kind, with the figures that are typical of it. */
  Storage typical() {
    return new Storage(toString(), latency, readsPerSecond, bytesPerSecond, source);
  }

  /** The names of all kinds, with commas. */
  static String names() {
    return Arrays.stream(values()).map(StorageKind::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return Output.name(this);
  }

  /** Reads a kind from the command line, where picocli would offer the constants' names as well. */
  static final class Converter implements ITypeConverter<StorageKind> {
    @Override
    public StorageKind convert(String text) {
      return Arrays.stream(values())
          .filter(kind -> kind.toString().equalsIgnoreCase(text))
          .findFirst()
          .orElseThrow(
              () -> new TypeConversionException("'%s' is none of %s".formatted(text, names())));
    }
  }
}
