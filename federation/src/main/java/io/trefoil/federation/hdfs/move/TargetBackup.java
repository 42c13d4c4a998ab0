/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import io.trefoil.federation.hdfs.directory.AncestorDirectories;
import io.trefoil.federation.hdfs.directory.MovedMarks;
import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.TreeNodeAttributes;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;

/**
 * The target's former state at the subtree's path: nothing, an empty directory, or the sealed one of a subtree that it had handed over. It
 * is read before the move begins and kept in its record, so any process that gives the move up can restore it, whichever began the move.
 * What clients with an older table are told of it holds until the pause, and again if no new version is written in the pause.
 */
final class TargetBackup {

    /** The keys of the recorded data, besides those for owner, group, permission and quota. */
    private static final String WAS = "was";

    private static final String ACL = "acl";
    private static final String POLICY = "policy";
    /** The owner of the subtree that clients are redirected to. */
    private static final String MOVED = "moved";

    private static final String ATTRIBUTE = "attribute.";

    private final TableStore table;
    private final String nameservice;
    private final SubtreePath path;
    private final DistributedFileSystem target;
    private final MoveLock lock;
    private final ClientProtocol nameNode;
    private final ClientProtocol paths;
    private final HdfsDirectory directory;
    private final HdfsTree tree;
    private final AncestorDirectories ancestors;
    private final StagingDirectory staging;
    private final DirectorySeal seal;
    private final long slice;

    /**
     * @param staging the directory that the move has staged in its place
     * @param tree of the target
     * @param ancestors the maker of the directories above it
     * @param seal the name of the snapshot that seals a directory
     */
    TargetBackup(
            TableStore table,
            MoveRecord record,
            MoveConnections connections,
            StagingDirectory staging,
            HdfsTree tree,
            AncestorDirectories ancestors,
            String seal) {
        this.table = table;
        this.nameservice = record.target();
        this.path = record.path();
        this.target = connections.target();
        this.lock = connections.lock();
        this.nameNode = connections.targetNameNode(lock::requireHeld);
        this.paths = connections.targetNameNode(lock::requireHeldNow);
        this.directory = new HdfsDirectory(target, path.text(), lock);
        this.tree = tree;
        this.ancestors = ancestors;
        this.staging = staging;
        this.seal = new DirectorySeal(target, path.text(), seal, lock::requireHeldNow);
        this.slice = connections.sliceSize();
    }

    /** @throws TableRefusedException if something is in it */
    Map<String, String> captureOriginalAttributes() throws IOException {
        DirectoryState was = table.inspect(nameservice, path);
        if (was == DirectoryState.IN_USE) {
            throw new TableRefusedException("hdfs://" + nameservice + path + " is not an empty directory");
        }
        Map<String, String> state = new TreeMap<>();
        state.put(WAS, was.name());
        if (was != DirectoryState.ABSENT) {
            FileStatus status = directory.status();
            HdfsDirectory.recordAccess(state, status);
            if (status.hasAcl()) {
                state.put(ACL, String.join(",", HdfsTree.acl(nameNode, path.text())));
            }
            tree.attributes(path.text()).forEach((name, value) -> state.put(ATTRIBUTE + name, value));
            Long bytes = tree.quotas(path.text()).get(HdfsTree.BYTES);
            if (bytes != null) {
                state.put(HdfsTree.BYTES, bytes.toString());
            }
            int policy = staging.policy(path);
            if (policy != staging.policy(path.parent())) {
                state.put(POLICY, Integer.toString(policy));
            }
            MovedMarks.findMark(nameNode, path.text())
                    .ifPresent(mark -> state.put(MOVED, new String(mark.value(), StandardCharsets.UTF_8)));
        }
        return state;
    }

    /** Redirects clients of this directory as before the move. */
    void redirectClients(MoveRecord record) throws IOException {
        Optional<MovedMark> mark = formerMark(record);
        if (mark.isPresent()) {
            MovedMarks.set(paths, path.text(), mark.get());
        }
    }

    /** Stops redirecting clients of this directory, as the next version assigns the subtree to this nameservice. */
    void clearRedirection(MoveRecord record) throws IOException {
        if (record.targetBefore().containsKey(MOVED) || wasSealedBefore(record)) {
            MovedMarks.remove(paths, path.text());
        }
    }

