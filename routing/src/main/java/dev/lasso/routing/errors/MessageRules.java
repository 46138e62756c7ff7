package dev.lasso.routing.errors;

import static dev.lasso.routing.errors.ErrorClass.BLOCK_NOT_FOUND;
import static dev.lasso.routing.errors.ErrorClass.CAPABILITY_VIOLATION;
import static dev.lasso.routing.errors.ErrorClass.CHAIN_MISMATCH;
import static dev.lasso.routing.errors.ErrorClass.CLIENT_ERROR;
import static dev.lasso.routing.errors.ErrorClass.EXECUTION_REVERTED;
import static dev.lasso.routing.errors.ErrorClass.EXECUTION_TIMEOUT;
import static dev.lasso.routing.errors.ErrorClass.GOING_AWAY;
import static dev.lasso.routing.errors.ErrorClass.INVALID_PARAMS;
import static dev.lasso.routing.errors.ErrorClass.MALFORMED;
import static dev.lasso.routing.errors.ErrorClass.METHOD_NOT_FOUND;
import static dev.lasso.routing.errors.ErrorClass.METHOD_UNSUPPORTED;
import static dev.lasso.routing.errors.ErrorClass.MISSING_DATA;
import static dev.lasso.routing.errors.ErrorClass.NETWORK_ERROR;
import static dev.lasso.routing.errors.ErrorClass.NODE_SYNCING;
import static dev.lasso.routing.errors.ErrorClass.PARSE_ERROR;
import static dev.lasso.routing.errors.ErrorClass.QUOTA_EXCEEDED;
import static dev.lasso.routing.errors.ErrorClass.RANGE_TOO_LARGE;
import static dev.lasso.routing.errors.ErrorClass.RATE_LIMIT;
import static dev.lasso.routing.errors.ErrorClass.REQUEST_TOO_LARGE;
import static dev.lasso.routing.errors.ErrorClass.RESPONSE_TOO_LARGE;
import static dev.lasso.routing.errors.ErrorClass.SERVER_ERROR;
import static dev.lasso.routing.errors.ErrorClass.TIMEOUT;
import static dev.lasso.routing.errors.ErrorClass.TX_REJECTED;
import static dev.lasso.routing.errors.ErrorClass.UNAUTHORIZED;
import static dev.lasso.routing.errors.NumberCondition.between;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The rows of the error table that judge by text. A row stands for a kind of error, not for one
 * vendor's sentence; what distinguishes neighbours is said by their order. See {@link Phrase} for
 * how phrases read.
 */
final class MessageRules {
  private MessageRules() {}

  /** Messages that tell what happened. */
  static List<Rule> telling() {
    return Stream.of(
            tiedToNumbers(),
            TransactionRules.all(),
            sizes(),
            limits(),
            access(),
            data(),
            transport(),
            requests(),
            servers())
        .flatMap(List::stream)
        .toList();
  }

  /** The same words mean something else beside a certain code or status, or before all others. */
  private static List<Rule> tiedToNumbers() {
    return List.of(
        // first, because a contract's reason may contain any words
        Rule.text(
            "reverted",
            EXECUTION_REVERTED,
            "execution revert/reverted",
            "reverted with/without",
            "vm exception while processing",
            "vm execution error",
            "evm revert/reverted/error",
            "transaction/call reverted",
            "^ revert/reverted",
            "always failing transaction"),
        Rule.text(
            "own-lookup-failed",
            SERVER_ERROR,
            "^ get receipt/block/log/header/transaction error",
            "failed to index"),
        Rule.text("caller-gone", CLIENT_ERROR, "context canceled/cancelled")
            .withStatuses(between(499, 499)),
        Rule.text("caller-gone-by-code", CLIENT_ERROR, "context canceled/cancelled")
            .withCodes(NumberCondition.oneOf(Set.of(-32023))),
        Rule.text("backend-away", SERVER_ERROR, "not available $").withStatuses(between(500, 599)),
        Rule.text("page-not-found", SERVER_ERROR, "not found")
            .withCodes(new NumberCondition.Absent())
            .withStatuses(between(404, 404)),
        Rule.text("gas-catalogue", TX_REJECTED, "out of gas").withCodes(between(800, 899)),
        Rule.text("simulation-limit", INVALID_PARAMS, "too many block")
            .withCodes(between(-38029, -38020)),
        Rule.text("plan-timeout", RATE_LIMIT, "timeout on * tier/plan/freetier"),
        Rule.text(
            "broken-json",
            MALFORMED,
            "looking for beginning of value",
            "unexpected end of json",
            "unexpected token * json",
            "not valid json",
            "unterminated string"),
        Rule.text(
            "other-chain",
            CHAIN_MISMATCH,
            "on another chain/network",
            "wrong chain/network",
            "not connected to the? requested chain",
            "unsupported/unknown chain/network",
            "chain/network is? not supported/configured/found"));
  }

