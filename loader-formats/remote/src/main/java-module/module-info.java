/**
 * Object stores and HTTP servers as file systems, a cache on the local disk for their objects, and
 * the splits of datasets on the Hugging Face hub.
 */
module io.feedline.remote {
  requires io.feedline.store;
  requires java.net.http;
  requires java.xml;
  requires org.slf4j;
  requires org.snakeyaml.engine.v2;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.identity.spi;
  requires software.amazon.awssdk.profiles;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.core;

  exports io.feedline.formats.hub;
  exports io.feedline.formats.remote;
  exports io.feedline.formats.remote.internal.fs to
      io.feedline.spark;

  uses java.nio.file.spi.FileSystemProvider;

  provides java.nio.file.spi.FileSystemProvider with
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.S3,
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.Gs,
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.Az,
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.Hf,
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.Https,
      io.feedline.formats.remote.internal.fs.ObjectFileSystemProvider.Http;
}
