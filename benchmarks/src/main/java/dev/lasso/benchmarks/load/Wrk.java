package dev.lasso.benchmarks.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load generator: {@code wrk}, with a script that posts JSON-RPC calls. Each call asks about
 * another of {@value #CALLS} accounts under another id, so that no two in flight are the same and a
 * gateway that coalesces equal reads gains nothing by it.
 */
final class Wrk {
  /** Different calls before the first comes again; far more than are ever in flight. */
  private static final int CALLS = 8_192;

  private static final String SCRIPT =
      """
      local calls, at = {}, 0
      function init(args)
        local headers = { ["Content-Type"] = "application/json" }
        for i = 1, %d do
          calls[i] = wrk.format("POST", nil, headers, string.format('{"jsonrpc":"2.0","id":%%d,"method":"eth_call","params":[{"to":"0xdac17f958d2ee523a2206206994597c13d831ec7","data":"0x70a08231000000000000000000000000%%040x"},"latest"]}', i, i))
        end
      end
      function request()
        at = at %% #calls + 1
        return calls[at]
      end
      function done(summary, latency, requests)
        io.write(string.format("FIGURES %%d %%d %%d %%d %%d %%d %%d\\n", summary.requests, summary.duration,
          summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout,
          latency:percentile(50), latency:percentile(99), latency:percentile(99.9), latency.max))
      end
      """
          .formatted(CALLS);

  private static final Pattern FIGURES =
      Pattern.compile("FIGURES (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+) (\\d+)");

  private final Path script;

  Wrk(Path directory) throws IOException {
    this.script = Files.writeString(directory.resolve("post.lua"), SCRIPT);
  }

  /**
   * One run's figures.
   *
   * @param requests answered
   * @param seconds it took
   * @param errors answers with another status than 2xx or 3xx, and connection errors
   */
  record Figures(
      long requests, double seconds, long errors, double p50Ms, double p99Ms, double p999Ms) {
    double perSecond() {
      return requests / seconds;
    }
  }

  Figures run(String url, int connections, int seconds) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "-s",
                script.toString(),
                url)
            .redirectErrorStream(true)
            .start();
    String output =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    process.waitFor();
    Matcher figures = FIGURES.matcher(output);
    if (!figures.find()) {
      throw new IOException("wrk gave no figures: " + output);
    }
    return new Figures(
        Long.parseLong(figures.group(1)),
        Long.parseLong(figures.group(2)) / 1e6,
        Long.parseLong(figures.group(3)),
        Long.parseLong(figures.group(4)) / 1e3,
        Long.parseLong(figures.group(5)) / 1e3,
        Long.parseLong(figures.group(6)) / 1e3);
  }
}
