package io.feedline.formats.store;

/** A writer of encoded images, of any format; {@link StoreFormat#create} opens one. */
public interface ImageStoreWriter extends StoreWriter<EncodedImage> {}
