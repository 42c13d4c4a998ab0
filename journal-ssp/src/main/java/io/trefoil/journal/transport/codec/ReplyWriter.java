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
import io.trefoil.journal.protocol.ForwardedReply;
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
import io.trefoil.journal.transport.codec.field.ChangeFields;
import io.trefoil.journal.transport.codec.field.WireWriter;

/** Writes the body of each answer and gives its type. */
final class ReplyWriter implements PoolReply.Handler {

    private final WireWriter out;
    private MessageType type;

    private ReplyWriter(WireWriter out) {
        this.out = out;
    }

    static MessageType write(PoolReply reply, WireWriter out) {
        ReplyWriter writer = new ReplyWriter(out);
        reply.dispatch(writer);
        return writer.type;
    }

    @Override
    public void on(PromiseReply reply) {
        out.node(reply.node())
                .epoch(reply.epoch())
                .summary(reply.end())
                .number64(reply.committedSn())
                .position(reply.knownCommitted())
                .number64(reply.firstTxId())
                .completeness(reply.completeness());
        type = MessageType.PROMISE;
    }

    @Override
    public void on(AppendedReply reply) {
        out.node(reply.node()).epoch(reply.epoch()).number64(reply.matchedSn()).completeness(reply.completeness());
        type = MessageType.APPENDED;
    }

    @Override
    public void on(MismatchReply reply) {
        out.node(reply.node())
                .epoch(reply.epoch())
                .position(reply.last())
                .number64(reply.committedSn())
                .completeness(reply.completeness());
        type = MessageType.MISMATCH;
    }

    @Override
    public void on(StaleEpochReply reply) {
        out.node(reply.node()).epoch(reply.promisedEpoch());
        type = MessageType.STALE_EPOCH;
    }

    @Override
    public void on(LeaseHeldReply reply) {
        out.node(reply.node()).epoch(reply.promisedEpoch()).number64(reply.remainingMillis());
        type = MessageType.LEASE_HELD;
    }

    @Override
    public void on(NotFormattedReply reply) {
        out.node(reply.node());
        type = MessageType.NOT_FORMATTED;
    }

    @Override
    public void on(DoneReply reply) {
        out.node(reply.node());
        type = MessageType.DONE;
    }

    @Override
    public void on(EntriesReply reply) {
        out.node(reply.node()).number64(reply.committedSn()).entries(reply.entries());
        type = MessageType.ENTRIES;
    }

    @Override
    public void on(PurgedReply reply) {
        out.node(reply.node()).summary(reply.base());
        type = MessageType.PURGED;
    }

    @Override
    public void on(StatusReply reply) {
        Promise promise = reply.promise();
        out.node(reply.node())
                .namespace(reply.namespace())
                .epoch(promise.epoch())
                .writer(promise.writer())
                .number64(promise.leaseMillis())
                .summary(reply.end())
                .summary(reply.committedSummary())
                .number64(reply.firstSn())
                .completeness(reply.completeness())
                .number64(reply.leaseHeldMillis())
                .number64(reply.diskStallMillis());
        if (!reply.unappliedEdit().isEmpty()) {
            out.text(reply.unappliedEdit());
        }
        type = MessageType.STATUS_REPLY;
    }

    @Override
    public void on(SegmentsReply reply) {
        out.node(reply.node())
                .number64(reply.committedSn())
                .number64(reply.committedTxId())
                .number32(reply.segments().size());
        for (SegmentInfo segment : reply.segments()) {
            writeRange(segment.txIds());
            out.flag(segment.finalized()).number32(segment.layoutVersion());
            writeRange(segment.readableTxIds());
            out.number64(segment.readFromSn());
        }
        type = MessageType.SEGMENTS_REPLY;
    }

    @Override
    public void on(FailedReply reply) {
        out.node(reply.node()).explanation(reply.reason());
        type = MessageType.FAILED;
    }

    @Override
    public void on(OtherIncarnationReply reply) {
        out.node(reply.node()).incarnation(reply.incarnation());
        type = MessageType.OTHER_INCARNATION;
    }

    @Override
    public void on(ChangeReply reply) {
        out.node(reply.node());
        ChangeFields.write(out, reply.progress());
        type = MessageType.CHANGE_REPLY;
    }

    @Override
    public void on(ChangesReply reply) {
        out.node(reply.node());
        ChangeFields.writeChanges(out, reply.changes());
        type = MessageType.CHANGES_REPLY;
    }

    @Override
    public void on(StartedOverReply reply) {
        out.node(reply.node()).explanation(reply.oldStoragePath());
        type = MessageType.STARTED_OVER;
    }

    @Override
    public void on(ImagesReply reply) {
        out.node(reply.node()).number32(reply.images().size());
        for (HeldImage image : reply.images()) {
            out.image(image.id()).bytes(image.checksums()).text(image.version());
        }
        type = MessageType.IMAGES_REPLY;
    }

    @Override
    public void on(ImagePartReply reply) {
        out.node(reply.node()).bytes(reply.bytes());
        type = MessageType.IMAGE_PART_REPLY;
    }

    @Override
    public void on(ForwardedReply reply) {
        out.node(reply.node()).bytes(reply.answer());
        type = MessageType.FORWARDED;
    }

    private void writeRange(TxRange range) {
        out.number64(range.first()).number64(range.last());
    }
}
