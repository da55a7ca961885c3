package io.feedline.stats.internal;

/**
 * The circumstances in which the consumer took a batch; the counts are of the moment when it asked.
 *
 * @param at the time by the loader's clock
 * @param there true if the batch was complete when the consumer asked, so that it waited at most
 *     for the engine's lock
 * @param contending the workers that waited for a lock of another worker; -1 if that was not
 *     inspected
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
