package io.feedline.formats.store;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The readers and decoders of {@link StoreFuzzer} as a target of Jazzer, which looks for inputs
 * that reach new code. {@code .ci/fuzz} runs it.
 *
 * <p>An input is a file of one kind of seeds: its number in two bytes, and the content that
 * replaces it. The kind is the system property {@code fuzz.kinds}.
 */
public final class GuidedFuzzer {

  private static final int NUMBER_BYTES = 2;

  private static StoreFuzzer fuzzer;
  private static List<StoreFuzzer.Target> targets;

  private GuidedFuzzer() {}

  /** Makes the seeds; Jazzer calls it once. */
  public static void fuzzerInitialize() throws IOException {
    fuzzer = seeds();
    targets = fuzzer.targets(System.getProperty("fuzz.kinds"));
  }

  private static StoreFuzzer seeds() throws IOException {
    StoreFuzzer seeds =
        new StoreFuzzer(Files.createTempDirectory("fuzz"), null, OutputStream.nullOutputStream());
    seeds.prepare();
    return seeds;
  }

  /**
   * Reads what Jazzer has made.
   *
   * @throws AssertionError if something other than data or a documented refusal comes of it
   */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length < NUMBER_BYTES) {
      return;
    }
    ByteBuffer content = ByteBuffer.wrap(input);
    int number = Short.toUnsignedInt(content.getShort());
    byte[] bytes = new byte[content.remaining()];
    content.get(bytes);
    fuzzer.check(targets.get(number % targets.size()), bytes);
  }

  /**
   * Prints the kinds, or writes the first inputs of a kind into a directory: {@code KIND
   * DIRECTORY}.
   */
  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws IOException {
    StoreFuzzer seeds = seeds();
    if (arguments.length == 0) {
      seeds.kinds().forEach(System.out::println);
      return;
    }
    Path directory = Files.createDirectories(Path.of(arguments[1]));
    int number = 0;
    for (StoreFuzzer.Target target : seeds.targets(arguments[0])) {
      byte[] content = Files.readAllBytes(target.file());
      byte[] input =
          ByteBuffer.allocate(NUMBER_BYTES + content.length)
              .putShort((short) number)
              .put(content)
              .array();
      Files.write(directory.resolve("seed-" + number++), input);
    }
  }
}
