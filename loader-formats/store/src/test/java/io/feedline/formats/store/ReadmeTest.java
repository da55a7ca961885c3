package io.feedline.formats.store;

import io.feedline.ReadmeContract;

class ReadmeTest extends ReadmeContract {}
