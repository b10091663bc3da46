package io.sluice.server.metrics;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.ScheduledFuture;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * Answers one connection, one request after the other: the next one, sent already or not, is taken when the answer is
 * sent. A client that takes longer over a request than it may is closed. Stands behind a handler that gives nothing
 * while reading is switched off.
 */
final class MetricsHandler extends SimpleChannelInboundHandler<HttpObject> {
    private static final String TEXT = "text/plain; charset=utf-8";

    private final MetricsListener listener;
    private ScheduledFuture<?> deadline;
    /** The answer was the last one; what comes now is passed over. */
    private boolean closing;

    MetricsHandler(MetricsListener listener) {
        this.listener = listener;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        expectRequest(ctx, MetricsListener.FIRST_REQUEST_SECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (deadline != null) {
            deadline.cancel(false);
        }
        listener.closed();
    }

    private void expectRequest(ChannelHandlerContext ctx, int seconds) {
        deadline = ctx.executor().schedule(() -> {
            ctx.close();
        }, seconds, TimeUnit.SECONDS);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, HttpObject message) {
        if (closing) {
            return;
        }
        if (message.decoderResult().isFailure()) {
            answer(ctx, HttpResponseStatus.BAD_REQUEST, TEXT, bytes("bad request\n"), true, false);
        } else if (message instanceof HttpRequest request) {
            answer(ctx, request);
        } else {
            // The end of the request before, which was not read for but kept back.
            ctx.read();
        }
    }

    private void answer(ChannelHandlerContext ctx, HttpRequest request) {
        boolean close = !HttpUtil.isKeepAlive(request) || HttpUtil.getContentLength(request, 0L) > 0
                || HttpUtil.isTransferEncodingChunked(request);
        boolean head = HttpMethod.HEAD.equals(request.method());
        if (!head && !HttpMethod.GET.equals(request.method())) {
            answer(ctx, HttpResponseStatus.METHOD_NOT_ALLOWED, TEXT, bytes("only GET and HEAD\n"), true, false);
            return;
        }
        int query = request.uri().indexOf('?');
        switch (query < 0 ? request.uri() : request.uri().substring(0, query)) {
            case "/metrics" -> answer(ctx, HttpResponseStatus.OK, Metrics.CONTENT_TYPE, listener.text(), close, head);
            // That this is answered at all shows that the loop turns.
            case "/healthz" -> answer(ctx, HttpResponseStatus.OK, TEXT, bytes("ok\n"), close, head);
            case "/readyz" -> {
                String reason = listener.notReady();
                answer(ctx, reason == null ? HttpResponseStatus.OK : HttpResponseStatus.SERVICE_UNAVAILABLE, TEXT,
                        bytes(reason == null ? "ok\n" : reason + "\n"), close, head);
            }
            default -> answer(ctx, HttpResponseStatus.NOT_FOUND, TEXT, bytes("/metrics, /healthz, /readyz\n"), close,
                    head);
        }
    }

    private void answer(ChannelHandlerContext ctx, HttpResponseStatus status, String type, byte[] body, boolean close,
            boolean head) {
        closing = close;
        ctx.channel().config().setAutoRead(close);
        deadline.cancel(false);
        ByteBuf content = head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(body);
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, content);
        response.headers().set(HttpHeaderNames.CONTENT_TYPE, type).set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        if (close) {
            response.headers().set(HttpHeaderNames.CONNECTION, "close");
        }
        // A reader that is slower than this is closed with the answer half sent.
        deadline = ctx.executor().schedule(() -> {
            ctx.close();
        }, MetricsListener.ANSWER_SECONDS, TimeUnit.SECONDS);
        ctx.writeAndFlush(response).addListener((ChannelFutureListener) sent -> {
            deadline.cancel(false);
            if (close || !sent.isSuccess()) {
                ctx.close();
            } else {
                // As a task: others have their turn, and many requests at once do not nest.
                ctx.executor().execute(() -> expectNext(ctx));
            }
        });
    }

    private void expectNext(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            expectRequest(ctx, MetricsListener.NEXT_REQUEST_SECONDS);
            ctx.channel().config().setAutoRead(true);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        ctx.close();
    }
}
