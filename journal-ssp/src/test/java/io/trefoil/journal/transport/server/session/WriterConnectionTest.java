/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.RefusalCounters;
import io.trefoil.journal.transport.server.TestNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How requests are gathered into turns, and answers into flushes. */
class WriterConnectionTest {

    private final List<String> out = new ArrayList<>();
    private final TestNode node = new TestNode();
    private final RefusalCounters refusals = new RefusalCounters();
    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameRecorder());

    private void open() throws SessionRefusedException {
        NodeSession session = node.accept(Samples.hello(Hello.CallerRole.WRITER), "test");
        channel.pipeline()
                .addLast(new WriterConnection(
                        session,
                        new ReplySender(
                                channel,
                                new ConnectionMemory(Long.MAX_VALUE, refusals, System::nanoTime).openShare(channel),
                                refusals),
                        refusals));
    }

    @Test
    void turnFlushesItsAnswersOnce() throws Exception {
        open();
        channel.pipeline().fireChannelRead(frame(1, 100));
        channel.pipeline().fireChannelRead(frame(2, 100));
        channel.pipeline().fireChannelRead(frame(3, 100));
        assertThat(out).isEmpty();

        channel.pipeline().fireChannelReadComplete();

        assertThat(out).containsExactly("write", "write", "write", "flush");
        assertThat(node.turnSizes).containsExactly(3);
    }

    @Test
    void splitsLongTurn() throws Exception {
        open();
        for (int i = 1; i <= 10; i++) {
            channel.pipeline().fireChannelRead(frame(i, 1024 * 1024));
        }
        channel.pipeline().fireChannelReadComplete();

        assertThat(node.turnSizes).containsExactly(4, 4, 2);
    }

    @Test
    void lateAnswerIsFlushedImmediately() throws Exception {
        List<InboundRequest> kept = new ArrayList<>();
        node.turn = kept::addAll;
        open();
        channel.pipeline().fireChannelRead(frame(1, 100));
        channel.pipeline().fireChannelReadComplete();
        out.clear();

        kept.get(0).answer(Samples.appended(1));

        assertThat(out).containsExactly("write", "flush");
    }

    @Test
    void dropsAnswerForClosedConnection() throws Exception {
        List<InboundRequest> kept = new ArrayList<>();
        node.turn = kept::addAll;
        open();
        channel.pipeline().fireChannelRead(frame(1, 100));
        channel.pipeline().fireChannelReadComplete();
        channel.close();
        out.clear();

        kept.get(0).answer(Samples.appended(1));

        assertThat(out).isEmpty();
        assertThat(node.closed).hasValue(1);
        assertThat(refusals.countsByCause().values()).containsOnly(0L);
    }

    private static WireFrame frame(long sn, int length) {
        return new WireFrame(sn, Samples.append(sn), length);
    }

    /** Writes down what leaves. */
    private final class FrameRecorder extends ChannelOutboundHandlerAdapter {
        @Override
        public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
            ReferenceCountUtil.release(message);
            out.add("write");
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            out.add("flush");
        }
    }
}
