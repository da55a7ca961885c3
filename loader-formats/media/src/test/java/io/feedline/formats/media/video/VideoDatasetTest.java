package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.feedline.DataLoader;
import io.feedline.DataLoaderBuilder;
import io.feedline.batch.Batch;
import io.feedline.data.Dataset;
import io.feedline.data.DatasetContract;
import io.feedline.formats.image.transform.ColorJitter;
import io.feedline.formats.image.transform.RandomHorizontalFlip;
import io.feedline.formats.image.transform.RandomResizedCrop;
import io.feedline.formats.media.video.Clip.EachFrame;
import io.feedline.formats.media.video.VideoDataset.LabeledClip;
import io.feedline.transform.RandomTransform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VideoDatasetTest extends DatasetContract<LabeledClip> {

  private static final RandomTransform<VideoFile, Clip> TRAIN =
      ClipSampler.atRandomIndices(4)
          .withNumIndicesBetweenFrames(3)
          .andThen(
              EachFrame.of(
                  RandomResizedCrop.of(24)
                      .andThen(RandomHorizontalFlip.of())
                      .andThen(ColorJitter.of(0.4, 0, 0, 0))));

  @TempDir private Path directory;
  private Path root;

  @BeforeEach
  void makeFolder() throws IOException {
    root = directory.resolve("videos");
    for (String name : List.of("bframes.mp4", "opengop.mp4", "late.ts", "offset.mkv")) {
      VideoFixtures.copy(name, root.resolve("h264"));
    }
    for (String name : List.of("vp9.webm", "xvid.avi", "mpeg2.mpg")) {
      VideoFixtures.copy(name, root.resolve("other"));
    }
    Files.writeString(root.resolve("h264").resolve("notes.txt"), "no video");
  }

  @Override
  protected Dataset<LabeledClip> dataset() throws IOException {
    if (root == null) {
      makeFolder();
    }
    return VideoDataset.ofFolder(root).clips(ClipSampler.atRegularIndices(2));
  }

  @Test
  void shouldListFoldersOfClasses() throws Exception {
    try (VideoDataset videos = VideoDataset.ofFolder(root)) {
      assertThat(videos.size()).isEqualTo(7);
      assertThat(videos.classes()).containsExactly("h264", "other");
      assertThat(videos.get(0).label()).isZero();
      assertThat(videos.get(6).label()).isEqualTo(1);
      assertThat(videos.get(0).video().description()).endsWith("bframes.mp4");
    }
  }

  @Test
  void shouldReadListsAndCsvFiles() throws Exception {
    Path csv =
        Files.writeString(
            root.resolve("train.csv"),
            "file,kind\nh264/late.ts,transport\nother/xvid.avi,avi\nh264/late.ts,transport\n");
    try (VideoDataset videos = VideoDataset.ofCsv(csv, "file", "kind")) {
      assertThat(videos.size()).isEqualTo(3);
      assertThat(videos.classes()).containsExactly("avi", "transport");
      assertThat(videos.get(2).video().frames()).isEqualTo(50);
    }
    try (VideoDataset videos =
        VideoDataset.ofFiles(List.of(root.resolve("h264").resolve("late.ts")))) {
      assertThat(videos.get(0).label()).isEqualTo(-1);
    }
  }

  private DataLoaderBuilder<LabeledClip> loader(VideoDataset videos, int workers) {
    return DataLoader.builder(videos.clips(TRAIN).repeat(3))
        .batchSize(3)
        .shuffle(true)
        .seed(5)
        .numWorkers(workers);
  }

  private static long checksum(Batch batch) {
    CRC32 crc = new CRC32();
    ByteBuffer clip = batch.tensor("clip").bytes();
    crc.update(clip);
    for (long label : batch.tensor("label").toLongArray()) {
      crc.update((int) label);
    }
    return crc.getValue();
  }

  private List<Long> epoch(int workers) throws Exception {
    List<Long> sums = new ArrayList<>();
    try (VideoDataset videos = VideoDataset.ofFolder(root);
        DataLoader<LabeledClip> loader = loader(videos, workers).build()) {
      for (Batch batch : loader) {
        try (batch) {
          assertThat(batch.tensor("clip").shape().lengths()).endsWith(4, 3, 24, 24);
          sums.add(checksum(batch));
        }
      }
    }
    return sums;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 8})
  void shouldGiveEqualBatchesForAnyWorkers(int workers) throws Exception {
    assertThat(epoch(workers)).hasSize(7).isEqualTo(epoch(0));
  }

  /** The same frame four times, so that each difference would be one of the draw. */
  @Test
  void shouldDrawOnceForAllFrames() throws Exception {
    try (VideoFile video = VideoFile.open(root.resolve("h264").resolve("bframes.mp4"))) {
      RandomTransform<Clip, Clip> each =
          EachFrame.of(
              RandomResizedCrop.of(20)
                  .andThen(RandomHorizontalFlip.of())
                  .andThen(ColorJitter.of(0.4, 0, 0, 0.2)));
      for (int seed = 0; seed < 10; seed++) {
        Clip clip = each.apply(video.framesAt(7, 8, 7), new Random(seed));
        List<Long> sums = VideoFixtures.checksums(clip);
        assertThat(sums.get(0)).isEqualTo(sums.get(2)).isNotEqualTo(sums.get(1));
        // A frame that is decoded by itself has the same crop as among others.
        Clip alone = each.apply(video.framesAt(8), new Random(seed));
        assertThat(VideoFixtures.checksums(alone)).containsExactly(sums.get(1));
      }
    }
  }

  @Test
  void shouldRefuseToDecodeAfterItWasClosed() throws Exception {
    VideoDataset videos = VideoDataset.ofFolder(root);
    Clip clip = videos.get(0).video().framesAt(0);
    videos.close();
    videos.close();
    assertThatThrownBy(() -> VideoFixtures.write(clip))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("bframes.mp4")
        .hasMessageContaining("after it was closed");
  }
}
