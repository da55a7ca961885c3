package io.feedline.formats.media.video;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import io.feedline.formats.media.internal.MediaBytes;
import io.feedline.internal.ReadMeter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FrameIndexFileTest {

  @TempDir private Path directory;

  private static VideoFile open(Path path) throws IOException {
    return VideoFile.open(path);
  }

  @ParameterizedTest
  @MethodSource("io.feedline.formats.media.video.VideoFixtures#names")
  void shouldBeKeptInAFewBytesAFrame(String name) throws Exception {
    Path path = VideoFixtures.copy(name, directory);
    Path kept = directory.resolve("." + name + ".frame-index");
    try (VideoFile made = open(path)) {
      assertThat(Files.size(kept)).isLessThan(48 + 9L * made.frames());
      FrameIndex again =
          FrameIndexFile.of(path, MediaBytes.of(new byte[0]), VideoFile.Options.DEFAULT);
      FrameIndex scanned =
          FrameIndex.scan(
              name, MediaBytes.of(VideoFixtures.bytes(name)), VideoFile.Options.DEFAULT);
      assertThat(again.times()).isEqualTo(scanned.times());
      assertThat(again.identities()).isEqualTo(scanned.identities());
      assertThat(again.keys()).isEqualTo(scanned.keys());
      assertThat(again.isOrdered()).isEqualTo(scanned.isOrdered());
      assertThat(again.end()).isEqualTo(scanned.end());
    }
  }

  @Test
  void shouldBeMadeAnewWhereItIsDamagedOrTheVideoHasChanged() throws Exception {
    Path path = VideoFixtures.copy("bframes.mp4", directory);
    open(path).close();
    Path kept = directory.resolve(".bframes.mp4.frame-index");
    byte[] whole = Files.readAllBytes(kept);
    for (int i = 0; i < whole.length; i += 5) {
      byte[] damaged = whole.clone();
      damaged[i] ^= 0x10;
      Files.write(kept, damaged);
      try (VideoFile video = open(path)) {
        assertThat(video.frames()).isEqualTo(50);
      }
      assertThat(Files.readAllBytes(kept)).isEqualTo(whole);
    }
    Files.write(path, VideoFixtures.bytes("edited.mp4"));
    try (VideoFile video = open(path)) {
      assertThat(video.frames()).isEqualTo(32);
    }
  }

  @Test
  void shouldLeaveNothingBesideFilesIfItIsNotKept() throws Exception {
    Path path = VideoFixtures.copy("bframes.mp4", directory.resolve("alone"));
    VideoFile.open(path, VideoFile.Options.DEFAULT.withKeepIndexes(false)).close();
    assertThat(directory.resolve("alone")).isDirectoryContaining(path::equals);
    try (var files = Files.list(directory.resolve("alone"))) {
      assertThat(files).hasSize(1);
    }
  }

  @Test
  void shouldReadVideosOfOtherFileSystems() throws Exception {
    String before = System.setProperty("feedline.indexes", directory.resolve("cache").toString());
    try (FileSystem other = Jimfs.newFileSystem(Configuration.unix())) {
      Path path = Files.write(other.getPath("/late.ts"), VideoFixtures.bytes("late.ts"));
      try (VideoFile video = open(path)) {
        assertThat(VideoFixtures.checksums(video.framesAt(33)))
            .containsExactly(VideoFixtures.frames().get("late.ts").get(33).crc());
      }
      try (var files = Files.list(directory.resolve("cache"))) {
        assertThat(files).singleElement().asString().endsWith(".frame-index");
      }
    } finally {
      if (before == null) {
        System.clearProperty("feedline.indexes");
      } else {
        System.setProperty("feedline.indexes", before);
      }
    }
  }

  /**
   * The first opening reads all packets; a clip of three frames then takes the header, the
   * container's index, and the frames.
   */
  @Test
  void shouldReadOnlyWhatAClipNeeds() throws Exception {
    Path path = directory.resolve("long.avi");
    try (var packed =
        new GZIPInputStream(new ByteArrayInputStream(VideoFixtures.bytes("long.avi.gz")))) {
      Files.write(path, packed.readAllBytes());
    }
    long size = Files.size(path);
    ReadMeter meter = new ReadMeter();
    ReadMeter before = meter.enter();
    try {
      open(path).close();
      assertThat(meter.take()).isGreaterThan(size);
      try (VideoFile video = open(path)) {
        int middle = video.frames() / 2;
        VideoFixtures.write(video.framesAt(middle, middle + 1, middle + 2));
        assertThat(meter.take()).isLessThan(size / 5);
        VideoFixtures.write(video.framesAt(middle + 3, middle + 4));
        assertThat(meter.take()).isLessThan(size / 10);
      }
    } finally {
      ReadMeter.restore(before);
    }
  }
}
