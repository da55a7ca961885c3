package io.feedline.spark.hadoop.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** A real HDFS in this process, of one datanode; {@link Shared} closes it after the last test. */
public final class Hdfs implements AutoCloseable {

  private final Path home;
  private final MiniDFSCluster cluster;
  private final Configuration configuration = new Configuration();
  private int directories;

  /**
   * Starts it.
   *
   * @param home the directory of its files, which closing deletes
   */
  Hdfs(Path home) throws IOException {
    this.home = home;
    configuration.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, home.toString());
    // The name of the machine need not be known to any DNS.
    configuration.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    // How long a client that closes a file waits until its datanode has reported the block.
    configuration.setInt("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", 5);
    // Each wait is twice as long as the one before, and the machine may be busy.
    configuration.setInt("dfs.client.block.write.locateFollowingBlock.retries", 12);
    cluster = new MiniDFSCluster.Builder(configuration).numDataNodes(1).build();
    cluster.waitActive();
    configuration.set("fs.defaultFS", uri());
  }

  /** Its URI, without a slash at its end. */
  public String uri() {
    return cluster.getURI().toString();
  }

  /** By what it is found. */
  public Configuration configuration() {
    return configuration;
  }

  /** The URI of a directory that does not exist, below {@code /data}. */
  String newDirectory() {
    return uri() + "/data/" + directories++;
  }

  org.apache.hadoop.fs.FileSystem files() throws IOException {
    return cluster.getFileSystem();
  }

  @Override
  public void close() {
    cluster.shutdown();
    FileUtil.fullyDelete(home.toFile());
  }

  /** One HDFS for all tests of a JVM that ask for it, since its start takes seconds. */
  public static final class Shared implements ParameterResolver {

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Hdfs.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(Namespace.GLOBAL)
          .computeIfAbsent(Hdfs.class, absent -> start(), Hdfs.class);
    }

    private static Hdfs start() {
      try {
        return new Hdfs(Files.createTempDirectory("hdfs"));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }
}
