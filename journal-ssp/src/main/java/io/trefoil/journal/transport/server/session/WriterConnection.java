/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.codec.WireFrame;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A WRITER session, entirely on the loop of its journal: the thread that reads frames also serves them, everything that it read together in
 * one turn.
 */
public final class WriterConnection extends ChannelInboundHandlerAdapter {

    /** A turn with more bytes than this is served in parts, so that its memory is bounded. */
    private static final int MAX_TURN_BYTES = 4 * 1024 * 1024;

    private final NodeSession session;
    private final ReplySender answers;
    private final RefusalCounters refusals;
    private List<InboundRequest> turn = new ArrayList<>();
    private int turnBytes;

    public WriterConnection(NodeSession session, ReplySender answers, RefusalCounters refusals) {
        this.session = session;
        this.answers = answers;
        this.refusals = refusals;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ReceivedRequest request = new ReceivedRequest((WireFrame) message, answers);
        turn.add(request);
        turnBytes += request.length();
        if (turnBytes >= MAX_TURN_BYTES) {
            serve();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        serve();
    }

    private void serve() {
        if (turn.isEmpty()) {
            return;
        }
        List<InboundRequest> requests = Collections.unmodifiableList(turn);
        turn = new ArrayList<>();
        turnBytes = 0;
        answers.beginTurn();
        try {
            session.handleRequests(requests);
        } finally {
            answers.endTurn();
        }
    }

    /** Stops reading from a caller that does not read its answers. */
    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        turn.clear();
        session.onClosed();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        FaultHandler.close(context.channel(), cause, refusals);
    }
}
