package io.feedline.gpu.internal;

@EnabledIfDriver
class DriverOnGpuTest extends DriverContract {}
