/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.pool.client.CallLink;
import io.trefoil.journal.pool.image.NodeImages;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.NodeSession;
import io.trefoil.journal.transport.Welcome;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A reader's session: one request after the other, none of them on the commit path. Runs on one reader thread at a
 * time.
 */
final class ReaderSession implements NodeSession {
    /**
     * How long a silent NameNode counts as waiting for its calls: shorter than the silence after which it gives up on them. While
     * calls wait, it asks for a sign several times in that time.
     */
    private static final long HEARD_NANOS = CallLink.SILENCE.toNanos() * 3 / 4;

    private final HostedReplica hosted;
    private final JournalReplica replica;
    private final Welcome welcome;
    private final HostedReplicas replicas;
    private final CommitSubscriptions commitSubscriptions;
    private final NodeImages images;
    private final Function<JournalId, ForwardedCalls> calls;
    private volatile boolean closed;
    private volatile long heardNanos = System.nanoTime();

    ReaderSession(
            HostedReplica hosted,
            Welcome welcome,
            HostedReplicas replicas,
            CommitSubscriptions commitSubscriptions,
            NodeImages images,
            Function<JournalId, ForwardedCalls> calls) {
        this.hosted = hosted;
        this.replica = hosted.replica();
        this.welcome = welcome;
        this.replicas = replicas;
        this.commitSubscriptions = commitSubscriptions;
        this.images = images;
        this.calls = calls;
    }

    @Override
    public Welcome welcome() {
        return welcome;
    }

    @Override
    public boolean mayBlock(PoolRequest request) {
        return !JournalReplica.isQuery(request) && !(request instanceof ForwardRequest);
    }

    @Override
    public void handleRequests(List<InboundRequest> inbound) {
        heardNanos = System.nanoTime();
        for (InboundRequest request : inbound) {
            if (request.request() instanceof AwaitCommitRequest) {
                commitSubscriptions.begin(this, replica, (AwaitCommitRequest) request.request(), request);
            } else if (request.request() instanceof FetchRequest) {
                request.answer(replica.entryReader().answer((FetchRequest) request.request()));
            } else if (request.request() instanceof ImagesRequest) {
                request.answer(images.listHeldImages(hosted.journal(), replica));
            } else if (request.request() instanceof ImagePartRequest) {
                images.serve(hosted.journal(), replica, (ImagePartRequest) request.request(), request);
            } else if (request.request() instanceof ForwardRequest) {
                execute((ForwardRequest) request.request(), request);
            } else {
                Optional<PoolReply> reply = replica.perform(request.request());
                replicas.report(hosted);
                reply.ifPresent(request::answer);
            }
        }
    }

    private void execute(ForwardRequest request, InboundRequest oneRequest) {
        Optional<ForwardedCalls> nameNode = Optional.ofNullable(calls.apply(hosted.journal()));
        if (nameNode.isPresent()) {
            nameNode.get().execute(request.call(), new ForwardedCalls.Forwarder() {
                @Override
                public void accept(Bytes answer) {
                    oneRequest.answer(ForwardedReply.of(welcome.node(), answer));
                }

                @Override
                public boolean isWaiting() {
                    // A network that is cut does not say that the session has ended.
                    return !closed && System.nanoTime() - heardNanos < HEARD_NANOS;
                }
            });
        } else {
            oneRequest.answer(FailedReply.of(
                    welcome.node(), "no NameNode of this journal in the process of this node takes calls"));
        }
    }

    @Override
    public void onClosed() {
        closed = true;
        commitSubscriptions.end(this);
        replicas.endSession(hosted);
    }
}
