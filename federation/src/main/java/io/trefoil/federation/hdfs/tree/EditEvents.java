/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.tree;

import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.marks.SubtreeCaller;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.inotify.Event;
import org.apache.hadoop.hdfs.inotify.EventBatch;
import org.apache.hadoop.hdfs.inotify.EventBatchList;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;

/**
 * The edits of one nameservice below a path, from a transaction on, as superusers see them in HDFS. Belongs to one thread; calls wait for
 * the NameNode.
 */
final class EditEvents {

    /** How long to ask for edits that the NameNode has written but not synced: the next edit of any client causes a sync. */
    private static final Duration SYNCED_WITHIN = Duration.ofMillis(500);

    /** The maximum number of edits in the last query: at a thousand events per call, it takes a second or two. */
    private static final long MAX_FINAL_EDITS = 50_000;

    /** The number of edits that is small enough to be left for {@link #readAll}. */
    private static final long FEW_EDITS = 1_000;

    /** The maximum number of calls in one reading, which is exceeded if a NameNode makes edits faster than they are read. */
    private static final int MAX_CALLS = 5_000;

    /** The reason why edits alone are not conclusive. */
    static final String INCOMPLETE = "a NameNode tells no edits of quotas and storage policies";

    private static final String RESERVED = "/.reserved";

    private final ClientProtocol nameNode;
    private final String root;
    private final Duration toldWithin;
    private long next;
    /** Whether there were events for all edits that were read. */
    private boolean isComplete = true;

    private Optional<Watch> watch = Optional.empty();

    /** The paths that edits after a certain transaction refer to. */
    private static final class Watch {
        final long after;
        final ChangedPaths paths;
        /** The paths of edits after those that were last read; empty until those have been read. */
        Optional<ChangedPaths> later = Optional.empty();

        boolean reachesPermission;

        Watch(long after) throws InconclusiveEditsException {
            this.after = after;
            this.paths = new ChangedPaths(Collections.emptySortedMap());
        }
    }

    /**
     * @param root to which the paths are relative that {@link ChangedPaths} is told
     * @param toldWithin how long one question may take while clients wait
     * @param next the first transaction that is read
     */
    private EditEvents(ClientProtocol nameNode, String root, Duration toldWithin, long next) {
        this.nameNode = nameNode;
        this.root = root;
        this.toldWithin = toldWithin;
        this.next = next;
    }

    /**
     * Follows the edits after the last one that is certainly durable: another active may replace the others with its own.
     *
     * @param toldWithin how long one question may take while clients wait
     */
    static EditEvents startingNow(ClientProtocol nameNode, String root, Duration toldWithin) throws IOException {
        beginSegment(nameNode);
        return new EditEvents(nameNode, root, toldWithin, lastSyncedTxId(nameNode) + 1);
    }

    /** The last transaction that is certainly durable. */
    private static long lastSyncedTxId(ClientProtocol nameNode) throws IOException {
        long synced = fetchEdits(nameNode, Long.MAX_VALUE).getSyncTxid();
        if (synced <= 0) {
            throw new InconclusiveEditsException("the NameNode does not say which edits it has synced");
        }
        return synced;
    }

    /**
     * Whether all changes up to now were reported, including quotas and storage policies, for which HDFS itself has no events. False if one
     * of the answers was that of a NameNode without {@code trefoil.federation.gate}.
     */
    boolean isComplete() {
        return isComplete;
    }

    /**
     * Starts watching: from then on {@link #notQuietReason} takes each change into account. Edits that are not durable
     * yet count as well: the next active may give the number of one to a later edit.
     *
     * @throws InconclusiveEditsException if the NameNode does not answer soon
     */
    void watch() throws IOException {
        try (Deadline deadline = Deadline.startingNow(toldWithin)) {
            watch = Optional.of(new Watch(deadline.await(() -> lastSyncedTxId(nameNode))));
        }
    }

    /**
     * The reason why it is not proven that nothing below the path was changed from {@link #watch} until the caller set
     * the permission of the path itself. That is an edit as well: where it is, none before it is missing, whichever
     * NameNode tells of it.
     */
    Optional<String> notQuietReason() {
        Watch now = watch.orElseThrow(IllegalStateException::new);
        if (!isComplete) {
            return Optional.of(INCOMPLETE);
        }
        if (!now.reachesPermission) {
            return Optional.of("edits do not tell that it was closed");
        }
        return now.paths.changedPaths().stream().findFirst().map(path -> "edits tell of " + path);
    }

