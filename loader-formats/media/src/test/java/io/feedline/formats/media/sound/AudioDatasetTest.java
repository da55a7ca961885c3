package io.feedline.formats.media.sound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.batch.Batch;
import io.feedline.batch.PaddingCollator;
import io.feedline.batch.PaddingCollator.Padding;
import io.feedline.batch.TensorSource;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.data.FormatException;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.sound.AudioDataset.LabeledAudio;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AudioDatasetTest extends DatasetContract<LabeledAudio<Waveform>> {
  private static final RandomTransform<Waveform, AudioFeatures> TRAIN =
      Resample.to(8000)
          .andThen(Mono.of())
          .andThen(RandomTrim.of(2000))
          .andThen(MelSpectrogram.of(Spectrogram.of(256), 24))
          .andThen(TimeMasking.of(5));

  @TempDir Path root;

  @Override
  protected AudioDataset dataset() throws IOException {
    for (String name : AudioFileTest.names()) {
      if (AudioDataset.EXTENSIONS.contains(name.substring(name.indexOf('.')))) {
        Path directory = root.resolve(name.contains("pcm") ? "plain" : "packed");
        Files.createDirectories(directory);
        Files.write(directory.resolve(name), AudioFileTest.resource(name));
      }
    }
    return AudioDataset.ofFolder(root);
  }

  @Test
  void shouldListClassesInOrder() throws IOException {
    try (AudioDataset sounds = dataset()) {
      assertThat(sounds.classes()).containsExactly("packed", "plain");
      assertThat(sounds.path(0)).hasToString(root.resolve("packed/aac.m4a").toString());
      assertThat(sounds.labels()).containsOnly(0, 1).hasSize((int) sounds.size());
      assertThat(sounds.get(0).label()).isZero();
    }
  }

  @Test
  void shouldReadFilesOfATableAndOfAList() throws Exception {
    dataset().close();
    Path csv = root.resolve("all.csv");
    Files.writeString(csv, "file,kind\nplain/pcm8.wav,a\npacked/opus.ogg,b\n");
    try (AudioDataset table = AudioDataset.ofCsv(csv, "file", "kind");
        AudioDataset list = AudioDataset.ofFiles(List.of(root.resolve("packed/opus.ogg")))) {
      assertThat(table.get(1).label()).isEqualTo(1);
      assertThat(table.classes()).containsExactly("a", "b");
      assertThat(list.get(0).audio().toTensor().toFloatArray())
          .isEqualTo(table.get(1).audio().toTensor().toFloatArray());
      assertThat(list.get(0).label()).isEqualTo(-1);
    }
  }

  @Test
  void shouldGiveTheSameBatchesForAnyWorkers() throws Exception {
    List<float[]> expected = epoch(0);
    assertThat(expected).hasSizeGreaterThanOrEqualTo(20);
    for (int workers : new int[] {1, 2, 8}) {
      assertThat(epoch(workers)).usingRecursiveComparison().isEqualTo(expected);
    }
  }

  private List<float[]> epoch(int workers) throws Exception {
    try (AudioDataset sounds = dataset();
        DataLoader<?> loader = loader(sounds, workers)) {
      return batches(loader);
    }
  }

  private static List<float[]> batches(DataLoader<?> loader) {
    List<float[]> batches = new ArrayList<>();
    for (Batch batch : loader) {
      batches.add(values(batch));
    }
    return batches;
  }

  private static DataLoader<?> loader(AudioDataset sounds, int workers) {
    return DataLoader.builder(sounds.withTransform(TRAIN).repeat(4))
        .batchSize(3)
        .shuffle(true)
        .seed(5)
        .numWorkers(workers)
        .build();
  }

  private static float[] values(Batch batch) {
    try (batch) {
      return batch.tensor("audio").toFloatArray();
    }
  }

  @Test
  void shouldPadSoundsOfDifferentLengths() throws Exception {
    try (AudioDataset sounds = dataset()) {
      Dataset<LabeledAudio<Waveform>> mono = sounds.map(s -> s.withAudio(s.audio().mono()));
      PaddingCollator<LabeledAudio<Waveform>> collator =
          PaddingCollator.<LabeledAudio<Waveform>>builder()
              .pad("audio", Padding.zeros().axes(1))
              .build();
      try (DataLoader<?> loader =
          DataLoader.builder(mono).batchSize(4).collator(collator).numWorkers(2).build()) {
        Batch batch = loader.iterator().next();
        long[] lengths = batch.tensor("audio_length").toLongArray();

        assertThat(lengths[0]).isEqualTo(sounds.get(0).audio().samples());
        assertThat(batch.tensor("audio").shape().length(2))
            .isEqualTo(Arrays.stream(lengths).max().getAsLong());
        batch.close();
      }
    }
  }

  @Test
  void shouldNameTheFileThatIsNoSound() throws Exception {
    dataset().close();
    Path broken = root.resolve("plain/zz.wav");
    Files.writeString(broken, "no sound");
    try (AudioDataset sounds = AudioDataset.ofFolder(root).withDamage(DamagePolicy.FAIL)) {
      assertThatThrownBy(() -> sounds.get(sounds.size() - 1))
          .isInstanceOf(FormatException.class)
          .hasMessageStartingWith(broken + ": the file is no video or sound file");
      assertThat(sounds.describe(sounds.size() - 1)).contains("zz.wav");
    }
  }

  @Test
  void shouldRefuseReadingAfterClosing() throws IOException {
    AudioDataset sounds = dataset();
    TensorSource sound = sounds.get(0).audio();
    sounds.close();
    sounds.close();

    assertThatThrownBy(() -> sounds.get(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> Waveform.written(sound))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(root.resolve("packed/aac.m4a") + " is read after it was closed");
  }
}
