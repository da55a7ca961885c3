/** Readers of datasets with annotations (PASCAL VOC, COCO) or small images (IDX, CIFAR). */
module io.feedline.annotations {
  requires transitive io.feedline.images;
  requires com.google.gson;
  requires java.xml;

  exports io.feedline.formats.coco;
  exports io.feedline.formats.pixels;
  exports io.feedline.formats.voc;

  provides io.feedline.formats.store.StoreFormat with
      io.feedline.formats.pixels.IdxFormat.Provider,
      io.feedline.formats.pixels.CifarFormat.Provider;
}
