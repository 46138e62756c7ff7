package dev.lasso.profiles;

import static dev.lasso.profiles.Shape.Key.optional;
import static dev.lasso.profiles.Shape.Key.required;

import dev.lasso.profiles.Shape.Choice;
import dev.lasso.profiles.Shape.Either;
import dev.lasso.profiles.Shape.Entries;
import dev.lasso.profiles.Shape.Flag;
import dev.lasso.profiles.Shape.Group;
import dev.lasso.profiles.Shape.Items;
import dev.lasso.profiles.Shape.Secret;
import dev.lasso.profiles.Shape.Text;
import dev.lasso.profiles.Shape.Whole;
import dev.lasso.routing.errors.ErrorClass;
import dev.lasso.routing.facts.MethodCategory;
import dev.lasso.routing.profile.ChainProfile;
import dev.lasso.routing.profile.Hedge;
import dev.lasso.routing.profile.Monitoring;
import dev.lasso.routing.profile.Profile;
import dev.lasso.routing.profile.Provider;
import dev.lasso.routing.profile.RoutingSettings;
import dev.lasso.routing.profile.Selection;
import dev.lasso.routing.profile.Sharing;
import dev.lasso.routing.profile.SubscriptionSettings;
import dev.lasso.routing.profile.WebSocketSettings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Every key of a profile file: the one table that the loader checks against and that the JSON
 * Schema and the reference page are written from.
 */
final class ProfileKeys {
  private static final Text ANY_TEXT = new Text("text", Pattern.compile("[\\s\\S]*\\S[\\s\\S]*"));
  private static final Text NAME =
      new Text(
          "1 to 128 letters, digits, '.', '_' or '-', beginning with a letter or digit",
          Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}"));
  private static final Text CHAIN_NAME =
      new Text(
          "a name of letters, digits, '.', '_' or '-' that is no number and no word of the routes",
          Pattern.compile("(?![0-9]+$)[A-Za-z0-9][A-Za-z0-9._-]{0,127}"));
  private static final Text METHOD =
      new Text("a JSON-RPC method name", Pattern.compile("[A-Za-z0-9_.-]{1,128}"));
  private static final Text METHODS =
      new Text(
          "a JSON-RPC method name, or the start of one followed by '*'",
          Pattern.compile("[A-Za-z0-9_.-]{1,128}\\*?|\\*"));
  private static final Text HEADER_NAME =
      new Text("an HTTP header name", Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}"));
  private static final Secret HEADER_VALUE =
      new Secret("an HTTP header value", Pattern.compile("[\\t\\x20-\\x7e\\x80-\\xff]*"));
  private static final Secret HTTP_URL =
      new Secret(
          "a URL that starts with http:// or https://",
          Pattern.compile("[hH][tT][tT][pP][sS]?://[\\x21-\\x7e]+"));
  private static final Secret WS_URL =
      new Secret(
          "a URL that starts with ws:// or wss://",
          Pattern.compile("[wW][sS][sS]?://[\\x21-\\x7e]+"));

  private static final Choice STRATEGY =
      choice(
          "load_balanced", "evenly at random",
          "priority", "lowest priority number first",
          "fastest", "lowest measured latency first",
          "latency_weighted", "at random, faster ones more often",
          "least_loaded", "lowest latency times requests in flight");

  private static final Group ERROR_RULE =
      Group.of(
          List.of("code", "message_contains", "http_status"),
          optional(
                  "code",
                  new Items(new Whole(Integer.MIN_VALUE, Integer.MAX_VALUE), 1, true),
                  "JSON-RPC error code, or several of which one must be there.")
              .example(-32005, List.of(35, 429)),
          optional(
                  "message_contains",
                  new Items(ANY_TEXT, 1, true),
                  "Words that stand in the error message, or several such texts of which one must."
                      + " Case and punctuation do not matter; `#` is a number, `*` up to ten words,"
                      + " `a/b` one of two, `word?` may be missing.")
              .example("upgrade your plan", List.of("limit of # blocks", "range is too large")),
          optional("http_status", new Whole(100, 599), "HTTP status of the answer.").example(402),
          required(
                  "category",
                  errorClasses(),
                  "What such an error is: decides failover, circuit and rate-limit deadline.")
              .example("rate_limit"));

  private static final Group LIMITS =
      Group.of(
          optional(
                  "max_block_range",
                  new Whole(1, Long.MAX_VALUE),
                  "Widest block range of a logs request, in blocks.")
              .otherwise("no known limit")
              .example(10_000),
          optional(
                  "max_block_age",
                  new Whole(0, Long.MAX_VALUE),
                  "Oldest block served, in blocks behind the chain's head.")
              .otherwise("no known limit")
              .example(128),
          optional(
                  "block_age_methods",
                  new Items(METHODS, 0, false),
                  "Methods that `max_block_age` holds for.")
              .otherwise("all that read state or logs of a block")
              .example(List.of("eth_call", "eth_getBalance")));

