package io.feedline.gpu;

import io.feedline.batch.Batch;

/**
 * A wait of the consumer for a batch, and what was done meanwhile that it waited for.
 *
 * @param host the batch, for its facts
 * @param waitedNanos how long the consumer waited
 * @param loadingNanos how long of that the loader was waited for
 * @param copyingNanos how long of that copies were waited for, as long as they took by themselves:
 *     not while the device had other work to do first
 */
record DeviceWait(Batch host, long waitedNanos, long loadingNanos, long copyingNanos) {}