  private static List<Rule> sizes() {
    return List.of(
        Rule.text(
            "block-beyond-head",
            BLOCK_NOT_FOUND,
            "beyond * head",
            "beyond * latest",
            "ahead of * head/latest/chain",
            "after last accepted block",
            "greater/higher/larger/newer than * current/latest/head/highest",
            "less than or equal to the current"),
        Rule.text(
            "block-range-invalid",
            INVALID_PARAMS,
            "invalid block range",
            "from block * greater/higher/after/larger",
            "begin/start block * greater/higher/after",
            "to block * lower/less/smaller/before",
            "exceed max topic"),
        Rule.text(
            "range-too-large",
            RANGE_TOO_LARGE,
            "block range",
            "range of block",
            "range * too large/wide/big/long",
            "range * exceed/exceeded",
            "range limit",
            "range over #",
            "exceed/exceeded/exceeding * range",
            "max/maximum * range",
            "smaller/shorter/narrower range",
            "reduce/narrow/limit/restrict the? your? * range",
            "# block range",
            "limited to * range",
            "limited to * block",
            "limit the query to",
            "up to a? # block",
            "at most # block",
            "more than # block",
            "maximum is? # block",
            "block distance",
            "too many block",
            "number of block * exceed/exceeded/large/limit",
            "query return/returned more than",
            "more than # result/log/event",
            "too many result/log/event",
            "max/maximum * result/log",
            "log/result exceed/exceeded/exceeding",
            "result limit",
            "log response size",
            "exceed max result/log",
            "exceed/exceeded * limit of # log/result",
            "log * exceed limit",
            "query exceed/exceeded",
            "query must be smaller",
            "query is? too large/wide/broad"),
        Rule.text(
            "response-too-large",
            RESPONSE_TOO_LARGE,
            "response/result/trace/output is? too large/big/long",
            "response/result * size",
            "response * exceed/exceeded",
            "response/result body * large",
            "max/maximum response",
            "size of the? response/result"),
        Rule.text(
            "request-too-large",
            REQUEST_TOO_LARGE,
            "request is? too large/big/long",
            "request entity/body * large",
            "request * size * exceed/exceeded/large/limit",
            "content length too large",
            "payload/body/entity/message is? too large/big"),
        Rule.text(
            "batch-refused",
            CLIENT_ERROR,
            "batch is? too large/big/long",
            "batch size/limit/length",
            "batch * exceed/exceeded",
            "too many request in * batch",
            "invalid/empty batch",
            "batch request * not"));
  }

