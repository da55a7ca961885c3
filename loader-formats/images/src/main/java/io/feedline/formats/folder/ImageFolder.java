package io.feedline.formats.folder;

import io.feedline.formats.image.dataset.ImageDataset;
import io.feedline.formats.store.ImageFormat;
import io.feedline.formats.store.StoreFormat;
import io.feedline.formats.store.internal.shards.JobNames;
import io.feedline.formats.store.internal.shards.ShardSet;
import io.feedline.internal.Counts;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * A reader of images in a directory for each class, like torchvision's {@code ImageFolder}, with
 * the same classes, the same samples and the same order:
 *
 * <pre>
 *   root/cat/1.jpg
 *   root/cat/more/2.png
 *   root/dog/1.jpg
 * </pre>
 *
 * <pre>{@code
 * Dataset<LabeledImage> dataset =
 *     ImageFolder.of(Path.of(args[0]))
 *         .withTransform(
 *             RandomResizedCrop.of(224)
 *                 .andThen(RandomHorizontalFlip.of())
 *                 .andThen(Normalize.imagenet()));
 * }</pre>
 *
 * <p>The names of the directories in the root are the classes, sorted by code points; the index of
 * a class is its position in this order. Files below these directories are samples if they have one
 * of {@link #EXTENSIONS}, or if {@link Builder#filter} accepts them. Links are followed; a link
 * back to a directory above it is an error.
 *
 * <p>The files are listed once, when the dataset is built. {@link ImageDataset#get(long)} reads the
 * file of a sample. A file that is missing, unreadable, empty or not an image throws an {@link
 * IOException} that says so. A file takes four bytes of memory and its name.
 *
 * <p>The dataset keeps no file open. {@link StoreFormat#named} returns the format by its name
 * {@code imagefolder}, with the option {@code allow-empty}, {@code true} or {@code false}, for
 * {@link Builder#allowEmpty}.
 */
public final class ImageFolder {

  /** The extensions of torchvision's image files; names are compared in lower case. */
  public static final List<String> EXTENSIONS = ImageFormat.EXTENSIONS;

  private ImageFolder() {}

  /**
   * Returns the images below a directory, with the defaults of {@link #builder}.
   *
   * @param root the directory that holds the classes' directories
   * @throws FileNotFoundException if the root has no directories, or a directory has no images
   * @throws IOException if a directory cannot be listed, or a link leads in a circle
   */
  public static ImageDataset of(Path root) throws IOException {
    return builder(root).build();
  }

  /**
   * Returns a builder for a dataset of the images below a directory with the classes' directories.
   */
  public static Builder builder(Path root) {
    return new Builder(root);
  }

  /** The options of {@link ImageFolder#builder}. Not thread-safe. */
  public static final class Builder {
    private final WantedFiles wanted = new WantedFiles();
    private final Path root;
    private boolean allowEmpty;
    private Map<String, Integer> classToIndex;

    private Builder(Path root) {
      this.root = Objects.requireNonNull(root, "root");
    }

    /**
     * Sets the extensions of the files that are images, in upper or lower case; {@link #EXTENSIONS}
     * by default. Not allowed together with {@code filter}.
     *
     * @param extensions at least one, each beginning with a dot
     */
    public Builder extensions(String... extensions) {
      wanted.extensions(extensions);
      return this;
    }

    /** Sets the predicate on full paths that selects images, instead of {@code extensions}. */
    public Builder filter(Predicate<? super Path> filter) {
      wanted.filter(filter);
      return this;
    }

    /** Sets whether classes may be empty; false by default. An empty class keeps its index. */
    public Builder allowEmpty(boolean allowEmpty) {
      this.allowEmpty = allowEmpty;
      return this;
    }

    /**
     * Sets the directories that are classes, with their indexes, instead of all directories in
     * sorted order. A class without a directory is an empty class. Several classes may share an
     * index.
     *
     * @param classToIndex at least one class, indexes 0 or more
     */
    public Builder classToIndex(Map<String, Integer> classToIndex) {
      this.classToIndex = Map.copyOf(classToIndex);
      return this;
    }

    /**
     * Builds the dataset; lists the files.
     *
     * @throws IllegalArgumentException if options contradict each other or have impossible values
     * @throws FileNotFoundException if there are no classes, or a class has no samples and {@link
     *     #allowEmpty} is false
     * @throws IOException if a directory cannot be listed, a link leads in a circle, or several
     *     directories in the root are splits, such as train and val
     */
    public ImageDataset build() throws IOException {
      return ImageDataset.of(store());
    }

    FolderStore store() throws IOException {
      Predicate<? super Path> accepted = wanted.predicate();
      Map<String, Integer> indexes = indexes();
      FileList.Builder files = new FileList.Builder();
      FolderWalk walk = new FolderWalk(accepted, directory -> true);
      List<String> empty = new ArrayList<>();
      for (Map.Entry<String, Integer> each : indexes.entrySet()) {
        if (walk.addFiles(root, each.getKey(), each.getValue(), files) == 0) {
          empty.add(each.getKey());
        }
      }
      if (!empty.isEmpty() && empty.stream().allMatch(JobNames::isJob)) {
        throw new FileNotFoundException(
            "%s has no index of a store, but what packing jobs have left that run, or were killed: %s. Those that are dead are deleted by feedline verify --sweep"
                .formatted(root, String.join(", ", empty)));
      }
      if (!empty.isEmpty() && !allowEmpty) {
        throw new FileNotFoundException(
            "no images for the classes %s in %s; %s. allowEmpty(true), or --option %s=true, keeps such classes"
                .formatted(
                    String.join(", ", empty),
                    root,
                    wanted.soughtInVain(),
                    ImageFolderFormat.ALLOW_EMPTY));
      }
      wanted.warnOfOthers(root, walk);
      return new FolderStore("ImageFolder", root, root, indexes, files.build());
    }

    private FileNotFoundException noClasses() throws IOException {
      long images = FolderWalk.count(root, wanted.predicate());
      String instead =
          images == 0
              ? "no images of its own either; is it the right directory?"
              : "%s of its own; without classes they are read by ImageFiles.of(directory)"
                  .formatted(Counts.of(images, "image"));
      return new FileNotFoundException(
          "no class directories in %s; an image of the class cat would be %s. It has %s"
              .formatted(root, root.resolve("cat").resolve("1.jpg"), instead));
    }

    private Map<String, Integer> indexes() throws IOException {
      List<String> found = FolderWalk.classes(root);
      Map<String, Integer> indexes = new LinkedHashMap<>();
      if (classToIndex == null) {
        found.forEach(name -> indexes.put(name, indexes.size()));
        if (found.isEmpty()) {
          throw noClasses();
        }
        ShardSet.requireNoSplits(root, found, "classToIndex(...) takes them for classes");
        return indexes;
      }
      TreeSet<String> names = new TreeSet<>(FolderWalk.BY_CODE_POINTS);
      names.addAll(classToIndex.keySet());
      names.forEach(name -> indexes.put(name, classToIndex.get(name)));
      if (indexes.isEmpty() || Collections.min(indexes.values()) < 0) {
        throw new IllegalArgumentException(
            "classToIndex must have one class or more, indexes 0 or more, was " + indexes);
      }
      return indexes;
    }
  }
}
