/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.transport.codec.field.ChangeFields;
import io.trefoil.journal.transport.codec.field.WireWriter;

/** Writes the body of each request and gives its type. */
final class RequestWriter implements PoolRequest.Handler<MessageType, RuntimeException> {

    private final WireWriter out;

    RequestWriter(WireWriter out) {
        this.out = out;
    }

    @Override
    public MessageType on(NewEpochRequest request) {
        out.epoch(request.epoch()).writer(request.writer()).number64(request.leaseMillis());
        return MessageType.NEW_EPOCH;
    }

    @Override
    public MessageType on(AppendRequest request) {
        out.incarnation(request.incarnation())
                .epoch(request.epoch())
                .writer(request.writer())
                .number64(request.leaseMillis())
                .position(request.prev())
                .position(request.committedPosition())
                .number64(request.lastSn())
                .entries(request.entries());
        return MessageType.APPEND;
    }

    @Override
    public MessageType on(CommitRequest request) {
        out.incarnation(request.incarnation()).epoch(request.epoch()).number64(request.committedSn());
        return MessageType.COMMIT;
    }

    @Override
    public MessageType on(StepDownRequest request) {
        out.incarnation(request.incarnation()).epoch(request.epoch());
        return MessageType.STEP_DOWN;
    }

    @Override
    public MessageType on(RebaseRequest request) {
        out.epoch(request.epoch())
                .writer(request.writer())
                .number64(request.leaseMillis())
                .summary(request.base());
        return MessageType.REBASE;
    }

    @Override
    public MessageType on(FetchRequest request) {
        out.incarnation(request.incarnation())
                .number64(request.firstSn())
                .number32(request.maxBytes())
                .epoch(request.readerEpoch());
        return MessageType.FETCH;
    }

    @Override
    public MessageType on(StatusRequest request) {
        return MessageType.STATUS;
    }

    @Override
    public MessageType on(AwaitCommitRequest request) {
        out.number64(request.knownSn()).number64(request.timeoutMillis());
        return MessageType.AWAIT_COMMIT;
    }

    @Override
    public MessageType on(SegmentsRequest request) {
        out.number64(request.fromTxId());
        return MessageType.SEGMENTS;
    }

    @Override
    public MessageType on(FormatRequest request) {
        out.namespace(request.namespace())
                .node(request.node())
                .summary(request.base())
                .flag(request.force())
                .entries(request.entries());
        return MessageType.FORMAT;
    }

    @Override
    public MessageType on(PurgeRequest request) {
        out.incarnation(request.incarnation()).epoch(request.epoch()).number64(request.minTxId());
        return MessageType.PURGE;
    }

    @Override
    public MessageType on(ChangeMembersRequest request) {
        ChangeFields.write(out, request.change());
        return MessageType.CHANGE_MEMBERS;
    }

    @Override
    public MessageType on(CollectChangesRequest request) {
        out.epoch(request.epoch());
        ChangeFields.writeProgress(out, request.progress());
        return MessageType.COLLECT_CHANGES;
    }

    @Override
    public MessageType on(RetireRequest request) {
        out.incarnation(request.incarnation()).epoch(request.epoch()).node(request.node());
        return MessageType.RETIRE;
    }

    @Override
    public MessageType on(StartOverRequest request) {
        out.node(request.node()).incarnation(request.incarnation());
        return MessageType.START_OVER;
    }

    @Override
    public MessageType on(ImagesRequest request) {
        return MessageType.IMAGES;
    }

    @Override
    public MessageType on(ImagePartRequest request) {
        out.image(request.image()).number32(request.part());
        return MessageType.IMAGE_PART;
    }

    @Override
    public MessageType on(ForwardRequest request) {
        out.bytes(request.call());
        return MessageType.FORWARD;
    }
}
