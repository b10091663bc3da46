package io.sluice.replication;

/**
 * How a replica introduces itself to its primary.
 *
 * @param user             user name, or empty for the default user
 * @param password         password, or empty for none
 * @param listeningPort    port at which clients reach this server
 * @param announcedAddress address at which they do, or empty for the one that the primary sees
 * @param timeoutMs        silence after which the link counts as dead
 * @param takeOver         whether the primary that is asked is a replica that is to be promoted by being asked
 */
public record FollowSettings(
    String user, String password, int listeningPort, String announcedAddress, long timeoutMs, boolean takeOver) {
}
