package io.feedline.stats.internal;

/**
 * The circumstances in which the consumer took a batch; counts are those when it came.
 *
 * @param at by the loader's clock
 * @param there true if the batch was complete when the consumer came, so that it waited at most for
 *     the engine's lock
 * @param contending the workers that waited for a lock of another worker; -1: not looked at
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
