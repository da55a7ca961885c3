/** The command feedline, and the report of a run. */
module io.feedline.command {
  requires transitive io.feedline.core;
  requires info.picocli;
  requires io.feedline.images;
  requires io.feedline.remote;
  requires java.management;
  requires jdk.management;

  exports io.feedline.formats.report;

  opens io.feedline.formats.cli to
      info.picocli;
  opens io.feedline.formats.cli.internal.command to
      info.picocli;
  opens io.feedline.formats.cli.internal.doctor to
      info.picocli;
  opens io.feedline.formats.cli.internal.plan to
      info.picocli;
  opens io.feedline.formats.cli.internal.runs to
      info.picocli;
  opens io.feedline.formats.cli.internal.stores to
      info.picocli;
}
