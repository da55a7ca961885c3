/**
 * Images in Arrow's IPC files, as Hugging Face's datasets keeps them in its cache and by {@code
 * save_to_disk}.
 *
 * <p>{@link io.feedline.formats.arrow.ArrowImages} is the format {@code arrow}, and says which
 * files are read.
 *
 * <pre>
 * index -&gt; file, record batch, row (ArrowStore) -&gt; offsets -&gt; the image's bytes, label, key
 * </pre>
 *
 * <p>{@code ArrowFile} reads the headers of a file's messages. {@code ArrowSchema} knows which
 * buffers of a record batch belong to which column, and {@code ColumnPlace} has their positions in
 * one batch. Messages are parsed by Apache's arrow-format, generated code without a verifier:
 * whatever it throws is turned into an error that names the file and the message.
 *
 * <p><b>Memory and files.</b> A store takes some 200 bytes for each record batch, and keeps no
 * values. A bounded number of files is open. The opener closes a store.
 *
 * <p><b>Threads.</b> A store is read by all workers at once, without a lock.
 */
@NullMarked
package io.feedline.formats.arrow;

import org.jspecify.annotations.NullMarked;
