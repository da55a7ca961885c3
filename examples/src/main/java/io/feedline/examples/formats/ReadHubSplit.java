package io.feedline.examples.formats;

import io.feedline.formats.hub.HubSplits;
import io.feedline.formats.table.TableDataset;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Reads a split of a dataset of the Hugging Face hub: {@code ReadHubSplit REPOSITORY CONFIGURATION
 * SPLIT}, where the repository is {@code hf://datasets/OWNER/NAME}.
 */
public final class ReadHubSplit {
  private ReadHubSplit() {}

  /** Prints the configurations, the splits of the given configuration, and the split's rows. */
  public static void main(String[] args) throws Exception {
    Path repository = Path.of(URI.create(args[0]));
    String configuration = args[1];
    String split = args[2];
    HubSplits splits = HubSplits.of(repository);
    System.out.println("configurations: " + splits.configurations());
    System.out.println("splits of " + configuration + ": " + splits.splits(configuration));
    System.out.println(split + ": " + rows(splits.files(configuration, split)) + " rows");
  }

  /** Returns the number of rows of Parquet, CSV or Arrow files. */
  private static long rows(List<Path> files) throws IOException {
    try (TableDataset<Map<String, Object>> table = TableDataset.builder(files).build()) {
      return table.size();
    }
  }
}
