package io.feedline.formats.image.dataset;

import io.feedline.formats.store.EncodedImage;
import io.feedline.formats.store.ImageStore;
import io.feedline.formats.store.StoreOptions;
import io.feedline.formats.store.internal.files.OpenFiles;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/**
 * The options of images in a store of any format; each format's builder extends this class. Not
 * thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract class ImageStoreBuilder<B extends ImageStoreBuilder<B>> {

  private List<String> classes;

  /** Begins with the defaults. */
  protected ImageStoreBuilder() {}

  @SuppressWarnings("unchecked")
  protected final B self() {
    return (B) this;
  }

  /**
   * Sets the names of the classes by label; by default the names in the store, or an empty list.
   */
  public B classes(List<String> classes) {
    this.classes = List.copyOf(classes);
    return self();
  }

  /**
   * Returns the names of the classes from {@link #classes}; {@code stored} if it was not called.
   */
  protected final List<String> classesOr(List<String> stored) {
    return classes == null ? stored : classes;
  }

  /**
   * Builds the dataset, which the caller closes; opens the store.
   *
   * @throws IllegalArgumentException if an option has an impossible value
   * @throws IllegalStateException if the format needs a library that is absent; the message names
   *     the library
   * @throws IOException if a file is missing, damaged or cannot be read, or lacks a requested field
   */
  public ImageDataset build() throws IOException {
    return ImageDataset.of(store());
  }

  /**
   * Opens the store with these options.
   *
   * @throws IOException in the cases of {@link #build}
   */
  protected abstract ImageStore store() throws IOException;

  /**
   * The options of images in a store whose samples have named fields: columns, features, arrays.
   * Each format defines the form of the names, and the default fields. Not thread-safe.
   *
   * @param <B> the builder itself
   */
  public abstract static class WithFields<B extends WithFields<B>> extends ImageStoreBuilder<B> {

    private String image;

    /** The field of the labels; null to detect it, empty for no labels. */
    private String label;

    /** Begins with the defaults. */
    protected WithFields() {}

    /** Sets the name of the field with the encoded images. */
    public B imageField(String field) {
      this.image = Objects.requireNonNull(field, "field");
      return self();
    }

    /** Sets the name of the field with the labels, which must be whole numbers. */
    public B labelField(String field) {
      this.label = Objects.requireNonNull(field, "field");
      return self();
    }

    /** Leaves labels out; every label becomes {@link EncodedImage#NO_LABEL}. */
    public B withoutLabels() {
      this.label = "";
      return self();
    }

    /**
     * Sets the names of fields to those in store options; an empty name of the label field means no
     * labels. Fields without such an option stay unchanged.
     */
    public B fields(StoreOptions options) {
      options.text(StoreOptions.IMAGE_FIELD).ifPresent(this::imageField);
      options.text(StoreOptions.LABEL_FIELD).ifPresent(this::labelField);
      return self();
    }

    /** Returns the name of the field of the images; {@code other} if it was not set. */
    protected final String imageOr(String other) {
      return image == null ? other : image;
    }

    /** Returns the field of the labels, empty for no labels; {@code other} if it was not set. */
    protected final String labelOr(String other) {
      return label == null ? other : label;
    }
  }

  /**
   * The options of images in a store whose samples also have a field for the key. Not thread-safe.
   *
   * @param <B> the builder itself
   */
  public abstract static class WithKeys<B extends WithKeys<B>> extends WithFields<B> {

    private String key;

    /** Begins with the defaults. */
    protected WithKeys() {}

    /** Sets the name of the field with the keys, which must be texts. */
    public final B keyField(String field) {
      this.key = Objects.requireNonNull(field, "field");
      return self();
    }

    @Override
    public final B fields(StoreOptions options) {
      options.text(StoreOptions.KEY_FIELD).ifPresent(this::keyField);
      return super.fields(options);
    }

    /** Returns the name of the field of the keys; {@code other} if it was not set. */
    protected final String keyOr(String other) {
      return key == null ? other : key;
    }
  }

  /**
   * The options of images in a store of several files, whose samples have fields. Not thread-safe.
   *
   * @param <B> the builder itself
   */
  public abstract static class WithFiles<B extends WithFiles<B>> extends WithKeys<B> {

    private boolean allowMissingShards;
    private int openFiles = OpenFiles.DEFAULT_LIMIT;

    /** Begins with the defaults. */
    protected WithFiles() {}

    /**
     * Sets whether shards may be missing, as names such as {@code train-00003-of-00005} show. If
     * true, the dataset has the samples of the other shards; if false, the default, a missing shard
     * is an error.
     */
    public final B allowMissingShards(boolean allowed) {
      this.allowMissingShards = allowed;
      return self();
    }

    /** Returns the option of {@link #allowMissingShards(boolean)}. */
    protected final boolean allowMissingShards() {
      return allowMissingShards;
    }

    /** Sets how many files stay open while they are not read, 1 or more; 128 by default. */
    public final B openFiles(int openFiles) {
      this.openFiles = openFiles;
      return self();
    }

    /** Returns the option of {@link #openFiles(int)}. */
    protected final int openFiles() {
      return openFiles;
    }
  }
}
