/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.marks.SubtreeCaller;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetEditsFromTxidResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.InotifyProtos.EventBatchProto;
import org.apache.hadoop.hdfs.protocol.proto.InotifyProtos.EventsListProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.EventlessEdit;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.security.SecurityUtil;

/**
 * HDFS's answer about edits, with events of quotas and storage policies. It reads the edits of the answer once more, as HDFS did,
 * from disk or the journal, and takes no lock of the namespace. So the answer is the truth through whatever door the calls came,
 * and whichever NameNode was active. Thread-safe.
 *
 * <p>Uses {@code NameNode.getFSImage}; {@code FSImage.getEditLog}; {@code FSEditLog.selectInputStreams}; {@code
 * EditLogInputStream.readOp}, {@code close}; {@code FSEditLogOp.getTransactionId}; {@code PBHelperClient.convertEditsResponse}.
 */
final class InotifyEdits {
    private static final Event[] NO_EVENTS = {};

    private final NameNode nameNode;

    InotifyEdits(NameNode nameNode) {
        this.nameNode = nameNode;
    }

    /**
     * Completes the answer to a request for {@link SubtreeCaller#EDITS}.
     *
     * @param answer HDFS's own
     * @return the same if it has no edits, or one of them cannot be read any longer, or is of an unknown kind
     */
    GetEditsFromTxidResponseProto completeResponse(GetEditsFromTxidResponseProto answer) {
        EventsListProto proto = answer.getEventsList();
        // HDFS has -1 for both where there are none.
        if (proto.getFirstTxid() <= 0 || proto.getLastTxid() < proto.getFirstTxid()) {
            return answer;
        }
        // Journals may want this NameNode's own credentials, not those of the caller, who is a superuser.
        Optional<List<EventBatch>> silent;
        try {
            silent = SecurityUtil.doAsLoginUser(
                    (PrivilegedExceptionAction<Optional<List<EventBatch>>>) () -> batchesWithoutEvents(proto));
        } catch (IOException e) {
            // HDFS has read them, and its answer is worth what it is worth without a gate: the mover then compares
            // snapshots.
            return answer;
        }
        if (!silent.isPresent()) {
            return answer;
        }
        List<EventBatch> more = silent.get();
        more.add(new EventBatch(proto.getLastTxid(), NO_EVENTS));
        EventsListProto added = PBHelperClient.convertEditsResponse(
                        new EventBatchList(more, proto.getFirstTxid(), proto.getLastTxid(), proto.getSyncTxid()))
                .getEventsList();
        List<EventBatchProto> batches = new ArrayList<>(proto.getBatchList());
        batches.addAll(added.getBatchList());
        // Stable: what has no events stays the last of its edit.
        batches.sort(Comparator.comparingLong(EventBatchProto::getTxid));
        return answer.toBuilder()
                .setEventsList(proto.toBuilder().clearBatch().addAllBatch(batches))
                .build();
    }

    private Optional<List<EventBatch>> batchesWithoutEvents(EventsListProto response) throws IOException {
        Collection<EditLogInputStream> streams;
        try {
            streams = nameNode.getFSImage()
                    .getEditLog()
                    .selectInputStreams(response.getFirstTxid(), response.getLastTxid(), null, true);
        } catch (IllegalStateException e) {
            // The log was closed: this NameNode is about to be a standby. HDFS takes it for an answer as well.
            return Optional.empty();
        }
        List<EventBatch> batches = new ArrayList<>();
        long next = response.getFirstTxid();
        try {
            for (EditLogInputStream stream : streams) {
                FSEditLogOp edit;
                while (next <= response.getLastTxid() && (edit = stream.readOp()) != null) {
                    if (edit.getTransactionId() != next || !EventlessEdit.isKnown(edit)) {
                        return Optional.empty();
                    }
                    next++;
                    event(edit).ifPresent(batches::add);
                }
            }
        } finally {
            for (EditLogInputStream stream : streams) {
                stream.close();
            }
        }
        return next > response.getLastTxid() ? Optional.of(batches) : Optional.empty();
    }

    private static Optional<EventBatch> event(FSEditLogOp edit) {
        return EventlessEdit.pathOf(edit)
                .map(path -> new EventBatch(edit.getTransactionId(), new Event[] {
                    new Event.MetadataUpdateEvent.Builder()
                            // That of a quota is as in the call.
                            .path(NormalizedPath.normalize(path))
                            .metadataType(Event.MetadataUpdateEvent.MetadataType.XATTRS)
                            .build()
                }));
    }
}
