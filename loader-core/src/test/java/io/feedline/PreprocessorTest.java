package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.batch.Batch;
import io.feedline.batch.DType;
import io.feedline.batch.Shape;
import io.feedline.batch.Tensor;
import io.feedline.data.Dataset;
import io.feedline.data.FormatException;
import io.feedline.transform.RandomTransform;
import io.feedline.transform.Transform;
import io.feedline.transform.Transforms;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PreprocessorTest {

  @SuppressWarnings("ArrayRecordComponent") // as users write them
  record Reading(float[] values, String sensor) {}

  /** A table's row: its number is the length of its text. */
  private static final Transform<String, float[]> ROW =
      text -> new float[] {text.length(), text.hashCode(), 1};

  private static final List<String> INPUTS = List.of("a", "bcd", "ef", "");

  @Test
  void shouldGiveTheRowsOfALoadersBatch() throws Exception {
    Preprocessor<String> preprocessor = Preprocessor.of(ROW);
    try (DataLoader<float[]> loader =
            DataLoader.builder(Dataset.of(INPUTS.size(), i -> INPUTS.get((int) i)).map(ROW))
                .batchSize(INPUTS.size())
                .build();
        Batch expected = loader.iterator().next();
        Batch batch = preprocessor.batch(INPUTS)) {
      Tensor rows = expected.tensor(0);
      assertThat(batch.tensors().keySet()).isEqualTo(expected.tensors().keySet());
      assertThat(batch.tensor(0)).hasToString("FLOAT32 (4, 3)");
      assertThat(batch.tensor(0).toFloatArray()).isEqualTo(rows.toFloatArray());
      assertThat(batch.indices()).containsExactly(0, 1, 2, 3);

      Tensor given = Tensor.of(DType.FLOAT32, rows.shape(), ByteBuffer.allocateDirect(4 * 12));
      preprocessor.writeBatch(INPUTS, given);
      assertThat(given.toFloatArray()).isEqualTo(rows.toFloatArray());
      for (int row = 0; row < INPUTS.size(); row++) {
        assertThat(preprocessor.row(INPUTS.get(row)).toFloatArray())
            .isEqualTo(rows.select(row).toFloatArray());
        preprocessor.writeRow(INPUTS.get(row), given.select(3 - row));
      }
      assertThat(given.select(0).toFloatArray()).isEqualTo(rows.select(3).toFloatArray());
    }
  }

  @Test
  void shouldTakeSamplesOfSeveralEntries() throws Exception {
    Preprocessor<String> preprocessor =
        Preprocessor.of(text -> new Reading(ROW.apply(text), "sensor " + text));

    try (Batch batch = preprocessor.batch(List.of("a", "b"))) {
      assertThat(batch.tensor("values").shape()).isEqualTo(Shape.of(2, 3));
      assertThat(batch.values("sensor")).isEqualTo(List.of("sensor a", "sensor b"));
    }
    Refusals.assertRefused(() -> preprocessor.row("a"), "[values, sensor]", "batch(...)");
    Refusals.assertRefused(
        () -> preprocessor.writeRow("a", Tensor.zeros(DType.FLOAT32, Shape.of(3))),
        "'values' FLOAT32 (3)");
  }

  @Test
  void shouldUseTheMemoryOfAClosedBatchAgain() throws Exception {
    Preprocessor<String> preprocessor = Preprocessor.of(ROW);
    Batch first = preprocessor.batch(INPUTS);
    Batch second = preprocessor.batch(INPUTS);
    Tensor kept = first.tensor(0);
    ByteBuffer memory = kept.bytes().putFloat(0, 77);
    assertThat(second.tensor(0).bytes().getFloat(0)).isEqualTo(1);
    second.close();
    first.close();
    first.close();

    try (Batch third = preprocessor.batch(List.of("abc"));
        Batch fourth = preprocessor.batch(List.of("abcd"))) {
      assertThat(memory.getFloat(0)).isEqualTo(3);
      assertThat(third.tensor(0).get(0, 0)).isEqualTo(3f);
      assertThat(fourth.tensor(0).get(0, 0)).isEqualTo(4f);
    }
    assertThatIllegalStateException().isThrownBy(kept::bytes);
  }

  @Test
  void shouldRefuseARandomPipelineAndSayWhatToServeWith() {
    RandomTransform<float[], float[]> noise =
        (values, random) -> new float[] {values[0] + random.nextFloat()};

    Refusals.assertRefused(
        () -> Preprocessor.of(ROW.andThen(noise)),
        "draws random numbers",
        "pipeline of the validation");
    RandomTransform<String, float[]> pure = ROW;
    assertThat(Preprocessor.of(pure).transform()).isSameAs(ROW);
  }

  @Test
  void shouldNameTheInputThatFails() {
    Preprocessor<String> preprocessor =
        Preprocessor.of(
            text -> {
              switch (text) {
                case "damaged" -> throw new FormatException("no end");
                case "gone" -> throw new IOException("not there");
                case "long" -> {
                  return new float[4];
                }
                case "checked" -> throw new InterruptedException("stopped");
                default -> {
                  return new float[3];
                }
              }
            });

    assertThatThrownBy(() -> preprocessor.batch(List.of("a", "damaged")))
        .isInstanceOf(FormatException.class)
        .hasMessage("input 1: no end");
    assertThatThrownBy(() -> preprocessor.batch(List.of("damaged")))
        .isInstanceOf(FormatException.class)
        .hasMessage("no end");
    assertThatThrownBy(() -> preprocessor.row("gone")).hasMessage("not there");
    Refusals.assertRefused(
        () -> preprocessor.batch(List.of("a", "long")), "input 1", "(4)", "(3), which input 0 has");
    assertThatIllegalStateException().isThrownBy(() -> preprocessor.row("checked"));
    assertThat(Thread.interrupted()).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> preprocessor.batch(List.of()));
  }

  @Test
  void shouldRefuseMemoryOfAnotherShape() {
    Preprocessor<String> preprocessor = Preprocessor.of(ROW);

    Refusals.assertRefused(
        () -> preprocessor.writeRow("a", Tensor.zeros(DType.FLOAT32, Shape.of(4))),
        "FLOAT32 (3)",
        "FLOAT32 (4)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> preprocessor.writeRow("a", Tensor.zeros(DType.FLOAT64, Shape.of(3))));
    Refusals.assertRefused(
        () -> preprocessor.writeBatch(INPUTS, Tensor.zeros(DType.FLOAT32, Shape.of(5, 3))),
        "4 inputs");
  }

  @Test
  void shouldServeManyThreadsAtOnce() {
    Preprocessor<String> preprocessor = Preprocessor.of(ROW);

    IntStream.range(0, 2000)
        .parallel()
        .forEach(
            i -> {
              String input = "x".repeat(i % 50);
              try (Batch batch = preprocessor.batch(List.of(input, "", input))) {
                assertThat(batch.tensor(0).select(2).toFloatArray()).isEqualTo(ROW.apply(input));
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
  }

  @Test
  void shouldCarryTheNamesOfClasses() {
    Preprocessor<String> preprocessor = Preprocessor.of(ROW);

    assertThat(preprocessor.classes()).isEmpty();
    assertThat(preprocessor.withClasses(List.of("cat", "dog")).classes())
        .containsExactly("cat", "dog");
    assertThat(preprocessor.withClasses(List.of("cat")).toString()).endsWith("classes=1)");
  }

  /** A transform that a text can name. */
  record Scaled(float factor) implements Transform<float[], float[]> {
    @Override
    public float[] apply(float[] values) {
      return new float[] {factor * values[0]};
    }
  }

  /** A transform that a text can name, and a service refuses. */
  record Noise(float deviation) implements RandomTransform<float[], float[]> {
    @Override
    public float[] apply(float[] values, RandomGenerator random) {
      return new float[] {(float) random.nextGaussian(values[0], deviation)};
    }
  }

  @Test
  void shouldReadWhatItHasWrittenBesideAModel(@TempDir Path folder) throws Exception {
    Transform<float[], float[]> twice = new Scaled(2).andThen(new Scaled(3));
    Preprocessor<float[]> written =
        Preprocessor.<float[]>of(twice).withClasses(List.of("\u00e4", "b"));

    assertThat(written.save(folder)).isEqualTo(folder.resolve("pipeline.json"));
    Preprocessor<float[]> read = Preprocessor.load(folder, Scaled.class);

    assertThat(read.row(new float[] {5}).toFloatArray()).containsExactly(30);
    assertThat(read.classes()).containsExactly("\u00e4", "b");
    assertThat(read.transform()).isEqualTo(twice);
    Path other = read.withClasses(List.of()).save(folder.resolve("other.json"));
    assertThat(Preprocessor.load(other, Scaled.class).classes()).isEmpty();
    written.save(other);
    assertThat(Files.readString(other))
        .isEqualTo(Files.readString(folder.resolve("pipeline.json")));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).hasSize(2);
    }
  }

  @Test
  void shouldRefuseToWriteALambda(@TempDir Path folder) {
    Refusals.assertRefused(() -> Preprocessor.of(ROW).save(folder), "lambda");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                               | no JSON object",
        "{'classes':[]}                                   | pipeline",
        "{'pipeline':{'version':1,'transform':[]}}        | transform",
        "{'classes':[1],'pipeline':{'version':1,'transform':[{'S':{'factor':2}}]}} | classes",
        "{'classes':[],'pipeline':{'version':1,'transform':[{'Blur':{}}]}} | Blur",
        "{'classes':[],'pipeline':{'version':2,'transform':[{'S':{'factor':2}}]}} | version 2",
        "{'classes':[],'shape':3,'pipeline':{'version':1,'transform':[{'S':{'factor':2}}]}} | shape",
      })
  void shouldNameWhatIsWrongInAFile(String text, String word, @TempDir Path folder)
      throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("pipeline.json"),
            text.replace('\'', '"').replace("\"S\"", '"' + Scaled.class.getName() + '"'));

    assertThatThrownBy(() -> Preprocessor.load(folder, Scaled.class))
        .isInstanceOf(FormatException.class)
        .hasMessageStartingWith(file.toString())
        .hasMessageContaining(word);
  }

  @Test
  void shouldSayWhatIsMissing(@TempDir Path folder) {
    Refusals.assertThrown(
        FileNotFoundException.class,
        () -> Preprocessor.load(folder.resolve("modle")),
        "modle",
        "nearest directory that exists is " + folder,
        "Preprocessor.save");
  }

  @Test
  void shouldRefuseAFileThatDrawsRandomNumbers(@TempDir Path folder) throws Exception {
    Files.writeString(
        folder.resolve("pipeline.json"),
        "{\"classes\":[],\"pipeline\":%s}".formatted(Transforms.toJson(new Noise(1))));

    Refusals.assertRefused(
        () -> Preprocessor.load(folder, Noise.class), "pipeline of the validation");
  }
}
