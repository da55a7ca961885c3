/** Images, their transforms and targets, and folders of images. */
module io.feedline.images {
  requires transitive io.feedline.store;
  requires java.desktop;
  requires org.lz4.java;
  requires org.slf4j;

  exports io.feedline.formats.folder;
  exports io.feedline.formats.image;
  exports io.feedline.formats.image.codec;
  exports io.feedline.formats.image.dataset;
  exports io.feedline.formats.image.mixing;
  exports io.feedline.formats.image.pixel;
  exports io.feedline.formats.image.transform;
  exports io.feedline.formats.image.transform.quality;
  exports io.feedline.formats.image.codec.internal to
      io.feedline.command,
      io.feedline.opencv;
  exports io.feedline.formats.image.internal to
      io.feedline.command;
  exports io.feedline.formats.image.pixel.internal to
      io.feedline.opencv;
  exports io.feedline.formats.image.recode.internal to
      io.feedline.command,
      io.feedline.spark;
  exports io.feedline.formats.internal to
      io.feedline.bench,
      io.feedline.media;
  exports io.feedline.formats.jpeg.index.internal to
      io.feedline.bench,
      io.feedline.command,
      io.feedline.spark;
  exports io.feedline.formats.jpeg.internal to
      io.feedline.command;

  // The reader of transforms in JSON makes transforms of their options.
  opens io.feedline.formats.image to
      io.feedline.core;
  opens io.feedline.formats.image.dataset to
      io.feedline.core;
  opens io.feedline.formats.image.mixing to
      io.feedline.core;
  opens io.feedline.formats.image.transform to
      io.feedline.core;
  opens io.feedline.formats.image.transform.quality to
      io.feedline.core;

  uses io.feedline.formats.image.codec.ImageDecoder;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.folder.ImageFolderFormat.Provider,
      io.feedline.formats.folder.ImageFilesFormat.Provider;
  provides io.feedline.transform.Transforms.Library with
      io.feedline.formats.image.pipeline.internal.ImageTransforms;
}
