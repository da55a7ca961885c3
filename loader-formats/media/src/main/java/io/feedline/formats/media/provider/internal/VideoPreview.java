package io.feedline.formats.media.provider.internal;

import io.feedline.batch.DType;
import io.feedline.formats.image.pixel.ImageLayout;
import io.feedline.formats.media.DamagePolicy;
import io.feedline.formats.media.internal.MediaStream;
import io.feedline.formats.media.video.Clip;
import io.feedline.formats.media.video.VideoFile;
import io.feedline.formats.store.internal.samples.PreviewFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The preview of videos: frames. A video file without video counts as a sound. */
public final class VideoPreview implements PreviewFormat {

  /** Options that write no index beside a file, because a preview should write nothing. */
  private static final VideoFile.Options OPTIONS = VideoFile.Options.DEFAULT.withKeepIndexes(false);

  private static final SoundPreview SOUND = new SoundPreview();

  public VideoPreview() {}

  @Override
  public String name() {
    return "video";
  }

  @Override
  public List<String> extensions() {
    return VideoFile.EXTENSIONS;
  }

  @Override
  public Map<String, Object> inspect(Path file) throws IOException {
    if (isSound(file)) {
      return SOUND.inspect(file);
    }
    try (VideoFile video = VideoFile.open(file, OPTIONS)) {
      Map<String, Object> facts = new LinkedHashMap<>();
      facts.put("codec", video.codec());
      facts.put("width", video.width());
      facts.put("height", video.height());
      facts.put("rotation", video.rotation());
      facts.put("frames", video.frames());
      facts.put("seconds", video.duration());
      facts.put("frame_rate", video.frameRate());
      return facts;
    }
  }

  @Override
  public List<Picture> draw(Path file, int count) throws Exception {
    if (isSound(file)) {
      return SOUND.draw(file, count);
    }
    try (VideoFile video = VideoFile.open(file, OPTIONS)) {
      int shown = Math.min(count, video.frames());
      List<Picture> pictures = new ArrayList<>();
      for (int i = 0; i < shown; i++) {
        int frame = (int) ((long) i * video.frames() / shown);
        String caption = String.format(Locale.ROOT, "%d: %.2f s", frame, video.time(frame));
        pictures.add(new Picture(pixels(video, frame), video.width(), video.height(), caption));
      }
      return pictures;
    }
  }

  private static byte[] pixels(VideoFile video, int frame) throws Exception {
    Clip clip =
        video.framesAt(frame).eachFrame(image -> image.toTensor(DType.UINT8, ImageLayout.HWC));
    ByteBuffer rgb =
        ByteBuffer.allocate(Math.toIntExact(clip.shape().elements()))
            .order(ByteOrder.nativeOrder());
    clip.writeTo(rgb);
    return rgb.array();
  }

  /** {@inheritDoc} Also verifies the video's sound, if there is any. */
  @Override
  public void verify(Path file) throws Exception {
    if (isSound(file)) {
      SOUND.verify(file);
      return;
    }
    try (VideoFile video = VideoFile.open(file, OPTIONS.withDamage(DamagePolicy.FAIL))) {
      for (int frame = 0; frame < video.frames(); frame++) {
        pixels(video, frame);
      }
    }
    if (SoundPreview.has(file, MediaStream.Kind.AUDIO)) {
      SOUND.verify(file);
    }
  }

  private static boolean isSound(Path file) throws IOException {
    return !SoundPreview.has(file, MediaStream.Kind.VIDEO)
        && SoundPreview.has(file, MediaStream.Kind.AUDIO);
  }
}
