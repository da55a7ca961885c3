package io.feedline.stats.internal;

/**
 * The circumstances in which the consumer took a batch.
 *
 * @param at when, by the loader's clock
 * @param waited how long it waited for the batch
 * @param there whether the batch was there when it came: it waited at most for the engine's lock
 * @param slotsInUse how many slots were in use when it came
 * @param ready how many batches were finished when it came
 * @param workers how many workers there are
 * @param contending how many of them waited for a lock that another one held, when it looked while
 *     it waited; -1: it did not look
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
