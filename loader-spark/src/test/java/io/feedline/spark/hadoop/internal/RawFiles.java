package io.feedline.spark.hadoop.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/** Hadoop's local file system under schemes of its own, in three kinds. */
public class RawFiles extends RawLocalFileSystem {

  /** The number of queries of paths. */
  static final AtomicInteger ASKED = new AtomicInteger();

  private final String scheme;

  /** That of {@code raw}: renamed by a file context. Called by Hadoop. */
  public RawFiles() {
    this("raw");
  }

  RawFiles(String scheme) {
    this.scheme = scheme;
  }

  /** That of {@code bare}: without a file context. */
  public static final class Bare extends RawFiles {
    /** Called by Hadoop. */
    public Bare() {
      super("bare");
    }
  }

  /** That of {@code whole}: files are there when they are closed, as in S3. */
  public static final class Whole extends RawFiles {
    /** Called by Hadoop. */
    public Whole() {
      super("whole");
    }

    @Override
    public boolean hasPathCapability(Path path, String capability) throws IOException {
      return capability.equals(CommonPathCapabilities.ABORTABLE_STREAM)
          || super.hasPathCapability(path, capability);
    }

    @Override
    public FSDataOutputStream create(
        Path path,
        FsPermission permission,
        EnumSet<CreateFlag> flags,
        int bufferSize,
        short replication,
        long blockSize,
        Progressable progress)
        throws IOException {
      return new FSDataOutputStream(new Memory(path, flags.contains(CreateFlag.OVERWRITE)), null);
    }

    /** A file that is written when it is closed, unless it was aborted. */
    private final class Memory extends ByteArrayOutputStream implements Abortable {
      private final Path path;
      private final boolean overwrite;
      private boolean ended;

      Memory(Path path, boolean overwrite) {
        this.path = path;
        this.overwrite = overwrite;
      }

      @Override
      public void close() throws IOException {
        if (!ended) {
          ended = true;
          try (var out = Whole.super.create(path, overwrite)) {
            writeTo(out);
          }
        }
      }

      @Override
      public AbortableResult abort() {
        ended = true;
        return null; // which no caller reads
      }
    }
  }

  /** The file context of {@code raw}. */
  public static final class Context extends DelegateToFileSystem {
    /** Called by Hadoop. */
    public Context(URI uri, Configuration configuration) throws Exception {
      super(uri, new RawFiles(), configuration, "raw", false);
    }
  }

  /** Returns a configuration with which Hadoop finds these file systems. */
  static Configuration configuration() {
    Configuration configuration = new Configuration(false);
    configuration.set("fs.raw.impl", RawFiles.class.getName());
    configuration.set("fs.AbstractFileSystem.raw.impl", Context.class.getName());
    configuration.set("fs.bare.impl", Bare.class.getName());
    configuration.set("fs.whole.impl", Whole.class.getName());
    return configuration;
  }

  @Override
  public String getScheme() {
    return scheme;
  }

  @Override
  public URI getUri() {
    return URI.create(scheme + ":///");
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    ASKED.incrementAndGet();
    return plain(super.getFileStatus(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    int before = ASKED.get();
    FileStatus[] found = super.listStatus(path);
    ASKED.set(before); // it has asked for each of them by itself
    return Arrays.stream(found).map(RawFiles::plain).toArray(FileStatus[]::new);
  }

  /** Without permissions, which Hadoop would ask of a file of scheme {@code file}. */
  private static FileStatus plain(FileStatus status) {
    return new FileStatus(
        status.getLen(),
        status.isDirectory(),
        1,
        status.getBlockSize(),
        status.getModificationTime(),
        status.getPath());
  }
}
