package io.sluice.server.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The connected clients in the order of their ids. Owned by the event loop. */
public final class ClientRegistry {
    private final Map<Long, Connection> byId = new LinkedHashMap<>();
    private long lastId;
    private int unauthenticated;

    long nextId() {
        return ++lastId;
    }

    void add(Connection connection) {
        byId.put(connection.id(), connection);
        unauthenticated += connection.isAuthenticated() ? 0 : 1;
    }

    void remove(Connection connection) {
        if (byId.remove(connection.id()) != null) {
            unauthenticated -= connection.isAuthenticated() ? 0 : 1;
        }
    }

    public Collection<Connection> all() {
        return byId.values();
    }

    /** A copy, for those who close clients on the way. */
    public List<Connection> snapshot() {
        return new ArrayList<>(byId.values());
    }

    /** The client of this id, or null. */
    public Connection find(long id) {
        return byId.get(id);
    }

    public int size() {
        return byId.size();
    }

    /** Clients that have not authenticated. */
    int unauthenticated() {
        return unauthenticated;
    }

    void authenticationChanged(boolean authenticated) {
        unauthenticated += authenticated ? -1 : 1;
    }
}