    /** Marks the end of the last reading of the tree: it contains everything reported before, and nothing reported afterwards. */
    void settleWatch() throws InconclusiveEditsException {
        if (watch.isPresent()) {
            watch.get().later = Optional.of(new ChangedPaths(Collections.emptySortedMap()));
        }
    }

    /** The paths that have certainly changed since {@link #settleWatch}. */
    Set<String> changedLater() {
        Optional<ChangedPaths> later = watch.flatMap(events -> events.later);
        return later.isPresent() ? later.get().changedPaths() : Collections.emptySet();
    }

    /** The last transaction of the active, perhaps not durable; everything that it has answered has this id or a lower one. */
    long lastWrittenTxId() throws IOException {
        long written = nameNode.getCurrentEditLogTxid();
        if (written <= 0) {
            // An observer, or one that is becoming active.
            throw new InconclusiveEditsException("the NameNode that answers does not write edits");
        }
        return written;
    }

    /**
     * Rolls the edit log, because an edit is searched for from the beginning of its segment, which may have a million.
     *
     * @return the first transaction of the segment
     */
    private static long beginSegment(ClientProtocol nameNode) throws IOException {
        try {
            return nameNode.rollEdits();
        } catch (RemoteException e) {
            throw new InconclusiveEditsException("the NameNode begins no segment of edits: " + e.getMessage());
        }
    }

    /** Rolls the edit log and applies everything before the new segment, and continues if many edits follow. */
    void catchUp(ChangedPaths paths, long settledAfter) throws IOException {
        long first = beginSegment(nameNode);
        int calls = 0;
        while ((next < first || lastWrittenTxId() - next > FEW_EDITS)
                && applyBatch(fetchEdits(nameNode, next), paths, settledAfter)) {
            if (++calls == MAX_CALLS) {
                throw new InconclusiveEditsException("there were more edits than could be read");
            }
        }
    }

    /** Applies a batch of edits, which are durable; returns false if it was empty. */
    private boolean applyBatch(EventBatchList batches, ChangedPaths paths, long settledAfter) throws IOException {
        if (batches.getLastTxid() < next) {
            return false;
        }
        if (batches.getFirstTxid() != next) {
            throw new InconclusiveEditsException("edit " + next + " is gone, the next is " + batches.getFirstTxid());
        }
        for (EventBatch batch : batches.getBatches()) {
            if (batch.getTxid() > settledAfter) {
                paths.settleTree();
            }
            for (Event event : batch.getEvents()) {
                apply(event, paths);
                if (watch.isPresent() && batch.getTxid() > watch.get().after) {
                    apply(event, watch.get().paths);
                    if (watch.get().later.isPresent()) {
                        apply(event, watch.get().later.get());
                    }
                    watch.get().reachesPermission |= setsPermission(event);
                }
            }
        }
        isComplete &= isComplete(batches);
        next = batches.getLastTxid() + 1;
        return true;
    }

    /**
     * Applies everything that the active has returned until now.
     *
     * @throws InconclusiveEditsException if the NameNode does not tell that soon
     */
    void readAll(ChangedPaths paths, long settledAfter) throws IOException {
        try (Deadline deadline = Deadline.startingNow(toldWithin)) {
            long last = deadline.await(this::lastWrittenTxId);
            if (last - next >= MAX_FINAL_EDITS) {
                throw new InconclusiveEditsException("there were " + (last - next) + " edits");
            }
            while (next <= last) {
                long from = next;
                EventBatchList batches = deadline.await(() -> fetchEdits(nameNode, from));
                if (!applyBatch(batches, paths, settledAfter)
                        && deadline.elapsed().compareTo(SYNCED_WITHIN) > 0) {
                    throw new InconclusiveEditsException("edit " + last + " was not to be read in " + SYNCED_WITHIN);
                }
            }
        }
    }

    private static EventBatchList fetchEdits(ClientProtocol nameNode, long from) throws IOException {
        try {
            return CallerContexts.callWithContext(SubtreeCaller.EDITS, () -> nameNode.getEditsFromTxid(from));
        } catch (RemoteException e) {
            throw new InconclusiveEditsException("the NameNode does not tell edits: " + e.getMessage());
        }
    }

