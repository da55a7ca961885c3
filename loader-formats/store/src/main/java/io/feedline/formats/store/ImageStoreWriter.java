package io.feedline.formats.store;

/** A writer of encoded images in some format; {@link StoreFormat#create} opens one. */
public interface ImageStoreWriter extends StoreWriter<EncodedImage> {}
