package dev.lasso.routing.errors;

import static dev.lasso.routing.errors.ErrorClass.BLOCK_NOT_FOUND;
import static dev.lasso.routing.errors.ErrorClass.CAPABILITY_VIOLATION;
import static dev.lasso.routing.errors.ErrorClass.CHAIN_MISMATCH;
import static dev.lasso.routing.errors.ErrorClass.CLIENT_ERROR;
import static dev.lasso.routing.errors.ErrorClass.EXECUTION_REVERTED;
import static dev.lasso.routing.errors.ErrorClass.GOING_AWAY;
import static dev.lasso.routing.errors.ErrorClass.INVALID_PARAMS;
import static dev.lasso.routing.errors.ErrorClass.MALFORMED;
import static dev.lasso.routing.errors.ErrorClass.METHOD_NOT_FOUND;
import static dev.lasso.routing.errors.ErrorClass.METHOD_UNSUPPORTED;
import static dev.lasso.routing.errors.ErrorClass.MISSING_DATA;
import static dev.lasso.routing.errors.ErrorClass.NETWORK_ERROR;
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

/**
 * The rows of the error table that judge by a number alone, when the text says nothing. Codes:
 * JSON-RPC 2.0 section 5.1, EIP-1474, EIP-1193, execution-apis' {@code eth_simulateV1} and error
 * groups, RFC 6455 section 7.4.1, and the ranges that vendors are known for.
 */
final class NumberRules {
  private NumberRules() {}

  static List<Rule> codes() {
    return List.of(
        Rule.code("code-parse-error", PARSE_ERROR, -32700),
        Rule.code("code-invalid-request", CLIENT_ERROR, -32600, -32006),
        Rule.code("code-method-not-found", METHOD_NOT_FOUND, -32601),
        Rule.code("code-invalid-params", INVALID_PARAMS, -32602),
        Rule.code("code-internal-error", SERVER_ERROR, -32603),
        Rule.code("code-resource-not-found", MISSING_DATA, -32001),
        Rule.code("code-resource-unavailable", SERVER_ERROR, -32002),
        Rule.code("code-transaction-rejected", TX_REJECTED, -32003, -32100),
        Rule.code("code-method-not-supported", METHOD_UNSUPPORTED, -32004),
        Rule.code("code-limit-exceeded", RATE_LIMIT, -32005),
        // quicknode, onfinality, proxyd, ankr, allnodes
        Rule.code(
            "code-vendor-rate-limit",
            RATE_LIMIT,
            -32007,
            -32009,
            -32012,
            -32016,
            -32024,
            -32029,
            -32090,
            -32097),
        // jsonrpsee (reth), proxyd
        Rule.code("code-response-too-large", RESPONSE_TOO_LARGE, -32008, -32020),
        // cloudflare-eth, quicknode
        Rule.code("code-range-too-large", RANGE_TOO_LARGE, -32047, -32614),
        // publicnode
        Rule.code("code-vendor-capability", CAPABILITY_VIOLATION, -32701),
        // Parity's and Nethermind's, where proxyd means something else by them over HTTP 5xx
        Rule.code("code-parity-transaction", TX_REJECTED, -32010)
            .withStatuses(new NumberCondition.Not(between(500, 599))),
        Rule.code("code-parity-execution", EXECUTION_REVERTED, -32015)
            .withStatuses(new NumberCondition.Not(between(500, 599))),
        Rule.code("code-proxy-sender-limit", TX_REJECTED, -32017),
        Rule.code("code-proxy-backend", SERVER_ERROR, -32010, -32011, -32013, -32018, -32025),
        Rule.code("code-proxy-batch", CLIENT_ERROR, -32014),
        Rule.code("code-proxy-block-range", BLOCK_NOT_FOUND, -32019),
        Rule.code("code-proxy-request-too-large", REQUEST_TOO_LARGE, -32021),
        Rule.code("code-proxy-timeout", TIMEOUT, -32015),
        Rule.code("code-proxy-cancelled", CLIENT_ERROR, -32023),
        Rule.code("code-execution", EXECUTION_REVERTED, 3, 4),
        Rule.code("code-gas-catalogue", TX_REJECTED).withCodes(between(800, 899)),
        Rule.code("code-counters", EXECUTION_REVERTED).withCodes(between(2000, 2099)),
        Rule.code("code-simulated-transaction", TX_REJECTED).withCodes(between(-38019, -38010)),
        Rule.code("code-simulation-input", INVALID_PARAMS).withCodes(between(-38029, -38020)),
        Rule.code("code-unknown-block", BLOCK_NOT_FOUND, -39001),
        Rule.code("code-pruned-history", MISSING_DATA, 4444),
        Rule.code("code-user-rejected", CLIENT_ERROR, 4001),
        Rule.code("code-wallet-unauthorized", UNAUTHORIZED, 4100, -40100, -40300),
        Rule.code("code-wallet-unsupported", METHOD_UNSUPPORTED, 4200),
        Rule.code("code-wallet-disconnected", NETWORK_ERROR, 4900),
        Rule.code("code-wallet-other-chain", CHAIN_MISMATCH, 4901),
        Rule.code("close-going-away", GOING_AWAY, 1000, 1001, 1012),
        Rule.code("close-abnormal", NETWORK_ERROR, 1005, 1006, 1015),
        Rule.code("close-protocol", MALFORMED, 1002, 1003, 1007, 1010),
        Rule.code("close-policy", UNAUTHORIZED, 1008),
        Rule.code("close-too-big", REQUEST_TOO_LARGE, 1009),
        Rule.code("close-internal-error", SERVER_ERROR, 1011, 1014),
        Rule.code("close-try-again-later", RATE_LIMIT, 1013));
  }

