/**
 * What the platform knows about JSON-RPC methods and reads from a request before it routes it.
 *
 * <p>{@link dev.lasso.routing.facts.MethodTable} holds one row per public method; {@link
 * dev.lasso.routing.facts.RequestFacts} is what follows from a row and a request's parameters;
 * {@link dev.lasso.routing.facts.MethodPolicy} says which methods a profile serves at all.
 */
@NullMarked
package dev.lasso.routing.facts;

import org.jspecify.annotations.NullMarked;