  private static final Group CAPABILITIES =
      Group.of(
          optional(
                  "unsupported_methods",
                  new Items(METHODS, 0, false),
                  "Methods that the provider does not serve; a trailing `*` covers all that begin"
                      + " so.")
              .example(List.of("eth_getLogs", "trace_*")),
          optional(
                  "unsupported_categories",
                  new Items(methodCategories(), 0, false),
                  "Method categories that the provider does not serve.")
              .example(List.of("debug", "trace")),
          optional("limits", LIMITS, "Block ranges and ages that the provider refuses."),
          optional(
              "error_rules",
              new Items(ERROR_RULE, 0, false),
              "How to read the provider's own errors, before the built-in table; the first rule"
                  + " whose conditions all hold wins."));

  private static final Group PROVIDER =
      Group.of(
          List.of("url", "ws_url"),
          required(
                  "id",
                  NAME,
                  "Names the provider within its chain: in routes, metrics, logs and answers.")
              .example("ethereum_publicnode"),
          optional("name", ANY_TEXT, "Shown to people.")
              .otherwise("the id")
              .example("PublicNode Ethereum"),
          optional(
                  "url",
                  HTTP_URL,
                  "Where HTTP requests go. Variables are replaced in the process that connects, so"
                      + " a `${KEY}` never enters a topic.")
              .example("https://node.example.com", "https://rpc.example.com/v2/${EXAMPLE_KEY}"),
          optional("ws_url", WS_URL, "Where WebSocket connections go.")
              .example("wss://node.example.com"),
          optional(
                  "priority",
                  new Whole(0, 1_000_000),
                  "The `priority` strategy takes lower ones first.")
              .standard(Provider.DEFAULT_PRIORITY)
              .example(1),
          optional("archival", new Flag(), "Whether the provider keeps old state.").standard(true),
          optional(
                  "subscribe_new_heads",
                  new Flag(),
                  "Whether heads are also taken from the provider's `newHeads` subscription.")
              .otherwise("`websocket.subscribe_new_heads` of the chain"),
          optional(
                  "headers",
                  new Entries(HEADER_NAME, "header", HEADER_VALUE, 0),
                  "HTTP headers sent with every request and WebSocket upgrade.")
              .example(Map.of("x-api-key", "${EXAMPLE_KEY}")),
          optional(
                  "api_key",
                  new Secret("an API key", HEADER_VALUE.pattern()),
                  "Sent as `Authorization: Bearer`.")
              .example("${EXAMPLE_KEY}"),
          optional(
                  "sharing",
                  choice(
                      "shared",
                      "equal upstreams of all profiles share probes, heights, circuits and"
                          + " connections",
                      "isolated",
                      "the profile has its own"),
                  "Whether an equal upstream of another profile is the same instance.")
              .standard(Sharing.SHARED.word()),
          optional("capabilities", CAPABILITIES, "What the provider can't do."));

  private static final Group MONITORING =
      Group.of(
          optional(
                  "probe_interval_ms",
                  new Whole(100, 3_600_000),
                  "Time between two looks at a provider's height, in ms.")
              .standard(Monitoring.DEFAULT.probeIntervalMs()),
          optional(
                  "lag_alert_threshold_blocks",
                  new Whole(1, 1_000_000),
                  "Blocks behind the consensus height from which a provider's lag is worth a"
                      + " warning.")
              .standard(Monitoring.DEFAULT.lagAlertThresholdBlocks()));

  private static final Group SELECTION =
      Group.of(
          optional(
                  "max_lag_blocks",
                  new Whole(0, 10_000_000),
                  "Blocks that a provider may be behind the consensus height and still serve.")
              .standard(Selection.DEFAULT.maxLagBlocks()),
          optional(
                  "archival_threshold",
                  new Whole(0, 1_000_000_000),
                  "Age in blocks from which state counts as archival.")
              .standard(Selection.DEFAULT.archivalThreshold()),
          optional(
                  "on_all_lagging",
                  choice(
                      "serve_least_lagging", "the least lagging serves, marked degraded",
                      "reject", "nobody serves"),
                  "What happens when lag alone would leave nobody.")
              .standard(Selection.DEFAULT.onAllLagging().word()));