  static List<Rule> statuses() {
    return List.of(
        Rule.status("http-no-json-rpc", MALFORMED, 200, 299)
            .withCodes(new NumberCondition.Absent()),
        Rule.status("http-redirect", SERVER_ERROR, 300, 399),
        // with a code the answer is a JSON-RPC error of unknown meaning, and 400 tells nothing more
        Rule.status("http-bad-request", CLIENT_ERROR, 400, 400)
            .withCodes(new NumberCondition.Absent()),
        Rule.status("http-unprocessable", CLIENT_ERROR, 422, 422)
            .withCodes(new NumberCondition.Absent()),
        Rule.status("http-unauthorized", UNAUTHORIZED, 401, 401),
        Rule.status("http-payment-required", QUOTA_EXCEEDED, 402, 402),
        Rule.status("http-forbidden", UNAUTHORIZED, 403, 403),
        // not an endpoint for JSON-RPC over POST: it is the provider's configuration that is wrong
        Rule.status("http-wrong-endpoint", SERVER_ERROR, 404, 406),
        Rule.status("http-proxy-login", UNAUTHORIZED, 407, 407),
        Rule.status("http-request-timeout", TIMEOUT, 408, 408),
        Rule.status("http-gone", SERVER_ERROR, 410, 410),
        Rule.status("http-request-too-large", REQUEST_TOO_LARGE, 413, 414),
        Rule.status("http-wrong-media-type", SERVER_ERROR, 415, 415),
        Rule.status("http-misdirected", SERVER_ERROR, 421, 421),
        Rule.status("http-upgrade-required", SERVER_ERROR, 426, 426),
        Rule.status("http-too-many-requests", RATE_LIMIT, 429, 429),
        Rule.status("http-headers-too-large", REQUEST_TOO_LARGE, 431, 431),
        Rule.status("http-legal-reasons", UNAUTHORIZED, 451, 451),
        Rule.status("http-caller-gone", CLIENT_ERROR, 499, 499),
        Rule.status("http-not-implemented", METHOD_UNSUPPORTED, 501, 501),
        Rule.status("http-gateway-timeout", TIMEOUT, 504, 504),
        Rule.status("http-insufficient-storage", SERVER_ERROR, 507, 507),
        Rule.status("http-cdn-unreachable", NETWORK_ERROR, 520, 523),
        Rule.status("http-cdn-timeout", TIMEOUT, 524, 524),
        Rule.status("http-cdn-tls", NETWORK_ERROR, 525, 527),
        Rule.status("http-overloaded", RATE_LIMIT, 529, 529),
        Rule.status("http-cdn-origin", NETWORK_ERROR, 530, 530),
        Rule.status("http-server-error", SERVER_ERROR, 500, 599),
        Rule.status("http-client-error", CLIENT_ERROR, 400, 499)
            .withCodes(new NumberCondition.Absent()));
  }
}
