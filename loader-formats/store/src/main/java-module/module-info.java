/** Files, shards and indexes: the base of reading and writing all formats. */
module io.feedline.store {
  requires transitive io.feedline.core;
  requires static com.github.luben.zstd_jni;
  requires java.xml;
  requires org.slf4j;

  exports io.feedline.formats.store;
  exports io.feedline.formats.store.internal.files to
      io.feedline.annotations,
      io.feedline.command,
      io.feedline.hdf5,
      io.feedline.images,
      io.feedline.lmdb,
      io.feedline.media,
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
      io.feedline.images,
      io.feedline.lmdb,
      io.feedline.media,
      io.feedline.records,
      io.feedline.tables;
  exports io.feedline.formats.store.internal.shards to
      io.feedline.annotations,
      io.feedline.command,
      io.feedline.hdf5,
      io.feedline.images,
      io.feedline.lmdb,
      io.feedline.media,
      io.feedline.records,
      io.feedline.spark,
      io.feedline.tables;
  exports io.feedline.formats.store.internal.staging to
      io.feedline.command,
      io.feedline.images,
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.remote,
      io.feedline.spark;
  exports io.feedline.formats.store.internal.values to
      io.feedline.command,
      io.feedline.lmdb,
      io.feedline.records,
      io.feedline.spark,
      io.feedline.tables;

  uses io.feedline.formats.store.StoreFormat;
  uses io.feedline.formats.store.internal.samples.PreviewFormat;
  uses io.feedline.formats.store.internal.shards.TableFormat;
}