  private static final Group WEBSOCKET =
      Group.of(
          optional(
                  "subscribe_new_heads",
                  new Flag(),
                  "Whether heads are also taken from `newHeads` subscriptions.")
              .standard(WebSocketSettings.DEFAULT.subscribeNewHeads()),
          optional(
                  "new_heads_timeout_ms",
                  new Whole(1_000, 3_600_000),
                  "Silence after which such a subscription counts as stalled, in ms.")
              .standard(WebSocketSettings.DEFAULT.newHeadsTimeoutMs()));

  private static final Group SUBSCRIPTION =
      Group.of(
          optional(
                  "max_backfill_blocks",
                  new Whole(0, 100_000),
                  "Longest gap that is filled, in blocks.")
              .standard(SubscriptionSettings.DEFAULT.maxBackfillBlocks()),
          optional(
                  "backfill_timeout",
                  new Whole(100, 600_000),
                  "Time that filling one gap may take, in ms.")
              .standard(SubscriptionSettings.DEFAULT.backfillTimeoutMs()),
          optional(
                  "continuity_policy",
                  choice(
                      "best_effort", "what can be filled is, newest first",
                      "strict_abort", "the subscription ends with an error"),
                  "What happens to a gap that is longer.")
              .standard(SubscriptionSettings.DEFAULT.continuityPolicy().word()),
          optional(
                  "dedupe_max_items",
                  new Whole(1, 1_000_000),
                  "Events remembered to drop duplicates.")
              .standard(SubscriptionSettings.DEFAULT.dedupeMaxItems()),
          optional(
                  "dedupe_max_age_ms",
                  new Whole(1, 3_600_000),
                  "How long they are remembered, in ms.")
              .standard(SubscriptionSettings.DEFAULT.dedupeMaxAgeMs()),
          optional(
                  "max_failover_attempts",
                  new Whole(1, 1_000),
                  "Refills tried within `failover_cooldown_ms` before the stream is degraded.")
              .standard(SubscriptionSettings.DEFAULT.maxFailoverAttempts()),
          optional(
                  "failover_cooldown_ms",
                  new Whole(1, 3_600_000),
                  "The window over which they are counted, in ms.")
              .standard(SubscriptionSettings.DEFAULT.failoverCooldownMs()),
          optional(
                  "max_event_buffer",
                  new Whole(1, 1_000_000),
                  "Events held back while a gap is filled.")
              .standard(SubscriptionSettings.DEFAULT.maxEventBuffer()));

  private static final Group HEDGE =
      Group.of(
          optional(
                  "after",
                  new Either(new Whole(1, 60_000), choice("p95", "its usual latency's P95")),
                  "How long an attempt may take before the next one starts beside it: ms, or `p95`"
                      + " for what is usual for provider and method.")
              .standard("p95"),
          optional(
                  "max",
                  new Whole(0, 3),
                  "Such attempts per request; 0 turns hedging off. A budget per process applies on"
                      + " top.")
              .standard(Hedge.DEFAULT.max()));

  private static final Group METHOD_OVERRIDE =
      Group.of(
          List.of("strategy", "providers", "hedge"),
          optional("strategy", STRATEGY, "The strategy for this method.")
              .otherwise("the default strategy"),
          optional(
                  "providers",
                  new Items(NAME, 1, false),
                  "Ids of the only providers that may serve this method.")
              .otherwise("all"),
          optional("hedge", HEDGE, "Parallel second attempts of this method, if it is a read.")
              .otherwise("`routing.hedge` of the chain"));

  private static final Group ROUTING =
      Group.of(
          optional(
                  "default_strategy",
                  STRATEGY,
                  "Ranks providers where neither URL nor override names a strategy.")
              .standard(RoutingSettings.DEFAULT.defaultStrategy().word()),
          optional(
              "method_overrides",
              new Entries(METHOD, "method", METHOD_OVERRIDE, 0),
              "Another strategy, fewer providers or another hedge, by method."),
          optional(
                  "recheck_null",
                  new Flag(),
                  "Whether a `null` for something that another provider may have is asked again"
                      + " once elsewhere.")
              .standard(RoutingSettings.DEFAULT.recheckNull()),
          optional(
              "hedge",
              HEDGE,
              "Parallel second attempts for reads whose method has no rule of its own."),
          optional(
                  "broadcast",
                  new Whole(1, 16),
                  "Providers that a raw transaction is sent to at once.")
              .standard(RoutingSettings.DEFAULT.broadcast()));

  private static final Group METHOD_ACCESS =
      Group.of(
          optional(
                  "allow",
                  new Items(METHODS, 0, false),
                  "Methods forwarded though Lasso would not by itself.")
              .example(List.of("anvil_*")),
          optional(
                  "deny",
                  new Items(METHODS, 0, false),
                  "Methods refused though Lasso would forward them; wins over `allow`.")
              .example(List.of("eth_getLogs", "debug_*")));

