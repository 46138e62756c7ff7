package dev.lasso.launcher;

import dev.lasso.simulator.Demo;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code lasso simulate}: the simulated chains and providers alone. */
@Command(
    name = "simulate",
    mixinStandardHelpOptions = true,
    description = {
      "Runs simulated chains and providers alone, for tests of any client or gateway.",
      "Prints one line for each provider: chain id url ws_url. Faults are set with POST"
          + " URL/_sim/faults."
    })
final class SimulateCommand implements Callable<Integer> {
  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      defaultValue = "0",
      description =
          "Port of the first provider, the others follow; 0 takes free ones (default:"
              + " ${DEFAULT-VALUE}).")
  private int portBase;

  @Option(
      names = "--seed",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description = "Seed of chains and faults (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Override
  public Integer call() throws Exception {
    Demo demo =
        Demo.start(portBase, seed)
            .toCompletionStage()
            .toCompletableFuture()
            .get(20, TimeUnit.SECONDS);
    Runtime.getRuntime()
        .addShutdownHook(Thread.ofPlatform().name("shutdown").unstarted(demo::close));
    demo.providers()
        .forEach(
            provider ->
                System.out.println(
                    provider.chain()
                        + " "
                        + provider.id()
                        + " "
                        + provider.httpUrl()
                        + " "
                        + provider.wsUrl()));
    System.out.flush();
    new CountDownLatch(1).await(); // until the process is told to stop
    return 0;
  }
}
