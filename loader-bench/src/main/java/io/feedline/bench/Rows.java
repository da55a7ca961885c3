package io.feedline.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.data.IterableDataset;
import io.feedline.formats.table.TableDataset;
import io.feedline.formats.table.Windows;
import io.feedline.formats.text.JsonLines;
import io.feedline.packing.PackingCollator;
import io.feedline.packing.TokenPacking;
import io.feedline.packing.TokenPacking.PackedRow;
import io.feedline.packing.TokenPacking.Strategy;
import io.feedline.packing.TokenSequence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Measures how many rows of a table, windows over its rows, or tokens of JSON lines are loaded per
 * CPU-second of the process: {@code table FILE stream|random EPOCHS}, {@code windows FILE
 * stream|random EPOCHS}, or {@code tokens DIRECTORY EPOCHS}. {@code peers/rows.py} makes the files,
 * and runs this program and Python's loaders in turns:
 *
 * <pre>
 *   python3 loader-bench/peers/rows.py table --dir DIR --class-path loader-bench/target/benchmarks.jar
 * </pre>
 *
 * <p>A table has 20 columns of numbers, x0 to x19, which become one tensor (1024, 20). A window has
 * all columns of 96 rows, and x0 of the next 24 rows. Windows begin 5 rows apart, and a batch has
 * 256 windows. A token is a byte of a text, so that tokenizing costs nothing; a row has 2048
 * tokens. The first epoch is not measured.
 */
public final class Rows {
  private static final int BATCH = 1024;
  private static final int WINDOWS = 256;
  private static final int COLUMNS = 20;
  private static final int ROW_TOKENS = 2048;

  private Rows() {}

  /** A line of a JSON lines file. */
  private record Document(String text) {}

  /** Prints the number of rows or tokens, and the CPU-seconds for them. */
  public static void main(String[] args) throws IOException {
    int epochs = Integer.parseInt(args[args.length - 1]);
    if (args[0].equals("table")) {
      table(Path.of(args[1]), args[2].equals("random"), epochs);
    } else if (args[0].equals("windows")) {
      windows(Path.of(args[1]), args[2].equals("random"), epochs);
    } else {
      tokens(Path.of(args[1]), epochs);
    }
  }

  private static String[] columns() {
    return IntStream.range(0, COLUMNS).mapToObj(i -> "x" + i).toArray(String[]::new);
  }

  private static void windows(Path file, boolean random, int epochs) throws IOException {
    Windows.Builder builder =
        Windows.over(file).past(columns()).target("x0").length(96).horizon(24).stride(5);
    if (random) {
      try (Windows windows = builder.build();
          DataLoader<Map<String, Object>> loader =
              DataLoader.builder(windows).batchSize(WINDOWS).numWorkers(2).shuffle(true).build()) {
        measure(loader, epochs, 1);
      }
    } else {
      try (DataLoader<Map<String, Object>> loader =
          DataLoader.builder(builder.stream()).batchSize(WINDOWS).numWorkers(2).build()) {
        measure(loader, epochs, 1);
      }
    }
  }

  private static void table(Path file, boolean random, int epochs) throws IOException {
    TableDataset.Builder<Map<String, Object>> table =
        TableDataset.builder(file).features(columns());
    if (random) {
      try (TableDataset<Map<String, Object>> rows = table.build();
          DataLoader<Map<String, Object>> loader =
              DataLoader.builder(rows).batchSize(BATCH).numWorkers(2).shuffle(true).build()) {
        measure(loader, epochs, 1);
      }
    } else {
      try (DataLoader<Map<String, Object>> loader =
          DataLoader.builder(table.stream()).batchSize(BATCH).numWorkers(2).build()) {
        measure(loader, epochs, 1);
      }
    }
  }

  private static void tokens(Path directory, int epochs) throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(directory)) {
      files = all.filter(file -> file.toString().endsWith(".jsonl.zst")).sorted().toList();
    }
    IterableDataset<TokenSequence> tokens =
        IterableDataset.lines(files)
            .map(JsonLines.records(Document.class))
            .map("tokenize", document -> TokenSequence.of(bytes(document.text())));
    IterableDataset<PackedRow> rows =
        TokenPacking.builder(ROW_TOKENS).strategy(Strategy.CONCATENATE).build().pack(tokens);
    try (DataLoader<PackedRow> loader =
        DataLoader.builder(rows)
            .batchSize(8)
            .numWorkers(2)
            .collator(PackingCollator.builder().build())
            .build()) {
      measure(loader, epochs, ROW_TOKENS);
    }
  }

  private static int[] bytes(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    int[] tokens = new int[bytes.length];
    for (int i = 0; i < tokens.length; i++) {
      tokens[i] = bytes[i] & 0xFF;
    }
    return tokens;
  }

  private static void measure(DataLoader<?> loader, int epochs, int each) {
    long rows = 0;
    long cpu = 0;
    for (int epoch = 0; epoch <= epochs; epoch++) {
      if (epoch == 1) {
        rows = 0;
        cpu = ProcessMeter.cpuNanos();
      }
      for (Batch batch : loader) {
        try (batch) {
          rows += batch.size();
        }
      }
    }
    System.out.printf(Locale.ROOT, "%d %.3f%n", rows * each, (ProcessMeter.cpuNanos() - cpu) / 1e9);
  }
}
