package io.feedline.formats;

import io.feedline.ReadmeContract;

class ReadmeTest extends ReadmeContract {}
