package dev.lasso.simulator.node;

import dev.lasso.simulator.fault.Fault;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a node has to say to a call and how the way back to the caller is disturbed.
 *
 * @param reply the JSON-RPC reply
 * @param delay time by which faults hold it back
 * @param disruption the fault the transport must act out instead of, or while, sending the reply;
 *     null to send it plainly
 */
public record Answer(RpcReply reply, Duration delay, Fault.@Nullable OnTransport disruption) {}