  private static final Group CHAIN =
      Group.of(
          required(
                  "chain_id",
                  new Whole(1, Long.MAX_VALUE),
                  "EIP-155 chain id; a provider that answers with another is not used.")
              .example(1, 8453, 42161),
          optional("name", ANY_TEXT, "Shown to people.")
              .otherwise("the chain's key")
              .example("Ethereum Mainnet"),
          optional(
                  "block_time_ms",
                  new Whole(1, 3_600_000),
                  "Expected time between blocks in ms, until enough of them are measured.")
              .standard(ChainProfile.DEFAULT_BLOCK_TIME_MS)
              .example(12_000, 2_000, 250),
          optional(
                  "aliases",
                  new Items(CHAIN_NAME, 0, false),
                  "Further names of the chain in URLs, beside its key and its id.")
              .example(List.of("eth", "mainnet")),
          optional("monitoring", MONITORING, "How providers are watched."),
          optional("selection", SELECTION, "Which providers may serve."),
          optional("websocket", WEBSOCKET, "How upstream WebSockets are used."),
          optional("subscription", SUBSCRIPTION, "How client subscriptions are kept continuous."),
          optional("routing", ROUTING, "How requests are routed."),
          optional("methods", METHOD_ACCESS, "Which methods clients may call."),
          required(
              "providers", new Items(PROVIDER, 1, false), "The upstreams that serve the chain."));

  /** The whole file. */
  static final Group PROFILE =
      Group.of(
          required("name", ANY_TEXT, "Shown to people.").example("Lasso Public"),
          required(
                  "slug",
                  NAME,
                  "Names the profile in URLs and topics; `default` serves URLs that name none.")
              .example("default"),
          optional(
                  "rps_limit",
                  new Whole(0, 10_000_000),
                  "Requests per second that one client may send; 0 (with `burst_limit` 0) for no"
                      + " limit.")
              .standard(Profile.DEFAULT_RPS_LIMIT),
          optional(
                  "burst_limit",
                  new Whole(0, 10_000_000),
                  "Requests that one client may send at once.")
              .standard(Profile.DEFAULT_BURST_LIMIT),
          required(
              "chains",
              new Entries(CHAIN_NAME, "chain", CHAIN, 1),
              "The chains served, by the name that URLs use."));

  private static final Map<String, SequencedSet<String>> GROUPS_BY_KEY = groupsByKey();

  private ProfileKeys() {}

  /** The groups that have the key, as a path with placeholders. */
  static List<String> groupsWith(String key) {
    return List.copyOf(GROUPS_BY_KEY.getOrDefault(key, new TreeSet<>()));
  }

  private static Map<String, SequencedSet<String>> groupsByKey() {
    Map<String, SequencedSet<String>> groups = new TreeMap<>();
    collect(PROFILE, "", groups);
    return groups;
  }

  private static void collect(Shape shape, String path, Map<String, SequencedSet<String>> groups) {
    switch (shape) {
      case Group group -> {
        for (Shape.Key key : group.keys()) {
          groups
              .computeIfAbsent(key.name(), _ -> new TreeSet<>())
              .add(path.isEmpty() ? "the top" : path);
          collect(key.shape(), path.isEmpty() ? key.name() : path + "." + key.name(), groups);
        }
      }
      case Entries entries ->
          collect(entries.value(), path + ".<" + entries.placeholder() + ">", groups);
      case Items items -> collect(items.item(), path + "[]", groups);
      case Text _, Secret _, Whole _, Flag _, Choice _, Either _ -> {}
    }
  }

  private static Choice methodCategories() {
    SequencedMap<String, String> words = new LinkedHashMap<>();
    for (MethodCategory category : MethodCategory.values()) {
      words.put(category.word(), "methods of the category " + category.word());
    }
    return new Choice(words);
  }

  private static Choice errorClasses() {
    SequencedMap<String, String> words = new LinkedHashMap<>();
    for (ErrorClass errorClass : ErrorClass.values()) {
      String then =
          switch (errorClass.failover()) {
            case NEXT -> "another provider is asked";
            case CONFIRM -> "one other provider is asked";
            case FINAL -> "it is the answer";
          };
      words.put(errorClass.word(), then);
    }
    return new Choice(words);
  }

  private static Choice choice(String... wordsAndMeanings) {
    SequencedMap<String, String> words = new LinkedHashMap<>();
    for (int i = 0; i < wordsAndMeanings.length; i += 2) {
      words.put(wordsAndMeanings[i], wordsAndMeanings[i + 1]);
    }
    return new Choice(words);
  }
}
