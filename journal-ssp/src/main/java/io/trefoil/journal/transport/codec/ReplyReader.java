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
                return readPromise(in);
            case APPENDED:
                return readAppended(in);
            case MISMATCH:
                return readMismatch(in);
            case STALE_EPOCH:
                return readStaleEpoch(in);
            case LEASE_HELD:
                return readLeaseHeld(in);
            case NOT_FORMATTED:
                return NotFormattedReply.of(in.node());
            case DONE:
                return DoneReply.of(in.node());
            case ENTRIES:
                return readEntries(in);
            case PURGED:
                return readPurged(in);
            case STATUS_REPLY:
                return readStatus(in);
            case SEGMENTS_REPLY:
                return readSegments(in);
            case FAILED:
                return readFailed(in);
            case OTHER_INCARNATION:
                return readOtherIncarnation(in);
            case CHANGE_REPLY:
                return readChange(in);
            case CHANGES_REPLY:
                return readChanges(in);
            case STARTED_OVER:
                return readStartedOver(in);
            case IMAGES_REPLY:
                return readImages(in);
            case IMAGE_PART_REPLY:
                return readImagePart(in);
            case FORWARDED:
                return readForwarded(in);
            default:
                throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, type + " is not an answer");
        }
    }

    private static PoolReply readPromise(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        LogSummary end = in.summary();
        long committedSn = in.number64();
        LogPosition heard = in.position();
        long firstTxId = in.number64();
        return PromiseReply.of(node, epoch, end, committedSn, heard, firstTxId, in.completeness());
    }

    private static PoolReply readAppended(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        long matchedSn = in.number64();
        return AppendedReply.of(node, epoch, matchedSn, in.completeness());
    }

    private static PoolReply readMismatch(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch epoch = in.epoch();
        LogPosition last = in.position();
        long committedSn = in.number64();
        return MismatchReply.of(node, epoch, last, committedSn, in.completeness());
    }

    private static PoolReply readStaleEpoch(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return StaleEpochReply.of(node, in.epoch());
    }

    private static PoolReply readLeaseHeld(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        Epoch promised = in.epoch();
        return LeaseHeldReply.of(node, promised, in.number64());
    }

    private static PoolReply readEntries(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        long committedSn = in.number64();
        return EntriesReply.of(node, in.entries(), committedSn);
    }

    private static PoolReply readPurged(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return PurgedReply.of(node, in.summary());
    }

    private static PoolReply readStatus(WireReader in) throws BadFrameException {
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
                .withDiskStallMillis(in.number64());
        return in.hasMore() ? reply.withUnappliedEdit(in.text()) : reply;
    }

    private static PoolReply readSegments(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        long committedSn = in.number64();
        long committedTxId = in.number64();
        int count = in.count(SEGMENT_LENGTH);
        List<SegmentInfo> segments = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            segments.add(readSegment(in));
        }
        return SegmentsReply.of(node, segments, committedSn, committedTxId);
    }

    private static SegmentInfo readSegment(WireReader in) throws BadFrameException {
        TxRange txIds = readRange(in);
        boolean finalized = in.flag();
        int layoutVersion = in.number32();
        TxRange range = readRange(in);
        return SegmentInfo.of(txIds, finalized, layoutVersion, range, in.number64());
    }

    private static PoolReply readFailed(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return FailedReply.of(node, in.text());
    }

    private static PoolReply readOtherIncarnation(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return OtherIncarnationReply.of(node, in.incarnation());
    }

    private static PoolReply readChange(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ChangeReply.of(node, ChangeFields.readProgress(in));
    }

    private static PoolReply readChanges(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ChangesReply.of(node, ChangeFields.readChanges(in));
    }

    private static PoolReply readStartedOver(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return StartedOverReply.of(node, in.text());
    }

    private static PoolReply readImages(WireReader in) throws BadFrameException {
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

    private static PoolReply readImagePart(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ImagePartReply.of(node, in.bytes(HeldImage.PART_BYTES));
    }

    private static PoolReply readForwarded(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return ForwardedReply.of(node, in.bytes(ForwardedReply.MAX_BYTES));
    }

    private static TxRange readRange(WireReader in) throws BadFrameException {
        long first = in.number64();
        return TxRange.of(first, in.number64());
    }
}
