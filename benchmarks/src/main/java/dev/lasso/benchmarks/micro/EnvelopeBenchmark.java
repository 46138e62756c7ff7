package dev.lasso.benchmarks.micro;

import dev.lasso.engine.rpc.EnvelopeLimits;
import dev.lasso.engine.rpc.RequestBody;
import dev.lasso.engine.rpc.RequestParser;
import dev.lasso.routing.facts.BlockBounds;
import dev.lasso.routing.facts.MethodTable;
import dev.lasso.routing.facts.RequestFacts;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Reading a client's body: a typical {@code eth_call} and a batch of 20. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EnvelopeBenchmark {
  private static final String CALL =
      "{\"jsonrpc\":\"2.0\",\"id\":1234,\"method\":\"eth_call\",\"params\":[{\"to\":\"0xdac17f958d2ee523a2206206994597c13d831ec7\","
          + "\"data\":\"0x70a08231000000000000000000000000b8c77482e45f1f44de1745f52c74426c631bdd52\"},\"0x12a05f2\"]}";

  private final byte[] call = CALL.getBytes(StandardCharsets.UTF_8);
  private final byte[] batch =
      ("[" + (CALL + ",").repeat(19) + CALL + "]").getBytes(StandardCharsets.UTF_8);

  /** The envelope of one call. */
  @Benchmark
  public RequestBody oneCall() {
    return RequestParser.parse(call, EnvelopeLimits.DEFAULT);
  }

  /** The envelopes of a batch. */
  @Benchmark
  public RequestBody batchOf20() {
    return RequestParser.parse(batch, EnvelopeLimits.DEFAULT);
  }

  /** The envelope and the facts that routing needs. */
  @Benchmark
  public BlockBounds oneCallWithFacts() {
    if (!(oneCall()
        instanceof RequestBody.Single(RequestBody.RequestEnvelope(var parsed, var _)))) {
      throw new IllegalStateException("not a call");
    }
    return RequestFacts.of(
            MethodTable.of(
                parsed.methodSource(),
                parsed.methodFrom(),
                parsed.methodTo() - parsed.methodFrom()),
            parsed.params().source(),
            parsed.params().from(),
            parsed.params().size())
        .bounds(19_531_250L, 128);
  }
}
