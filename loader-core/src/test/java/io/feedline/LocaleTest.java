package io.feedline;

import static org.assertj.core.api.Assertions.assertThat;

import io.feedline.batch.Batch;
import io.feedline.data.ComposedDatasets;
import io.feedline.data.Dataset;
import io.feedline.data.Quarantine;
import io.feedline.internal.Durations;
import io.feedline.internal.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names, fingerprints, states and files are the same where the locale has digits of its own. */
class LocaleTest {

  private final Locale before = Locale.getDefault();

  @AfterEach
  void restoreTheLocale() {
    Locale.setDefault(before);
  }

  private static void use(String locale) {
    Locale.setDefault(Locale.forLanguageTag(locale));
    assertThat("%d".formatted(12)).isNotEqualTo("12");
  }

  private static List<Dataset<ComposedDatasets.Sample>> datasets() {
    Dataset<ComposedDatasets.Sample> files = ComposedDatasets.files("a", 120);
    return List.of(
        files,
        files.subset(10, 20),
        files.subset(new long[] {3, 1, 4}),
        files.repeat(12),
        files.split(new double[] {0.5, 0.5}, 7).get(1),
        files.filter(sample -> sample.index() % 10 == 3).repeat(3),
        Dataset.concat(List.of(files.subset(10, 20), files.repeat(2))));
  }

  private static List<String> texts(Path quarantine) throws Exception {
    List<String> texts = new ArrayList<>();
    Dataset<Long> torn = Samples.numbers(20, index -> Samples.failIf(index == 12, "torn"));
    try (CapturedLog log = new CapturedLog();
        DataLoader<Long> loader =
            DataLoader.builder(torn).errorPolicy(ErrorPolicy.skip()).numWorkers(0).build()) {
      loader.forEach(Batch::close);
      loader.quarantine().save(quarantine);
      assertThat(log.lines("torn")).hasSize(1);
      texts.addAll(Files.readAllLines(quarantine));
    }
    for (Dataset<ComposedDatasets.Sample> dataset : datasets()) {
      texts.add(dataset.name());
      texts.add(dataset.fingerprint());
      DataLoaderBuilder<ComposedDatasets.Sample> builder =
          Samples.loader(dataset, 2, 0).shuffle(true).seed(1234);
      try (DataLoader<ComposedDatasets.Sample> loader = builder.build()) {
        loader.iterator().next().close();
        texts.add(loader.state().toJson());
        texts.add(loader.options().name());
      }
    }
    texts.add(Durations.words(Duration.ofMillis(1500)));
    texts.add(Json.write(Map.of("control\u0007", 1234567890123L, "real", 12.5)));
    return texts;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "fa", "mr"})
  void shouldWriteTheSameTextsUnderEachLocale(String locale, @TempDir Path directory)
      throws Exception {
    Path quarantine = directory.resolve("quarantine");
    Locale.setDefault(Locale.ROOT);
    List<String> expected = texts(quarantine);
    use(locale);
    assertThat(texts(quarantine)).isEqualTo(expected);
    assertThat(Quarantine.load(quarantine).indices()).containsExactly(12);
  }
}
