package io.feedline.formats.folder;

import io.feedline.data.FormatException;
import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.internal.samples.ClassDirectories;
import io.feedline.formats.store.internal.staging.ObjectOutput;
import io.feedline.formats.store.internal.staging.StagedOutput;
import io.feedline.formats.store.internal.staging.StagedWriter;
import java.io.IOException;
import java.util.Map;
import java.util.TreeSet;

/**
 * A writer of images as an {@link ImageFolder} in an object store. Each image is an object, named
 * as {@link FolderWriter} names files. Many objects are sent at once.
 *
 * <p>Every {@value #CHECKPOINT_IMAGES} images a checkpoint stores the number of written images. A
 * continued run writes the images after the checkpoint again, and may replace their objects. Any
 * other existing object is an error: it belongs to another image of the same name, or to another
 * writer. At the end the writer lists the directory and checks that it has an object for each
 * image, and an image of each class, since a directory without objects does not exist.
 */
final class FolderObjectsWriter extends StagedWriter<EncodedImage> {

  private static final int CHECKPOINT_IMAGES = 1024;

  private static final String IMAGES = "images";

  private final ClassDirectories directories;
  private final ObjectOutput directory;
  private final ObjectOutput.Puts puts;

  /** The number of images that an earlier run may have written; their objects may be replaced. */
  private final long mayReplaceTo;

  private long added;
  private long addedAtCheckpoint;
  private boolean failed;

  FolderObjectsWriter(StagedOutput output, ClassDirectories directories) throws IOException {
    super(output);
    this.directories = directories;
    this.directory = ObjectOutput.of(output.path());
    this.puts = directory.puts();
    for (Map<String, Object> checkpoint : output.checkpoints()) {
      if (!(checkpoint.get(IMAGES) instanceof Long images)) {
        throw new IOException("the checkpoint %s has no number '%s'".formatted(checkpoint, IMAGES));
      }
      added = images;
    }
    this.addedAtCheckpoint = added;
    this.mayReplaceTo = output.isContinued() ? added + CHECKPOINT_IMAGES : 0;
  }

  @Override
  protected long added() {
    return added;
  }

  @Override
  protected void add(EncodedImage image) throws IOException {
    String name = directories.file(image);
    String version = added < mayReplaceTo ? ObjectOutput.ANY : ObjectOutput.ABSENT;
    take(() -> puts.put(name, image.bytes(), version));
    added++;
    if (added - addedAtCheckpoint == CHECKPOINT_IMAGES) {
      checkpoint();
    }
  }

  /** A step of writing; after a failed step the writer makes no more checkpoints. */
  private interface Step {
    void take() throws IOException;
  }

  private void take(Step step) throws IOException {
    try {
      step.take();
    } catch (ObjectOutput.ConflictException other) {
      failed = true;
      throw output()
          .explained(
              new IOException(
                  "%s: there is one already: two images have this key, which --keys file or --keys index tells apart"
                      .formatted(other.getFile()),
                  other));
    } catch (IOException | RuntimeException failure) {
      failed = true;
      throw failure;
    }
  }

  private void checkpoint() throws IOException {
    take(
        () -> {
          puts.await();
          if (added != addedAtCheckpoint) {
            output().checkpoint(Map.of(IMAGES, added), true);
            addedAtCheckpoint = added;
          }
        });
  }

  @Override
  protected void finish() throws IOException {
    checkpoint();
    TreeSet<String> empty = new TreeSet<>(directories.classes());
    long[] objects = {0};
    directory.listObjects(
        name -> {
          objects[0]++;
          empty.remove(name.substring(0, Math.max(0, name.indexOf('/'))));
        });
    if (objects[0] != added) {
      throw new IOException(
          "%s: %d images were written, but there are %d objects: two images have one key, which --keys file or --keys index tells apart; or another program is at it"
              .formatted(output().target(), added, objects[0]));
    }
    if (!empty.isEmpty()) {
      throw FormatException.in(
          output().target(),
          "the class '%s' has no images, and an object store keeps no empty directory; take another format, which lists its classes: webdataset, mds, tfrecord, recordio"
              .formatted(empty.first()));
    }
  }

  @Override
  protected void release() throws IOException {
    try (puts) {
      if (!failed) {
        checkpoint();
      }
    }
  }
}
