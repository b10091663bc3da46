package io.sluice.server.tracking;

import java.util.List;

/**
 * How a client wants to be told of changes.
 *
 * @param redirectId the client that gets the messages; 0: the client itself
 * @param broadcast  of every key with one of the prefixes, instead of the keys that the client has read
 * @param optIn      only of keys read by the command behind {@code CLIENT CACHING YES}
 * @param optOut     not of keys read by the command behind {@code CLIENT CACHING NO}
 * @param noLoop     not of what the client changes itself
 * @param prefixes   for broadcasts; none means every key
 */
public record TrackingOptions(long redirectId, boolean broadcast, boolean optIn, boolean optOut, boolean noLoop,
        List<byte[]> prefixes) {
}
