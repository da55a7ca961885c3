/**
 * LMDB databases of images, pairs and tensors.
 *
 * <p>The natives of lmdbjava are in a jar whose name, {@code native}, cannot be the name of a
 * module. The jar belongs on the class path, where lmdbjava finds it.
 */
module io.feedline.lmdb {
  requires transitive io.feedline.images;
  requires lmdbjava;
  requires org.jnrproject.jffi;
  requires org.jnrproject.ffi;
  requires org.lz4.java;
  requires org.slf4j;

  exports io.feedline.formats.lmdb;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.lmdb.LmdbFormat.Provider;
}