    private static boolean isComplete(EventBatchList some) {
        List<EventBatch> batches = some.getBatches();
        EventBatch last = batches.isEmpty() ? null : batches.get(batches.size() - 1);
        return last != null && last.getTxid() == some.getLastTxid() && last.getEvents().length == 0;
    }

    private boolean setsPermission(Event event) {
        if (event.getEventType() != Event.EventType.METADATA) {
            return false;
        }
        Event.MetadataUpdateEvent update = (Event.MetadataUpdateEvent) event;
        return update.getMetadataType() == Event.MetadataUpdateEvent.MetadataType.PERMS
                && NormalizedPath.normalize(update.getPath()).equals(root);
    }

    /** Applies an event, with normalized paths: some edits, such as those of concatenations, contain the path of the call, which may have empty names. */
    private void apply(Event event, ChangedPaths paths) throws InconclusiveEditsException {
        switch (event.getEventType()) {
            case CREATE:
                Event.CreateEvent create = (Event.CreateEvent) event;
                String made = NormalizedPath.normalize(create.getPath());
                if (isInside(made)) {
                    if (create.getiNodeType() == Event.CreateEvent.INodeType.DIRECTORY) {
                        paths.recordNewDirectory(relativePath(made));
                    } else {
                        paths.recordNewFile(relativePath(made));
                    }
                }
                return;
            case UNLINK:
                String gone = NormalizedPath.normalize(((Event.UnlinkEvent) event).getPath());
                requireBelow(gone);
                if (isInside(gone)) {
                    paths.delete(relativePath(gone));
                }
                return;
            case RENAME:
                applyRename((Event.RenameEvent) event, paths);
                return;
            case APPEND:
                applyAttributeUpdate(((Event.AppendEvent) event).getPath(), paths);
                return;
            case CLOSE:
                applyAttributeUpdate(((Event.CloseEvent) event).getPath(), paths);
                return;
            case TRUNCATE:
                applyAttributeUpdate(((Event.TruncateEvent) event).getPath(), paths);
                return;
            case METADATA:
                Event.MetadataUpdateEvent update = (Event.MetadataUpdateEvent) event;
                boolean isAccess = update.getMetadataType() == Event.MetadataUpdateEvent.MetadataType.TIMES
                        && update.getMtime() < 0;
                if (!isAccess) {
                    applyAttributeUpdate(update.getPath(), paths);
                }
                return;
            default:
                throw new InconclusiveEditsException("there was an event of type " + event.getEventType());
        }
    }

    private void applyAttributeUpdate(String asCalled, ChangedPaths paths) throws InconclusiveEditsException {
        String path = NormalizedPath.normalize(asCalled);
        if (isInside(path)) {
            paths.update(relativePath(path));
        }
    }

    /** Applies a rename; one from outside the tree counts as a creation, one to outside as a deletion. */
    private void applyRename(Event.RenameEvent event, ChangedPaths paths) throws InconclusiveEditsException {
        String from = NormalizedPath.normalize(event.getSrcPath());
        String to = NormalizedPath.normalize(event.getDstPath());
        requireBelow(from);
        requireBelow(to);
        if (isInside(from) && isInside(to)) {
            paths.rename(relativePath(from), relativePath(to));
        } else if (isInside(from)) {
            paths.delete(relativePath(from));
        } else if (isInside(to)) {
            paths.recordNewFile(relativePath(to));
        }
    }

    /**
     * Fails if the subtree's directory was renamed or deleted: a snapshot keeps it in place, but before there was one, another directory may have had
     * its name.
     */
    private void requireBelow(String path) throws InconclusiveEditsException {
        if (root.equals(path) || root.startsWith(path + "/")) {
            throw new InconclusiveEditsException(path + " was renamed or deleted");
        }
    }

    private boolean isInside(String path) throws InconclusiveEditsException {
        if (path.startsWith(RESERVED)) {
            throw new InconclusiveEditsException("there was an edit of " + path);
        }
        return path.startsWith(root + "/");
    }

    private String relativePath(String path) {
        return path.substring(root.length());
    }
}
