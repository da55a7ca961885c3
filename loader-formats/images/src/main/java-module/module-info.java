/** Images, their transforms and targets, and the stores that hold them. */
module io.feedline.images {
  requires transitive io.feedline.core;
  requires static com.github.luben.zstd_jni;
  requires java.desktop;
  requires java.xml;
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
  exports io.feedline.formats.store;
  exports io.feedline.formats.image.codec.internal to
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
      io.feedline.command,
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.spark,
      io.feedline.tables;
  exports io.feedline.formats.jpeg.index.internal to
      io.feedline.bench,
      io.feedline.command,
      io.feedline.spark;
  exports io.feedline.formats.jpeg.internal to
      io.feedline.command;
  exports io.feedline.formats.store.internal.files to
      io.feedline.annotations,
      io.feedline.command,
      io.feedline.hdf5,
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.remote,
      io.feedline.spark,
      io.feedline.tables,
      io.feedline.text;
  exports io.feedline.formats.store.internal.jobs to
      io.feedline.records;
  exports io.feedline.formats.store.internal.keyfs to
      io.feedline.remote,
      io.feedline.spark;
  exports io.feedline.formats.store.internal.samples to
      io.feedline.annotations,
      io.feedline.command,
      io.feedline.hdf5,
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.tables;
  exports io.feedline.formats.store.internal.shards to
      io.feedline.annotations,
      io.feedline.hdf5,
      io.feedline.records,
      io.feedline.spark,
      io.feedline.tables;
  exports io.feedline.formats.store.internal.staging to
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.remote,
      io.feedline.spark;

  uses io.feedline.formats.image.codec.ImageDecoder;
  uses io.feedline.formats.store.StoreFormat;
  uses io.feedline.formats.store.internal.shards.TableFormat;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.folder.ImageFolder,
      io.feedline.formats.folder.ImageFiles;
}
