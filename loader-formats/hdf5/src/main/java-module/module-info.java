/** HDF5 files of images and arrays. */
module io.feedline.hdf5 {
  requires transitive io.feedline.images;
  requires io.jhdf;

  exports io.feedline.formats.hdf5;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.hdf5.Hdf5Format.Provider;
}
