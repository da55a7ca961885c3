package io.feedline.spark.hadoop.internal;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/**
 * A real HDFS in this process, of one datanode; {@link SharedHdfs} closes it after the last test.
 */
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
}
