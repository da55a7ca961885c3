/**
 * The reading of Arrow files, as images and as tables.
 *
 * <pre>
 * index -&gt; file, record batch, row (ArrowStore) -&gt; offsets -&gt; the image's bytes, label, key
 * </pre>
 *
 * <p>{@code ArrowFile} reads the headers of a file's messages. {@code ArrowSchema} knows which
 * buffers of a record batch belong to which column, and {@code ColumnPlace} has their positions in
 * one batch. Apache's arrow-format, generated code without a verifier, parses the messages; each of
 * its exceptions becomes an error that names the file and the message.
 *
 * <p><b>Memory and files.</b> A store takes some 200 bytes for each record batch, and keeps no
 * values. A bounded number of files is open. The opener closes stores and tables.
 *
 * <p><b>Threads.</b> All workers read a store or table at once, without a lock.
 */
@NullMarked
package io.feedline.formats.arrow.internal;

import org.jspecify.annotations.NullMarked;
