/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
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
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.ChangeFields;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.codec.field.WireReader;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of each answer, field by field as {@link ReplyWriter} wrote it. */
final class ReplyReader {

    private static final int SEGMENT_LENGTH = 16 + 1 + 4 + 16 + 8;
    /** The least size, with the checksum of a single part. */
    private static final int HELD_IMAGE_LENGTH = 8 + 8 + 16 + 4 + 4 + 2;

    private ReplyReader() {}

    static PoolReply read(MessageType type, WireReader in) throws BadFrameException {
        switch (type) {
            case PROMISE:
                return promise(in);
            case APPENDED:
                return appended(in);
            case MISMATCH:
                return mismatch(in);
            case STALE_EPOCH:
                return staleEpoch(in);
            case LEASE_HELD:
                return leaseHeld(in);
            case NOT_FORMATTED:
                return NotFormattedReply.of(in.node());
            case DONE:
                return DoneReply.of(in.node());
            case ENTRIES:
                return entries(in);
            case PURGED:
                return purged(in);
            case STATUS_REPLY:
                return status(in);
            case SEGMENTS_REPLY:
                return segments(in);
            case FAILED:
                return failed(in);
            case OTHER_INCARNATION:
                return otherIncarnation(in);
            case CHANGE_REPLY:
                return change(in);
            case CHANGES_REPLY:
                return changes(in);
            case STARTED_OVER:
                return startedOver(in);
            case IMAGES_REPLY:
                return images(in);
            case IMAGE_PART_REPLY:
                return imagePart(in);
            case FORWARDED:
                return forwarded(in);
            default:
                throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, type + " is not an answer");
        }
    }

    private static PoolReply promise(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        LogSummary end = in.summary();
        long committedSn = in.number64();
        LogPosition heard = in.position();
        long firstTxId = in.number64();
        return PromiseReply.of(node, epoch, end, committedSn, heard, firstTxId, in.completeness());
    }

    private static PoolReply appended(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        long matchedSn = in.number64();
        return AppendedReply.of(node, epoch, matchedSn, in.completeness());
    }

    private static PoolReply mismatch(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        LogPosition last = in.position();
        long committedSn = in.number64();
        return MismatchReply.of(node, epoch, last, committedSn, in.completeness());
    }

    private static PoolReply staleEpoch(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return StaleEpochReply.of(node, in.epoch());
    }

    private static PoolReply leaseHeld(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch promised = in.epoch();
        return LeaseHeldReply.of(node, promised, in.number64());
    }

    private static PoolReply entries(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        long committedSn = in.number64();
        return EntriesReply.of(node, in.entries(), committedSn);
    }

    private static PoolReply purged(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return PurgedReply.of(node, in.summary());
    }

    private static PoolReply status(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        NamespaceId namespace = in.namespace();
        Epoch promised = in.epoch();
        WriterId writer = in.writer();
        Promise promise = Promise.of(promised, writer, in.number64());
        LogSummary end = in.summary();
        LogSummary committed = in.summary();
        long firstSn = in.number64();
        LogCompleteness completeness = in.completeness();
        StatusReply reply = StatusReply.of(
                        node, namespace, promise, end, committed, firstSn, completeness, in.number64())
                .diskSilent(in.number64());
        return in.hasMore() ? reply.unapplied(in.text()) : reply;
    }

    private static PoolReply segments(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        long committedSn = in.number64();
        long committedTxId = in.number64();
        int count = in.count(SEGMENT_LENGTH);
        List<SegmentInfo> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            segments.add(segment(in));
        }
        return SegmentsReply.of(node, segments, committedSn, committedTxId);
    }

    private static SegmentInfo segment(WireReader in) throws BadFrameException {
        TxRange txIds = range(in);
        boolean finalized = in.flag();
        int layoutVersion = in.number32();
        TxRange found = range(in);
        return SegmentInfo.of(txIds, finalized, layoutVersion, found, in.number64());
    }

    private static PoolReply failed(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return FailedReply.of(node, in.text());
    }

    private static PoolReply otherIncarnation(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return OtherIncarnationReply.of(node, in.incarnation());
    }

    private static PoolReply change(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ChangeReply.of(node, ChangeFields.readProgress(in));
    }

    private static PoolReply changes(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ChangesReply.of(node, ChangeFields.readChanges(in));
    }

    private static PoolReply startedOver(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return StartedOverReply.of(node, in.text());
    }

    private static PoolReply images(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        int count = in.count(HELD_IMAGE_LENGTH);
        List<HeldImage> images = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ImageId image = in.image();
            Bytes checksums = in.bytes();
            images.add(HeldImage.of(image, checksums, in.text()));
        }
        return ImagesReply.of(node, images);
    }

    private static PoolReply imagePart(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ImagePartReply.of(node, in.bytes(HeldImage.PART_BYTES));
    }

    private static PoolReply forwarded(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ForwardedReply.of(node, in.bytes(ForwardedReply.MAX_BYTES));
    }

    private static TxRange range(WireReader in) throws BadFrameException {
        long first = in.number64();
        return TxRange.of(first, in.number64());
    }
}
