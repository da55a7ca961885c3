package io.feedline.formats.lmdb;

import io.feedline.formats.store.internal.files.OpenFile;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.lmdbjava.ByteArrayProxy;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;

/** Databases of keys and values, as LMDB writes them. */
final class RawDatabase {

  private static final long MAP_BYTES = 1 << 26;

  private RawDatabase() {}

  /** Writes entries into a directory that is a database afterwards. */
  static Path write(Path directory, Map<String, byte[]> entries, DbiFlags... flags)
      throws IOException {
    Files.createDirectories(directory);
    put(directory.toFile(), entries, null, flags);
    return directory;
  }

  /** Writes entries into a file that is a database by itself. */
  static Path writeFile(Path file, Map<String, byte[]> entries) {
    put(file.toFile(), entries, null);
    return file;
  }

  /** A database that has one in it, under a name. */
  static Path writeNamed(Path directory, String name) throws IOException {
    Files.createDirectories(directory);
    put(directory.toFile(), Map.of("a", new byte[3]), name, DbiFlags.MDB_CREATE);
    return directory;
  }

  private static void put(File path, Map<String, byte[]> entries, String name, DbiFlags... flags) {
    Env.Builder<byte[]> builder =
        Env.create(ByteArrayProxy.PROXY_BA).setMapSize(MAP_BYTES).setMaxDbs(1);
    EnvFlags[] subdir =
        path.isDirectory() ? new EnvFlags[0] : new EnvFlags[] {EnvFlags.MDB_NOSUBDIR};
    try (Env<byte[]> env = builder.open(path, subdir);
        Txn<byte[]> txn = env.txnWrite()) {
      byte[] bytes = name == null ? null : name.getBytes(StandardCharsets.UTF_8);
      Dbi<byte[]> dbi = env.openDbi(txn, bytes, null, false, flags);
      entries.forEach((each, value) -> dbi.put(txn, ascii(each), value));
      txn.commit();
    }
  }

  /** Adds, replaces and removes entries in many transactions; gives what is there at the end. */
  static SortedMap<String, byte[]> writeAtRandom(Path directory, Random random) throws IOException {
    Files.createDirectories(directory);
    TreeMap<String, byte[]> entries = new TreeMap<>();
    int keys = 1 << random.nextInt(4, 11);
    int longest = 1 << random.nextInt(1, 14);
    int longestKey = random.nextInt(10, 400);
    try (Env<byte[]> env =
        Env.create(ByteArrayProxy.PROXY_BA).setMapSize(MAP_BYTES).open(directory.toFile())) {
      Dbi<byte[]> dbi = env.openDbi((byte[]) null);
      for (int round = 0; round < 6; round++) {
        try (Txn<byte[]> txn = env.txnWrite()) {
          for (int i = 0; i < keys / 2 + 1; i++) {
            int number = random.nextInt(keys);
            String name = number + "k".repeat(1 + number * 31 % longestKey);
            if (random.nextInt(3) == 0) {
              dbi.delete(txn, ascii(name));
              entries.remove(name);
            } else {
              byte[] value = new byte[random.nextInt(longest)];
              random.nextBytes(value);
              dbi.put(txn, ascii(name), value);
              entries.put(name, value);
            }
          }
          txn.commit();
        }
      }
    }
    return entries;
  }

  static TreeSnapshot snapshot(Path directory) throws IOException {
    try (OpenFile file = OpenFile.of(directory.resolve("data.mdb"))) {
      return TreeSnapshot.newest(file);
    }
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Adds a key to a database. */
  static final class Adding {
    private Adding() {}

    public static void main(String[] arguments) {
      put(new File(arguments[0]), Map.of(arguments[1], new byte[100]), null);
    }
  }
}
