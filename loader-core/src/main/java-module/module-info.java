/** The engine: datasets, samplers, transforms, batches, and the loader that fills them. */
module io.feedline.core {
  requires transitive jdk.jfr;
  requires java.management;
  requires jdk.management;
  requires org.slf4j;
  // Which of what users see may be null; compilers ask, the JVM does not.
  requires static transitive org.jspecify;
  // The libraries that io.feedline.micrometer and io.feedline.progress report to, for users who
  // have them.
  requires static micrometer.core;
  requires static me.tongfei.progressbar;

  exports io.feedline;
  exports io.feedline.batch;
  exports io.feedline.data;
  exports io.feedline.micrometer;
  exports io.feedline.packing;
  exports io.feedline.progress;
  exports io.feedline.sampler;
  exports io.feedline.stats;
  exports io.feedline.transform;
  exports io.feedline.internal to
      io.feedline.annotations,
      io.feedline.command,
      io.feedline.gpu,
      io.feedline.hdf5,
      io.feedline.images,
      io.feedline.lmdb,
      io.feedline.media,
      io.feedline.records,
      io.feedline.remote,
      io.feedline.spark,
      io.feedline.store,
      io.feedline.tables,
      io.feedline.text;

  uses io.feedline.internal.FileOpener;
  uses io.feedline.transform.Transforms.Library;
}
