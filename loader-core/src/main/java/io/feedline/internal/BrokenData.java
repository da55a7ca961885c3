package io.feedline.internal;

/**
 * Marks an exception of data that is not what its format says, whatever its cause is. The opposite
 * is an {@link io.feedline.data.StoreException}.
 */
public interface BrokenData {}
