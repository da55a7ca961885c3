package io.feedline.stats.internal;

/**
 * The circumstances in which the consumer took a batch.
 *
 * @param at when, by the loader's clock
 * @param waited how long it waited for the batch
 * @param there whether the batch was complete when the consumer came, so that the consumer waited
 *     at most for the engine's lock
 * @param slotsInUse how many slots were in use when it came
 * @param ready how many batches were finished when it came
 * @param workers how many workers there are
 * @param contending the number of workers that waited for a lock which another worker held, when
 *     the waiting consumer looked; -1 if it did not look
 * @param slots how many slots there may be
 * @param prefetch how many batches may be prepared ahead
 */
public record BatchTaken(
    long at,
    long waited,
    boolean there,
    int slotsInUse,
    int ready,
    int workers,
    int contending,
    int slots,
    int prefetch) {}
