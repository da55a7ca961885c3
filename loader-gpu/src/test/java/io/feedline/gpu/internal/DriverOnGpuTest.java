package io.feedline.gpu.internal;

/** The machine's own driver. */
@EnabledIfDriver
class DriverOnGpuTest extends DriverContract {}