  private static List<Rule> limits() {
    return List.of(
        Rule.text(
            "dated-quota",
            QUOTA_EXCEEDED,
            "monthly/daily/weekly",
            "per day/month/week",
            "# day/month",
            "of the day/month"),
        Rule.text("usage-limit-429", RATE_LIMIT, "usage limit").withStatuses(between(429, 429)),
        Rule.text(
            "rate-limit",
            RATE_LIMIT,
            "rate limit/limited/limiting/limiter/exceeded",
            "ratelimit/ratelimited/ratelimiter",
            "request/call rate",
            "too many request/connection/subscription/call",
            "rps/qps/tps/cups/cup/cu/rpm limit/capacity/exceeded/rate",
            "limit/limited to? # rps/qps/tps/cups/cup/rpm",
            "per second/sec/minute/min/hour",
            "# second/sec/minute request/limit/call/rate",
            "request/call second/sec/minute",
            "# request/call limit",
            "request/call/connection/concurrency/subscription limit",
            "throttle/throttled/throttling",
            "over capacity",
            "capacity exceeded",
            "throughput",
            "slow down",
            "too busy",
            "server/node/service/backend is? busy/overloaded",
            "overload/overloaded",
            "high * traffic",
            "too fast/frequently/frequent",
            "concurrent request/connection/call",
            "active subscription/connection/filter * exceeded/limit/reached",
            "in flight request",
            "error code 1015"),
        Rule.text(
            "quota",
            QUOTA_EXCEEDED,
            "quota",
            "not enough cup/cu/credit/compute/balance",
            "insufficient credit/quota/cu",
            "out of credit/cu/compute",
            "credit * exceeded/exhausted/depleted/used/expired/limit",
            "usage reached/exceeded/limit",
            "max/maximum usage",
            "payment required",
            "trial * expired/ended",
            "subscription/plan has? expired/ended",
            "free tier limit",
            "plan limit",
            "limit for/of * plan",
            "exceeded * plan",
            "billing"),
        Rule.text(
            "plan-or-capability",
            CAPABILITY_VIOLATION,
            "not available/supported/enabled/allowed/included/permitted on/for/in/with/by/under *"
                + " plan/tier",
            "on * freetier/free",
            "only available",
            "available on/for/to/in paid/premium/dedicated/archive/enterprise/growth/higher",
            "require/need a? * plan/tier/subscription/addon",
            "plan/tier * does not/doesnt * support/include/allow/have",
            "upgrade from",
            "please upgrade",
            "upgrade to/your/plan/account",
            "paid plan/tier",
            "archive/archival node required",
            "archive/archival * required/needed/disabled/unavailable",
            "archive/archival * not * available/enabled/supported/allowed/included/permitted",
            "require/need an? archive/archival",
            "archive/archival request/call/data/access",
            "not an archive/archival",
            "feature * not enabled/available/allowed",
            "specify * address",
            "max/maximum/many address",
            "maximum number of address",
            "order a dedicated",
            "limit exceeded for this method"));
  }

  private static List<Rule> access() {
    return List.of(
        Rule.text(
            "method-not-allowed",
            METHOD_UNSUPPORTED,
            "method * not * whitelisted/whitelist/allowed/permitted/enabled/implemented",
            "method is? disabled/blocked/restricted/forbidden/unsupported",
            "method * has been disabled",
            "not allowed to access method",
            "access to * method",
            "unsupported/disallowed method"),
        Rule.text(
            "unauthorized",
            UNAUTHORIZED,
            "unauthorized/unauthorised/unauthenticated/forbidden",
            "authenticate/authenticated/authentication/authorization",
            "not authorized/authorised",
            "access/permission/request denied",
            "request/access * blocked",
            "you have been blocked",
            "invalid/missing/wrong/bad/unknown/incorrect/expired/disabled/inactive"
                + " apikey/key/token/secret",
            "invalid/missing/wrong/bad/unknown/incorrect/expired api/access/project/auth/bearer"
                + " key/token/id",
            "invalid/missing/bad * credential/project/auth",
            "api key/token",
            "apikey/jwt",
            "key/token/project is? not?"
                + " valid/invalid/inactive/disabled/expired/revoked/suspended/missing/found",
            "project id",
            "not enabled for this app",
            "does/do not have access",
            "account is? suspended/disabled/blocked/inactive",
            "ip/origin/referer/domain/host/address * not * allowed/whitelisted/authorized",
            "invalid host",
            "attention required",
            "error code 1020/1010/1009/1006/1007/1008"),
        Rule.text(
            "method-not-found",
            METHOD_NOT_FOUND,
            "method not found",
            "method * not found",
            "method * does not exist",
            "method * doesnt exist",
            "unknown/unrecognized/invalid method",
            "no such method",
            "does not exist is not available"),
        Rule.text(
            "method-unsupported",
            METHOD_UNSUPPORTED,
            "method * is? not supported/available $",
            "method is? not? supported/unsupported",
            "method * not supported",
            "transaction pool/pools not enabled",
            "txpool/pool is? disabled/not",
            "tracing/trace/debug/module/namespace/api/engine * not"
                + " enabled/available/supported/active",
            "tracing/debug/module/namespace/api is? disabled",
            "log are not being recorded",
            "not a supported block tag",
            "tag * not supported",
            "expected block number",
            "notification not supported",
            "subscription in * namespace",
            "not yet? implemented",
            "unimplemented"));
  }

