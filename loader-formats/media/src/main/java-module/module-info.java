/** Video and sound, decoded by FFmpeg. */
module io.feedline.media {
  requires transitive io.feedline.core;
  requires transitive io.feedline.images;
  requires io.feedline.store;
  requires org.bytedeco.ffmpeg;
  requires org.bytedeco.javacpp;
  requires org.slf4j;

  exports io.feedline.formats.media;
  exports io.feedline.formats.media.sound;
  exports io.feedline.formats.media.video;

  opens io.feedline.formats.media.sound to
      io.feedline.core;
  opens io.feedline.formats.media.video to
      io.feedline.core;

  provides io.feedline.formats.store.internal.samples.PreviewFormat with
      io.feedline.formats.media.provider.internal.SoundPreview,
      io.feedline.formats.media.provider.internal.VideoPreview;
  provides io.feedline.transform.Transforms.Library with
      io.feedline.formats.media.provider.internal.MediaTransforms;
}
