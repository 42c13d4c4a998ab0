/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.WriterId;
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
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.codec.field.ChangeFields;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.codec.field.WireReader;
import java.util.List;

/** Reads the body of each request, field by field as {@link RequestWriter} wrote it. */
final class RequestReader {

    private RequestReader() {}

    static PoolRequest read(MessageType type, WireReader in) throws BadFrameException {
        switch (type) {
            case NEW_EPOCH:
                return readNewEpoch(in);
            case APPEND:
                return readAppend(in);
            case COMMIT:
                return readCommit(in);
            case STEP_DOWN:
                return readStepDown(in);
            case REBASE:
                return readRebase(in);
            case FETCH:
                return readFetch(in);
            case STATUS:
                return StatusRequest.create();
            case AWAIT_COMMIT:
                return readAwaitCommit(in);
            case SEGMENTS:
                return SegmentsRequest.of(in.number64());
            case FORMAT:
                return readFormat(in);
            case PURGE:
                return readPurge(in);
            case CHANGE_MEMBERS:
                return ChangeMembersRequest.of(ChangeFields.readChange(in));
            case COLLECT_CHANGES:
                return readCollectChanges(in);
            case RETIRE:
                return readRetire(in);
            case START_OVER:
                return readStartOver(in);
            case IMAGES:
                return ImagesRequest.create();
            case IMAGE_PART:
                return readImagePart(in);
            case FORWARD:
                return ForwardRequest.of(in.bytes());
            default:
                throw new BadFrameException(RefusalCause.UNKNOWN_TYPE, type + " is not a request");
        }
    }

    private static PoolRequest readNewEpoch(WireReader in) throws BadFrameException {
        Epoch epoch = in.epoch();
        WriterId writer = in.writer();
        return NewEpochRequest.of(epoch, writer, in.number64());
    }

    private static PoolRequest readAppend(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        Epoch epoch = in.epoch();
        WriterId writer = in.writer();
        long leaseMillis = in.number64();
        LogPosition prev = in.position();
        LogPosition committed = in.position();
        long lastSn = in.number64();
        return AppendRequest.of(incarnation, epoch, writer, leaseMillis, prev, in.entries(), committed, lastSn);
    }

    private static PoolRequest readCommit(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        Epoch epoch = in.epoch();
        return CommitRequest.of(epoch, in.number64()).withIncarnation(incarnation);
    }

    private static PoolRequest readStepDown(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        return StepDownRequest.of(in.epoch()).withIncarnation(incarnation);
    }

    private static PoolRequest readRebase(WireReader in) throws BadFrameException {
        Epoch epoch = in.epoch();
        WriterId writer = in.writer();
        long leaseMillis = in.number64();
        return RebaseRequest.of(epoch, writer, leaseMillis, in.summary());
    }

    private static PoolRequest readFetch(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        long firstSn = in.number64();
        int maxBytes = in.number32();
        return FetchRequest.of(firstSn, maxBytes, in.epoch()).withIncarnation(incarnation);
    }

    private static PoolRequest readAwaitCommit(WireReader in) throws BadFrameException {
        long knownSn = in.number64();
        return AwaitCommitRequest.of(knownSn, in.number64());
    }

    private static PoolRequest readFormat(WireReader in) throws BadFrameException {
        NamespaceId namespace = in.namespace();
        NodeId node = in.node();
        LogSummary base = in.summary();
        boolean force = in.flag();
        List<Entry> entries = in.entries();
        return FormatRequest.of(namespace, node, base, entries, force);
    }

    private static PoolRequest readPurge(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        Epoch epoch = in.epoch();
        return PurgeRequest.of(epoch, in.number64()).withIncarnation(incarnation);
    }

    private static PoolRequest readCollectChanges(WireReader in) throws BadFrameException {
        Epoch epoch = in.epoch();
        return CollectChangesRequest.of(epoch, ChangeFields.readProgressList(in));
    }

    private static PoolRequest readImagePart(WireReader in) throws BadFrameException {
        ImageId image = in.image();
        return ImagePartRequest.of(image, in.number32());
    }

    private static PoolRequest readStartOver(WireReader in) throws BadFrameException {
        NodeId node = in.node();
        return StartOverRequest.of(node, in.incarnation());
    }

    private static PoolRequest readRetire(WireReader in) throws BadFrameException {
        Incarnation incarnation = in.incarnation();
        Epoch epoch = in.epoch();
        return RetireRequest.of(epoch, in.node()).withIncarnation(incarnation);
    }
}
