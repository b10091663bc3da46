/**
 * The Redis serialization protocol: bytes to {@link io.sluice.resp.Request requests} and
 * {@link io.sluice.resp.Reply replies} to bytes, in versions 2 and 3, with inline commands.
 *
 * <p>Nothing here knows a command, a clock or a socket. The hot path allocates nothing: requests are offsets into
 * the read buffer, replies are appended to one output buffer.
 */
package io.sluice.resp;
