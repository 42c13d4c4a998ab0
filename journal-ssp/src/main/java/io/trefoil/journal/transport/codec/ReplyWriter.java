/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;

/** Writes the body of each answer and says its type. */
final class ReplyWriter implements PoolReply.Handler<MessageType> {

    private final WireWriter out;

    ReplyWriter(WireWriter out) {
        this.out = out;
    }

    @Override
    public MessageType on(PromiseReply reply) {
        out.node(reply.node())
                .epoch(reply.epoch())
                .summary(reply.end())
                .number64(reply.committedSn())
                .position(reply.heard())
                .number64(reply.firstTxId())
                .standing(reply.standing());
        return MessageType.PROMISE;
    }

    @Override
    public MessageType on(AppendedReply reply) {
        out.node(reply.node()).epoch(reply.epoch()).number64(reply.matchedSn()).standing(reply.standing());
        return MessageType.APPENDED;
    }

    @Override
    public MessageType on(MismatchReply reply) {
        out.node(reply.node())
                .epoch(reply.epoch())
                .position(reply.last())
                .number64(reply.committedSn())
                .standing(reply.standing());
        return MessageType.MISMATCH;
    }

    @Override
    public MessageType on(StaleEpochReply reply) {
        out.node(reply.node()).epoch(reply.promised());
        return MessageType.STALE_EPOCH;
    }

    @Override
    public MessageType on(LeaseHeldReply reply) {
        out.node(reply.node()).epoch(reply.promised()).number64(reply.remainingMillis());
        return MessageType.LEASE_HELD;
    }

    @Override
    public MessageType on(NotFormattedReply reply) {
        out.node(reply.node());
        return MessageType.NOT_FORMATTED;
    }

    @Override
    public MessageType on(DoneReply reply) {
        out.node(reply.node());
        return MessageType.DONE;
    }

    @Override
    public MessageType on(EntriesReply reply) {
        out.node(reply.node()).number64(reply.committedSn()).entries(reply.entries());
        return MessageType.ENTRIES;
    }

    @Override
    public MessageType on(PurgedReply reply) {
        out.node(reply.node()).summary(reply.base());
        return MessageType.PURGED;
    }

    @Override
    public MessageType on(StatusReply reply) {
        Promise promise = reply.promise();
        out.node(reply.node())
                .namespace(reply.namespace())
                .epoch(promise.epoch())
                .writer(promise.writer())
                .number64(promise.leaseMillis())
                .summary(reply.end())
                .summary(reply.committed())
                .number64(reply.firstSn())
                .standing(reply.standing())
                .number64(reply.leaseHeldMillis())
                .number64(reply.diskSilentMillis());
        return MessageType.STATUS_REPLY;
    }

    @Override
    public MessageType on(SegmentsReply reply) {
        out.node(reply.node())
                .number64(reply.committedSn())
                .number64(reply.committedTxId())
                .number32(reply.segments().size());
        for (SegmentInfo segment : reply.segments()) {
            range(segment.txIds());
            out.flag(segment.finalized()).number32(segment.layoutVersion());
            range(segment.found());
            out.number64(segment.foundSn());
        }
        return MessageType.SEGMENTS_REPLY;
    }

    @Override
    public MessageType on(FailedReply reply) {
        out.node(reply.node()).explanation(reply.reason());
        return MessageType.FAILED;
    }

    @Override
    public MessageType on(OtherIncarnationReply reply) {
        out.node(reply.node()).incarnation(reply.incarnation());
        return MessageType.OTHER_INCARNATION;
    }

    @Override
    public MessageType on(ChangeReply reply) {
        out.node(reply.node());
        ChangeFields.write(out, reply.progress());
        return MessageType.CHANGE_REPLY;
    }

    @Override
    public MessageType on(ChangesReply reply) {
        out.node(reply.node());
        ChangeFields.writeChanges(out, reply.changes());
        return MessageType.CHANGES_REPLY;
    }

    @Override
    public MessageType on(StartedOverReply reply) {
        out.node(reply.node()).explanation(reply.movedTo());
        return MessageType.STARTED_OVER;
    }

    @Override
    public MessageType on(ImagesReply reply) {
        out.node(reply.node()).number32(reply.images().size());
        for (HeldImage image : reply.images()) {
            out.image(image.id()).bytes(image.checksums()).text(image.version());
        }
        return MessageType.IMAGES_REPLY;
    }

    @Override
    public MessageType on(ImagePartReply reply) {
        out.node(reply.node()).bytes(reply.bytes());
        return MessageType.IMAGE_PART_REPLY;
    }

    private void range(TxRange range) {
        out.number64(range.first()).number64(range.last());
    }
}