  private static List<Rule> data() {
    return List.of(
        Rule.text(
            "old-data-missing",
            MISSING_DATA,
            "missing trie",
            "trie node * missing/not",
            "state * unavailable",
            "state * not * available",
            "state * not found",
            "state already discarded",
            "no state",
            "state root",
            "could/cannot not? find * state",
            "historical/history * not",
            "historical/history * unavailable",
            "state histories/history",
            "no historical",
            "pruned/prune/pruning/purged",
            "old data",
            "data * not available",
            "data unavailable",
            "missing data/receipt/body",
            "snapshot file",
            "recent snapshot",
            "empty reader set",
            "layer stale",
            "load state",
            "version does not exist",
            "tipset",
            "indexing * progress",
            "not * indexed",
            "transaction/receipt/trace/uncle/log/tx is? not found/available",
            "no receipt/transaction/trace",
            "unsupported block number",
            "invalid block height",
            "slot * was skipped",
            "proof window",
            "too old",
            "older than",
            "before * earliest/oldest",
            "earliest/oldest available",
            "lower than * lowest/earliest/oldest",
            "out of * retention",
            "forwarding to classic"),
        Rule.text(
            "node-syncing",
            NODE_SYNCING,
            "still syncing",
            "is syncing",
            "sync/syncing is? * in progress",
            "not * synced/sync",
            "out of sync",
            "sync not",
            "node is behind",
            "catching up"),
        Rule.text(
            "block-not-found",
            BLOCK_NOT_FOUND,
            "unknown/missing/unavailable block/header/ancestor",
            "block/header/height * not * found",
            "block/header * not available",
            "block/header * unavailable/missing/unknown",
            "block/header * does not exist",
            "block/header * doesnt exist",
            "could not be found",
            "cannot/cant find * block/header",
            "could not find * block/header",
            "no block/header",
            "block is? out of range",
            "unfinalized",
            "future block",
            "in the future",
            "block height passed is invalid",
            "block number/height * too high/large",
            "block number/height * exceed"));
  }

  private static List<Rule> transport() {
    return List.of(
        Rule.text(
            "execution-timeout",
            EXECUTION_TIMEOUT,
            "execution/query/evm/tracing/trace/call/handler/filter/search * timeout",
            "execution/query/evm/tracing/trace/call/handler/filter/search * timed out",
            "execution aborted",
            "timeout expired",
            "took too long to execute"),
        Rule.text("gateway-timeout", TIMEOUT, TIMEOUTS).withStatuses(between(408, 408)),
        Rule.text("gateway-timeout", TIMEOUT, TIMEOUTS).withStatuses(between(500, 599)),
        // with a code it is the node's own answer: it ran, and gave up on this request
        Rule.text("node-timeout", EXECUTION_TIMEOUT, TIMEOUTS)
            .withCodes(new NumberCondition.Present()),
        Rule.text("timeout", TIMEOUT, TIMEOUTS),
        Rule.text("error-page-timeout", TIMEOUT, "error code 524/504"),
        Rule.text(
            "going-away",
            GOING_AWAY,
            "going away",
            "service restart/restarting",
            "shutting down",
            "server shutdown",
            "normal closure"),
        Rule.text(
            "connection",
            NETWORK_ERROR,
            "econnrefused/econnreset/epipe/enotfound/ehostunreach/enetunreach/econnaborted/eof/goaway",
            "eai again",
            "connection * refused/reset/closed/aborted/terminated/lost/dropped/failed",
            "connection error/failure",
            "connect/transport error",
            "disconnect/disconnects/disconnected",
            "reset by peer",
            "abnormal closure",
            "closed before",
            "closed network",
            "closed unexpectedly",
            "broken pipe",
            "socket hang up",
            "socket closed",
            "no such host",
            "name resolution",
            "unknown host",
            "dial tcp",
            "no route to host",
            "network/host is? unreachable",
            "stream error",
            "acquire queue",
            "pool exhausted",
            "failed to fetch",
            "fetch failed",
            "status code unavailable",
            "code unavailable",
            "handshake failed/failure/error",
            "tls/ssl/x509",
            "certificate",
            "error code 520/521/522/523/525/526/530"));
  }

