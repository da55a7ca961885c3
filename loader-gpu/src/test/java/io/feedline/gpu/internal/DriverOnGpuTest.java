package io.feedline.gpu.internal;

import io.feedline.gpu.EnabledIfCuda;

/** The machine's own driver. */
@EnabledIfCuda
class DriverOnGpuTest extends DriverContract {}
