package io.feedline.spark;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;
import scala.Tuple3;
import scala.util.Properties;

/**
 * A cluster of Spark on this machine: a master and two workers in a JVM of their own, which start
 * executors in more of them. Unlike a {@code local-cluster}, its workers have different addresses,
 * so that Spark believes them to be two machines: it runs the second attempt of a task on another
 * machine than the first alone. Nothing of it listens but on loopback.
 */
final class TestCluster implements AutoCloseable {

  private final Process process;
  private final String master;

  private TestCluster(Process process, String master) {
    this.process = process;
    this.master = master;
  }

  /**
   * Starts one.
   *
   * @param directory a new one, for the executors' logs
   */
  static TestCluster start(Path directory) throws IOException {
    // Files that the workers look for in an installation of Spark; the class path is told to
    // executors.
    Files.createDirectories(directory.resolve("jars"));
    Files.createFile(directory.resolve("RELEASE"));
    Process process = java(TestCluster.class, List.of("-Xmx256m"), directory, directory.toString());
    BufferedReader output =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = output.readLine();
    if (line == null || !line.startsWith("spark://")) {
      process.destroyForcibly();
      throw new IOException("the cluster did not start; it said: " + line);
    }
    return new TestCluster(process, line);
  }

  /** Starts a class of the tests in a JVM of its own, whose standard output the test reads. */
  static Process java(Class<?> main, List<String> options, Path spark, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(each -> each.startsWith("--add-opens") || each.startsWith("-Djdk."))
        .forEach(command::add);
    command.addAll(options);
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", classPath(), main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(spark.resolve("stderr.txt").toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
    environment.put("SPARK_HOME", spark.toString());
    environment.put("SPARK_LOCAL_IP", "127.0.0.1");
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    String scala = Properties.versionNumberString();
    environment.put("SPARK_SCALA_VERSION", scala.substring(0, scala.lastIndexOf('.')));
    return builder.start();
  }

  /** The class path of the tests. */
  static String classPath() {
    return System.getProperty("java.class.path");
  }

  String master() {
    return master;
  }

  /** Ends all of its JVMs. */
  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      if (process.waitFor(60, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
  }

  /** Is the cluster, until standard input ends: with the JVM that started it at the latest. */
  public static void main(String[] arguments) throws IOException {
    SparkConf conf = new SparkConf().set("spark.ui.enabled", "false");
    Tuple3<RpcEnv, Object, Option<Object>> started =
        Master.startRpcEnvAndEndpoint("127.0.0.1", 0, 0, conf);
    String master = "spark://127.0.0.1:" + started._1().address().port();
    for (int worker = 1; worker <= 2; worker++) {
      Worker.startRpcEnvAndEndpoint(
          "127.0.0." + worker,
          0,
          0,
          1,
          1024,
          new String[] {master},
          Path.of(arguments[0], "work" + worker).toString(),
          Option.apply(worker),
          conf,
          Option.empty());
    }
    System.out.println(master);
    while (System.in.read() >= 0) {
      // Nothing is sent.
    }
    System.exit(0);
  }
}
