/**
 * The way from a loader's batches to DJL.
 *
 * <h2>The nouns</h2>
 *
 * <p>A {@link io.feedline.gpu.DeviceLoader} is a {@link io.feedline.DataLoader} seen from a device:
 * it gives the same batches in the same order, as {@link io.feedline.gpu.DeviceBatch}es of DJL's
 * arrays. How they get there is a {@link io.feedline.gpu.Transfer}: on the CPU nothing is moved, an
 * array is a view of the batch's slot; to any other device DJL copies. A {@link
 * io.feedline.gpu.Normalization} says which column of pictures crosses as bytes and becomes floats
 * on the device. A {@link io.feedline.gpu.DjlDataset} is the same behind DJL's own {@code Dataset},
 * so that {@code EasyTrain.fit} and other code written for DJL's data loading takes a Feedline
 * loader unchanged.
 *
 * <h2>Memory</h2>
 *
 * <p>A device batch belongs to whoever took it, who closes it; that closes its arrays, and returns
 * the slot to the loader if it still holds one. Each batch has an {@link ai.djl.ndarray.NDManager}
 * of its own, below the one that the loader was given. The slot hangs on that manager too, so that
 * a training that fails half-way gives all slots back when its trainer is closed. The {@code
 * DataLoader} stays its maker's: nothing here closes it.
 *
 * <h2>Threads</h2>
 *
 * <p>One thread at a time iterates, as with the loader itself. No threads are started.
 *
 * <h2>To create your own way to a device</h2>
 *
 * <p>The machinery behind the two public faces is the package-private {@code Feed}: it turns an
 * epoch of host batches into device batches and may read ahead. {@code DeviceLoader} chooses one; a
 * new one needs a constant in {@code Transfer} that says which path a batch took, and no other
 * change.
 */
package io.feedline.gpu;
