/** Reading, in any order, and writing of RecordIO files, in which MXNet and GluonCV keep images. */
@NullMarked
package io.feedline.formats.recordio;

import org.jspecify.annotations.NullMarked;
