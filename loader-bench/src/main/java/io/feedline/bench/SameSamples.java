package io.feedline.bench;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.EncodedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Tests whether two stores, of any formats, have the same samples: compares key, class and bytes of
 * each sample. The order may differ; this is then reported.
 *
 * <pre>
 * java -cp loader-bench/target/benchmarks.jar io.feedline.bench.SameSamples STORE STORE
 * </pre>
 */
@Command(
    name = "SameSamples",
    usageHelpWidth = 100,
    header = "Compares the samples of two stores by key, class and SHA-256 of the bytes.")
public final class SameSamples extends BenchCommand {

  @Parameters(index = "0", paramLabel = "STORE", description = "A store of any format.")
  private Path first;

  @Parameters(index = "1", paramLabel = "STORE", description = "Another one.")
  private Path second;

  /** Compares two stores; exits with 1 if samples differ. */
  public static void main(String[] args) {
    System.exit(new SameSamples().commandLine().execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> ones = samples(first);
    Map<String, String> others = samples(second);
    long shared =
        ones.entrySet().stream()
            .filter(each -> each.getValue().equals(others.get(each.getKey())))
            .count();
    if (shared == ones.size() && shared == others.size()) {
      print(
          "%d samples are the same, %s"
              .formatted(
                  shared, sameOrder(ones, others) ? "in the same order" : "in another order"));
      return 0;
    }
    print(
        "%s has %d samples, %s has %d, and %d are the same"
            .formatted(first, ones.size(), second, others.size(), shared));
    tell(first, ones, others);
    tell(second, others, ones);
    return 1;
  }

  private void tell(Path store, Map<String, String> ones, Map<String, String> others) {
    ones.entrySet().stream()
        .filter(each -> !each.getValue().equals(others.get(each.getKey())))
        .limit(5)
        .forEach(
            each -> print("only in %s: %s, %s".formatted(store, each.getKey(), each.getValue())));
  }

  private static boolean sameOrder(Map<String, String> ones, Map<String, String> others) {
    Iterator<String> other = others.keySet().iterator();
    return ones.keySet().stream().allMatch(key -> key.equals(other.next()));
  }

  /** Returns the class and hash of each sample by its key, in the store's order. */
  private static Map<String, String> samples(Path store) throws IOException {
    Map<String, String> samples = new LinkedHashMap<>();
    try (ImageDataset images = ImageDataset.open(store)) {
      for (long i = 0; i < images.size(); i++) {
        EncodedImage image = images.encoded(i);
        String label =
            image.label() < images.classes().size() && image.label() >= 0
                ? images.classes().get(image.label())
                : "label " + image.label();
        if (samples.put(image.key(), label + ", SHA-256 " + sha256(image.bytes())) != null) {
          throw new IOException(
              "%s has two samples with the key %s, the second one at %s"
                  .formatted(store, image.key(), images.describe(i)));
        }
      }
    }
    return samples;
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
