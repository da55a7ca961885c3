/** RecordIO files, which MXNet and GluonCV keep images in: read in any order, and written. */
@NullMarked
package io.feedline.formats.recordio;

import org.jspecify.annotations.NullMarked;
