/**
 * The way from a loader's batches to DJL, on the CPU and on GPUs.
 *
 * <h2>The nouns</h2>
 *
 * <p>A {@link io.feedline.gpu.DeviceLoader} is a {@link io.feedline.DataLoader} seen from a device:
 * it gives the same batches in the same order, as {@link io.feedline.gpu.DeviceBatch}es of DJL's
 * arrays. How they get there is a {@link io.feedline.gpu.DeviceLoader.Transfer}: on the CPU nothing
 * is moved, an array is a view of the batch's slot; to a GPU a stream of its own copies, ahead of
 * the consumer; to any other device DJL copies. {@link io.feedline.gpu.DeviceStats} tell what that
 * came to. A {@link io.feedline.gpu.PinnedAllocator} gives a loader slots in page-locked memory,
 * from which a GPU copies by itself. A {@link io.feedline.gpu.Normalization} lets images cross as
 * bytes and makes floats of them on the device. A {@link io.feedline.gpu.DjlDataset} is all of this
 * behind DJL's own {@code Dataset}, so that {@code EasyTrain.fit} and other code written for DJL's
 * data loading takes a Feedline loader unchanged. The other way round, {@link
 * io.feedline.gpu.DjlSamples} gives a loader the samples of any {@code RandomAccessDataset} of
 * DJL's. A {@link io.feedline.gpu.DjlTranslator} gives DJL's predictors the rows of the validation.
 *
 * <h2>Memory</h2>
 *
 * <p>A device batch belongs to the consumer that took it, who closes it; that closes its arrays,
 * and returns the slot to the loader if they were views of it. Each batch has an {@link
 * ai.djl.ndarray.NDManager} of its own, below the one that the loader was given. A slot that is
 * viewed hangs on that manager too, so that a training that fails half-way gives all slots back
 * when its trainer is closed; a device loader closes itself with the manager that it was given. The
 * {@link io.feedline.DataLoader} stays its maker's: nothing here closes it.
 *
 * <h2>Threads</h2>
 *
 * <p>One thread at a time iterates, as with the loader itself. To the CPU, and where DJL copies, no
 * threads are started. To GPUs there is one that copies, {@code feedline-NAME-copy}, which reads
 * the host loader in the consumer's place; with {@code numWorkers(0)} samples are made in it.
 *
 * <h2>To create your own way to a device</h2>
 *
 * <p>The machinery behind the public faces is the package-private {@code Feed}: it turns an epoch
 * of host batches into device batches and may read ahead. A new one needs a constant in {@code
 * Transfer} that says which path a batch took, words for it in {@code DeviceStats}, and to be
 * chosen by {@code DeviceGroup}.
 */
@NullMarked
package io.feedline.gpu;

import org.jspecify.annotations.NullMarked;