    /**
     * The mark that redirected clients before the move, because the directory had been handed over. Earlier releases did not record
     * it. A mark that is found in the directory may have come late; so it is what the table says of a directory that was
     * handed over.
     */
    private Optional<MovedMark> formerMark(MoveRecord record) throws IOException {
        String moved = record.targetBefore().get(MOVED);
        if (moved != null) {
            return Optional.of(MovedMark.parse(moved.getBytes(StandardCharsets.UTF_8)));
        }
        return wasSealedBefore(record)
                        && HdfsFreeze.supportsMarks(target, UUID.randomUUID().toString(), path.text())
                ? Optional.of(markFromTable())
                : Optional.empty();
    }

    private static boolean wasSealedBefore(MoveRecord record) {
        return DirectoryState.SEALED.name().equals(record.targetBefore().get(WAS));
    }

    private static DirectoryState formerState(MoveRecord record) {
        return DirectoryState.valueOf(record.targetBefore().get(WAS));
    }

    /** The current owner, and the version in which it became the owner. */
    private MovedMark markFromTable() throws IOException {
        String owner = nameservice;
        int since = 1;
        for (TableRecord past : table.history()) {
            SubtreeTable then = past.table();
            if (!then.ownerOf(path).equals(owner)) {
                owner = then.ownerOf(path);
                since = then.version();
            }
        }
        return MovedMark.of(owner, since);
    }

    /**
     * Restores the former directory with all its properties, and deletes everything that the move created; may be repeated.
     *
     * @throws IOException also if a superuser made something there, which the next attempt deletes
     */
    void restore(MoveRecord record) throws IOException {
        ancestors.deleteDrafts(path);
        staging.deleteDraft();
        if (!directory.exists()) {
            return;
        }
        boolean isOurs = staging.isFor(record);
        if (isOurs) {
            directory.deleteContents(slice, () -> {});
            directory.setQuotas(HdfsDirectory.NO_ROOM, HdfsConstants.QUOTA_DONT_SET);
            // It may have ended while the directory was being replaced.
            seal.set();
        }
        DirectoryState currentState = table.inspect(nameservice, path);
        if (currentState == DirectoryState.SEALED) {
            restoreSealed(record, isOurs);
        } else if (isOurs) {
            throw new IOException("A superuser made something in hdfs://" + nameservice + path
                    + " although it was closed; repeat the command to delete it");
        } else {
            restoreUnsealed(formerState(record), currentState);
        }
    }

    /** Handles a move that ended before the directory was sealed, or while it was being undone, after the seal was removed. */
    private void restoreUnsealed(DirectoryState earlierState, DirectoryState currentState) throws IOException {
        if (earlierState != DirectoryState.SEALED) {
            // Its quota, too, if it is a seal yet.
            table.unseal(nameservice, path, lock::requireHeldNow);
            seal.remove();
        }
        if (earlierState == DirectoryState.ABSENT && currentState == DirectoryState.EMPTY) {
            paths.delete(staging.inodePath(), false);
        }
    }

    private void restoreSealed(MoveRecord record, boolean isOurs) throws IOException {
        DirectoryState earlierState = formerState(record);
        if (earlierState != DirectoryState.ABSENT) {
            if (isOurs) {
                restoreTraits(record);
            }
            directory.restorePermission(record.targetBefore());
            directory.restoreOwner(record.targetBefore());
        }
        if (isOurs) {
            staging.removeMark(paths);
        }
        if (earlierState != DirectoryState.SEALED) {
            table.unseal(nameservice, path, lock::requireHeldNow);
        }
        if (earlierState == DirectoryState.ABSENT) {
            paths.delete(staging.inodePath(), false);
        }
    }

    /** Restores the traits that the move replaced; in the meantime, only superusers can use the directory. */
    private void restoreTraits(MoveRecord record) throws IOException {
        Map<String, String> was = record.targetBefore();
        SortedMap<String, String> attributes = new TreeMap<>();
        was.forEach((key, value) -> {
            if (key.startsWith(ATTRIBUTE)) {
                attributes.put(key.substring(ATTRIBUTE.length()), value);
            }
        });
        TreeNodeAttributes wanted = staging.closedTraits()
                .permission(HdfsDirectory.recordedPermission(was).toShort())
                .acl(was.containsKey(ACL) ? Arrays.asList(was.get(ACL).split(",")) : Collections.emptyList())
                .attributes(attributes)
                .build();
        staging.setAttributes(wanted, Integer.parseInt(was.getOrDefault(POLICY, "0")));
        redirectClients(record);
        if (was.containsKey(HdfsTree.BYTES)) {
            directory.setQuotas(HdfsConstants.QUOTA_DONT_SET, Long.parseLong(was.get(HdfsTree.BYTES)));
        }
        staging.setAccess(wanted);
    }
}
