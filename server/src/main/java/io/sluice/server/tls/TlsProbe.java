package io.sluice.server.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;

import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * Has a server answer the first words of a client in memory. Engines take lists of versions and of suites that leave
 * nothing to agree on, be it with each other or with the key, and then end every handshake.
 */
final class TlsProbe {
    private static final int ROUNDS_MAX = 20;
    /** The first byte of a record that goes on with a handshake; another one is an alert. */
    private static final byte HANDSHAKE = 22;

    private TlsProbe() {
    }

    /**
     * Returns if the server goes on with the handshake.
     *
     * @param client has the server's versions and suites
     * @throws SSLException if it does not
     */
    static void check(SslContext server, SslContext client) throws SSLException {
        SSLEngine serverEngine = server.newEngine(ByteBufAllocator.DEFAULT);
        try {
            SSLEngine clientEngine = client.newEngine(ByteBufAllocator.DEFAULT);
            try {
                answer(serverEngine, hello(clientEngine));
            } finally {
                ReferenceCountUtil.release(clientEngine);
            }
        } finally {
            ReferenceCountUtil.release(serverEngine);
        }
    }

    private static ByteBuffer hello(SSLEngine client) throws SSLException {
        ByteBuffer hello = ByteBuffer.allocate(client.getSession().getPacketBufferSize());
        client.beginHandshake();
        for (int i = 0; i < ROUNDS_MAX && hello.position() == 0; i++) {
            client.wrap(ByteBuffer.allocate(0), hello);
            runTasks(client);
        }
        return hello.flip();
    }

    private static void answer(SSLEngine server, ByteBuffer hello) throws SSLException {
        ByteBuffer words = ByteBuffer.allocate(server.getSession().getApplicationBufferSize());
        ByteBuffer answer = ByteBuffer.allocate(server.getSession().getPacketBufferSize());
        server.beginHandshake();
        for (int i = 0; i < ROUNDS_MAX && answer.position() == 0; i++) {
            if (server.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                server.wrap(ByteBuffer.allocate(0), answer);
            } else {
                server.unwrap(hello, words);
            }
            runTasks(server);
        }
        if (answer.get(0) != HANDSHAKE) {
            throw new SSLException("no handshake can succeed: these versions and suites leave nothing to agree on");
        }
    }

    private static void runTasks(SSLEngine engine) {
        Runnable task = engine.getDelegatedTask();
        while (task != null) {
            task.run();
            task = engine.getDelegatedTask();
        }
    }
}
