package io.sluice.compat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network in front of a server: passes bytes on, both ways, until it is cut. Then nothing gets through and nobody
 * is told, as with a cable that was pulled; what is on its way arrives when it is mended.
 */
final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 1 << 16;

    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile int targetPort;
    /** Guarded by this. */
    private boolean cut;

    TcpProxy() {
        try {
            listener = new ServerSocket(ServerProcess.freePort(), 512, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to accept connections, and passes them on to this port. */
    TcpProxy to(int newTargetPort) {
        targetPort = newTargetPort;
        run(this::accept);
        return this;
    }

    int port() {
        return listener.getLocalPort();
    }

    synchronized void cut() {
        cut = true;
    }

    synchronized void mend() {
        cut = false;
        notifyAll();
    }

    /** Ends all connections, as when a device between has forgotten them; new ones are accepted. */
    void reset() {
        sockets.forEach(TcpProxy::close);
    }

    private synchronized void awaitMended() {
        try {
            while (cut) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(Runnable task) {
        Thread thread = new Thread(task, "proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                sockets.add(client);
                run(() -> connect(client));
            } catch (IOException e) {
                // Closed, or no descriptor is left: whoever waits will say what he misses.
            }
        }
    }

    private void connect(Socket client) {
        try {
            awaitMended();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), targetPort);
            sockets.add(server);
            client.setTcpNoDelay(true);
            server.setTcpNoDelay(true);
            run(() -> pass(client, server));
            pass(server, client);
        } catch (IOException e) {
            close(client);
        }
    }

    private void pass(Socket from, Socket to) {
        try {
            copy(from, to);
        } catch (IOException e) {
            // An end by force is an end.
        }
        awaitMended();
        sockets.removeAll(Set.of(from, to));
        close(from);
        close(to);
    }

    private void copy(Socket from, Socket to) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = from.getInputStream().read(buffer); read >= 0; read = from.getInputStream().read(buffer)) {
            awaitMended();
            to.getOutputStream().write(buffer, 0, read);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reset();
        mend();
    }
}
