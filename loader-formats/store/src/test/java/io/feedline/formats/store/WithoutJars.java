package io.feedline.formats.store;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The class path of a test without some of its entries, as of a user who has not added them. */
public final class WithoutJars {

  private WithoutJars() {}

  /** Calls a static method, which takes a path, of a test whose classes are loaded anew. */
  public static void call(Class<?> test, String method, Path argument, String... names)
      throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (List.of(names).stream().noneMatch(entry::contains)) {
        urls.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Method called =
          Class.forName(test.getName(), true, loader).getDeclaredMethod(method, Path.class);
      called.setAccessible(true);
      called.invoke(null, argument);
    } catch (InvocationTargetException failed) {
      throw failed.getCause() instanceof Exception cause ? cause : failed;
    }
  }
}
