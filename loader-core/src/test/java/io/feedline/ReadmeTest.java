package io.feedline;

class ReadmeTest extends ReadmeContract {}
