package io.feedline.gpu;

import io.feedline.ReadmeContract;

class ReadmeTest extends ReadmeContract {}
