/** Readers and writers of TFRecord, RecordIO, WebDataset, MDS and ZIP. */
module io.feedline.records {
  requires transitive io.feedline.images;
  requires com.github.luben.zstd_jni;
  requires org.apache.commons.compress;
  requires org.slf4j;

  exports io.feedline.formats.mds;
  exports io.feedline.formats.recordio;
  exports io.feedline.formats.tfrecord;
  exports io.feedline.formats.webdataset;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.tfrecord.TfRecordFormat.Provider,
      io.feedline.formats.recordio.RecordIoFormat.Provider,
      io.feedline.formats.webdataset.WebDatasetFormat.Provider,
      io.feedline.formats.mds.MdsFormat.Provider,
      io.feedline.formats.zip.internal.ZipFormat.Provider;
}
