package io.sluice.server;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

class SystemdNotifierTest {
    @TempDir
    private Path directory;

    @Test
    void shouldTellSystemdWhenItIsReadyAndWhenItStops() throws Exception {
        assumeTrue(Epoll.isAvailable());
        Path socket = directory.resolve("notify");
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        Channel systemd = new Bootstrap().group(group).channel(EpollDomainDatagramChannel.class)
            .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                @Override
                protected void channelRead0(ChannelHandlerContext ctx, DomainDatagramPacket packet) {
                    received.add(packet.content().toString(StandardCharsets.UTF_8));
                }
            }).bind(new DomainSocketAddress(socket.toString())).sync().channel();
        SystemdNotifier notifier = new SystemdNotifier(socket.toString());
        notifier.ready("Ready");
        assertEquals("READY=1\nSTATUS=Ready", received.poll(30, TimeUnit.SECONDS));
        notifier.stopping();
        assertEquals("STOPPING=1\nSTATUS=Stopping", received.poll(30, TimeUnit.SECONDS));
        systemd.close().sync();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    @Test
    void shouldDoNothingWithoutSystemd() {
        new SystemdNotifier(null).ready("Ready");
        new SystemdNotifier("").ready("Ready");
        new SystemdNotifier(directory.resolve("nobody").toString()).ready("Ready");
    }
}
