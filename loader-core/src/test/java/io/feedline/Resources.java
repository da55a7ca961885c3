package io.feedline;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;

/**
 * The resources of this JVM that may leak.
 *
 * @param threads live threads
 * @param descriptors open file descriptors; 0 where the operating system does not tell
 * @param directBytes direct memory
 */
record Resources(int threads, long descriptors, long directBytes) {

  static Resources now() {
    long descriptors =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
            ? unix.getOpenFileDescriptorCount()
            : 0;
    long direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum();
    return new Resources(ManagementFactory.getThreadMXBean().getThreadCount(), descriptors, direct);
  }
}
