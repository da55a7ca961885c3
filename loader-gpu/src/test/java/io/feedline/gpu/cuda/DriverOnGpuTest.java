package io.feedline.gpu.cuda;

import io.feedline.gpu.EnabledIfCuda;

/** The machine's own driver. */
@EnabledIfCuda
class DriverOnGpuTest extends DriverContract {}
