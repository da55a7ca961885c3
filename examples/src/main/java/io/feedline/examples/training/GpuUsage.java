package io.feedline.examples.training;

import ai.djl.Device;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The utilization of the GPU that trains, epoch by epoch, as {@code nvidia-smi} measures it twice a
 * second. If the machine does not report it, one message is printed, and training continues.
 *
 * <p>{@code nvidia-smi} numbers GPUs by their place on the bus; {@code
 * CUDA_DEVICE_ORDER=PCI_BUS_ID} makes CUDA do the same. Thread-safe.
 */
final class GpuUsage implements AutoCloseable {

  private static final String[] COMMAND = {
    "nvidia-smi",
    "--query-gpu=utilization.gpu,memory.used,memory.total",
    "--format=csv,noheader,nounits",
    "--loop-ms=500",
    "--id="
  };

  private final Consumer<String> say;
  private final @Nullable Process process;
  private boolean watching;
  private double sum;
  private int count;
  private double usedMebibytes;
  private double totalMebibytes;

  private GpuUsage(@Nullable Process process, boolean watching, Consumer<String> say) {
    this.process = process;
    this.watching = watching;
    this.say = say;
  }

  /** Creates a usage that only {@link #read} fills, for tests. */
  GpuUsage(Consumer<String> say) {
    this(null, true, say);
  }

  /**
   * Begins to watch a device; a CPU is not watched.
   *
   * @param say receives a line with the reason if the device cannot be watched
   */
  static GpuUsage of(Device device, Consumer<String> say) {
    if (!device.isGpu()) {
      return new GpuUsage(null, false, say);
    }
    String[] command = COMMAND.clone();
    command[command.length - 1] += device.getDeviceId();
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      GpuUsage usage = new GpuUsage(process, true, say);
      Thread reader = new Thread(() -> usage.read(process.inputReader()), "gpu-usage");
      reader.setDaemon(true);
      reader.start();
      return usage;
    } catch (IOException e) {
      say.accept("GPU utilisation is not shown: " + e.getMessage());
      return new GpuUsage(null, false, say);
    }
  }

  /** Reads lines such as {@code 98, 11768, 81920}, until the end. */
  void read(BufferedReader lines) {
    try (lines) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        add(line);
      }
    } catch (IOException | UncheckedIOException e) {
      lose(e.getMessage());
    }
  }

  private synchronized void add(String line) {
    String[] figures = line.strip().split(", *", -1);
    try {
      double percent = Double.parseDouble(figures[0]);
      usedMebibytes = Double.parseDouble(figures[1]);
      totalMebibytes = Double.parseDouble(figures[2]);
      sum += percent;
      count++;
    } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
      lose(line);
    }
  }

  private synchronized void lose(String why) {
    if (watching) {
      watching = false;
      say.accept("GPU utilisation is not shown: " + why);
    }
  }

  /** Returns whether a GPU reports its utilization. */
  synchronized boolean watching() {
    return watching;
  }

  /** Begins an epoch; the time before does not count. */
  synchronized void begin() {
    sum = 0;
    count = 0;
  }

  /**
   * Ends an epoch, and returns its usage, such as {@code GPU 98.2% busy, 12.3 of 85.9 GB in use};
   * empty if no GPU is watched.
   */
  synchronized String end() {
    if (!watching) {
      return "";
    }
    return count == 0
        ? "GPU not measured in so short a time"
        : String.format(
            Locale.ROOT,
            "GPU %.1f%% busy, %.1f of %.1f GB in use",
            sum / count,
            usedMebibytes * (1 << 20) / 1e9,
            totalMebibytes * (1 << 20) / 1e9);
  }

  /** Ends {@code nvidia-smi}. May be called twice. */
  @Override
  public synchronized void close() {
    watching = false;
    if (process != null) {
      process.destroy();
    }
  }
}
