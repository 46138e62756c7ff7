package dev.lasso.benchmarks.load;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A process under load and what it used, as Linux accounts for it.
 *
 * @param name in the table
 * @param url what is called
 * @param processes the process and, for nginx, its workers; empty for the upstream called directly
 */
record Subject(String name, String url, List<Process> processes) {
  private static final double TICKS_PER_SECOND = 100;

  static Process start(Path log, String... command) throws IOException {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  static void awaitPort(int port, int seconds) throws InterruptedException, IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (true) {
      try (Socket socket = new Socket()) {
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
        return;
      } catch (IOException e) {
        if (System.nanoTime() > deadline) {
          throw new IOException("nothing listens on port " + port + " after " + seconds + " s", e);
        }
        TimeUnit.MILLISECONDS.sleep(100);
      }
    }
  }

  /** Seconds of processor time used so far by the processes and their children. */
  double cpuSeconds() {
    return all().mapToDouble(Subject::cpuSeconds).sum();
  }

  /** Resident memory in MiB now. */
  double rssMib() {
    return all().mapToDouble(Subject::rssMib).sum();
  }

  private Stream<ProcessHandle> all() {
    return processes.stream()
        .flatMap(process -> Stream.concat(Stream.of(process.toHandle()), process.descendants()));
  }

  private static double cpuSeconds(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    } catch (IOException e) {
      return 0;
    }
  }

  private static double rssMib(ProcessHandle process) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/" + process.pid() + "/status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")) / 1_024)
          .sum();
    } catch (IOException e) {
      return 0;
    }
  }

  void stop() {
    all().toList().reversed().forEach(ProcessHandle::destroy);
  }
}
