package dev.lasso.launcher;

import dev.lasso.profiles.ProfileFiles;
import dev.lasso.routing.profile.Profile;
import dev.lasso.simulator.Demo;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lasso demo}: the whole platform over simulated providers that misbehave. */
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Runs the whole platform over simulated chains and providers: fast, slow, flaky, lagging,"
          + " rate-limited.",
      "Needs no network and no keys; keeps nothing afterwards unless --data-dir is given."
    })
final class DemoCommand implements Callable<Integer> {
  @Mixin private final ProcessOptions process = new ProcessOptions();
  @Mixin private final BrokerOptions broker = new BrokerOptions();

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Seed of the simulated chains and faults (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Override
  public Integer call() throws Exception {
    Ports.requireFree("port", process.port);
    Ports.requireFree("kafka port", broker.kafkaPort);
    broker.ephemeral |= process.dataDirectory == null;
    try (TemporaryDirectory temporary = TemporaryDirectory.create();
        Demo demo =
            Demo.start(0, seed)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS)) {
      if (process.dataDirectory == null) {
        process.dataDirectory = temporary.path();
      }
      List<Profile> profiles =
          ProfileLoading.usable(
              ProfileFiles.withProcessEnvironment()
                  .parse(Path.of("demo.yml"), DemoProfile.yaml(demo.providers())),
              "the demo");
      return new LocalStack(process, broker).run(profiles, hints(demo));
    }
  }

  private static List<String> hints(Demo demo) {
    Demo.DemoProvider fast = demo.providers().getFirst();
    return List.of(
        "",
        "Try:",
        "  curl -s HTTP/rpc/ethereum -H 'Content-Type: application/json' \\",
        "    -d '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_blockNumber\",\"params\":[]}'",
        "  curl -s HTTP/rpc/fastest/base?include_meta=body -H 'Content-Type: application/json' \\",
        "    -d"
            + " '{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"eth_getBlockByNumber\",\"params\":[\"latest\",false]}'",
        "  curl -s HTTP/api/providers/ethereum",
        "Break a provider and watch the next answers come from others:",
        "  curl -s -X POST " + fast.httpUrl() + "/_sim/faults -d hang",
        "  curl -s -X DELETE " + fast.httpUrl() + "/_sim/faults",
        "Stop with Ctrl-C.");
  }
}