  private static List<Rule> requests() {
    return List.of(
        Rule.text(
            "filter-not-found",
            CLIENT_ERROR,
            "filter/subscription * not found",
            "filter/subscription * does not exist",
            "unknown/invalid filter/subscription"),
        Rule.text("user-rejected", CLIENT_ERROR, "user rejected/denied/cancelled"),
        Rule.text(
            "invalid-argument",
            INVALID_PARAMS,
            "missing value for",
            "invalid argument",
            "missing/invalid required? argument/field/type/length/value/address/hash/topic",
            "too many/few argument/param/parameter",
            "expected # argument/param/parameter",
            "wrong number of",
            "param/parameter/argument/field is? required/missing",
            "required param/parameter/argument/field",
            "missing * param/parameter/argument/field",
            "invalid hex/hexadecimal",
            "hex string",
            "hex number",
            "odd length",
            "0x prefix",
            "cannot unmarshal",
            "deserialize/deserialization/unmarshal",
            "storage key",
            "must be in order",
            "cannot specify both",
            "cant/cannot be used with",
            "mutually exclusive",
            "checksum",
            "unknown field",
            "did not match any variant",
            "failed to parse"));
  }

  private static List<Rule> servers() {
    return List.of(
        Rule.text(
            "server-failure",
            SERVER_ERROR,
            "handler crashed",
            "panic/panicked",
            "nil pointer",
            "runtime error",
            "internal * error",
            "database/leveldb/pebble/rocksdb/mdbx",
            "disk",
            "out of memory",
            "failed to get",
            "backend * offline/unhealthy/unavailable/down/not/invalid",
            "no * healthy/available",
            "no backend",
            "not healthy",
            "unhealthy",
            "no server/node/upstream/provider/backend/peer available",
            "no available/healthy/active server/node/upstream/provider/backend/peer/endpoint",
            "bad gateway",
            "service is? temporarily? unavailable",
            "temporarily unavailable",
            "maintenance",
            "upstream error",
            "unhandled",
            "ring balancer",
            "something went wrong",
            "context canceled/cancelled",
            "code canceled/internal/aborted"));
  }

  /** Messages that merely name their code, or a limit of no particular kind. */
  static List<Rule> naming() {
    return List.of(
        Rule.text(
            "names-limit",
            RATE_LIMIT,
            "limit * exceeded/reached",
            "exceeded * limit",
            "reached * limit",
            "exceed * limit",
            "try again",
            "retry later/after/in",
            "backing off"),
        Rule.text("names-revert", EXECUTION_REVERTED, "revert/reverted"),
        Rule.text(
            "names-invalid-params",
            INVALID_PARAMS,
            "invalid param/parameter/request? argument",
            "invalid param/parameter/input",
            "invalid # argument/param",
            "bad param/parameter/argument"),
        Rule.text("names-parse-error", PARSE_ERROR, "parse error", "parsing error", "invalid json"),
        Rule.text(
            "names-bad-request",
            CLIENT_ERROR,
            "invalid request",
            "bad request",
            "invalid json? rpc",
            "malformed request",
            "rpc version"),
        Rule.text("names-media-type", SERVER_ERROR, "unsupported media type"),
        Rule.text("names-method-unsupported", METHOD_UNSUPPORTED, "not supported", "unsupported"),
        Rule.text("names-transaction", TX_REJECTED, "transaction/tx * rejected/dropped/discarded"),
        Rule.text("names-missing", MISSING_DATA, "resource not found", "not found")
            .withCodes(new NumberCondition.Present()),
        Rule.text("names-missing-resource", MISSING_DATA, "resource not found"),
        Rule.text(
            "names-server-error",
            SERVER_ERROR,
            "internal error",
            "server error",
            "resource unavailable",
            "unavailable"));
  }

  private static final String[] TIMEOUTS = {
    "timeout",
    "timed out",
    "time out",
    "deadline exceeded",
    "took too long",
    "etimedout",
    "timedout"
  };
}
