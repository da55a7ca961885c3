package io.feedline.stats.internal;

/**
 * The circumstances in which the consumer took a batch; the counts are those of the moment when the
 * consumer asked for the batch.
 *
 * @param at the time by the loader's clock
 * @param there true if the batch was complete when the consumer asked, so that the consumer waited
 *     for the engine's lock at most
 * @param contending the number of workers that waited for a lock of another worker; -1 if the
 *     workers were not inspected
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
