/**
 * Rate-limiting decisions as pure integer arithmetic: stored words, limit, quantity and the current time go in, a
 * {@link io.sluice.limiter.Decision} comes out. Nothing here reads a clock, does I/O or allocates per call.
 *
 * <p>A caller loads a key's words into a {@link io.sluice.limiter.LimiterState}, sets a
 * {@link io.sluice.limiter.Limit} from the arguments, calls
 * {@link io.sluice.limiter.Algorithm#decide} and, when the decision says so, writes the words back <em>in index
 * order</em>. Every object is reusable and belongs to one thread.
 */
package io.sluice.limiter;
