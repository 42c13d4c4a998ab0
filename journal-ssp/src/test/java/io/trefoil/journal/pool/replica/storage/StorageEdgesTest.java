/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.pool.disk.ReplicaThreads;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.replica.ReplicaTrace;
import io.trefoil.journal.sim.disk.SimDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each edge between the stages of a replica's storage is taken, and no other can be. */
class StorageEdgesTest {
    private final IOException broken = new IOException("broken");
    private final Set<String> taken = new TreeSet<>();

    private SimDisk disk;
    private ReplicaStorage storage;

    @Test
    void takesEachDeclaredEdge() throws IOException {
        takeEdgesOfEmptyStorage();
        takeEdgesOfOpening();
        takeEdgesOfOpenStorage();
        takeEdgesOfFailedStorage();
        takeEdgesOfHaltedStorage();

        Set<String> edges = new TreeSet<>();
        for (StorageStage from : StorageStage.values()) {
            for (StorageStage to : StorageStage.values()) {
                if (StorageStage.EDGES.allows(from, to)) {
                    edges.add(from + " -> " + to);
                }
            }
        }
        assertThat(taken).isEqualTo(edges);
    }

    private void takeEdgesOfEmptyStorage() throws IOException {
        empty();
        take(() -> storage.markOpening());
        take(() -> storage.useOpened(storage.open()));
        take(this::format);
        empty();
        take(() -> {
            disk.failAt(1);
            try {
                format();
            } catch (IOException e) {
                storage.fail(e);
            }
        });
        empty();
        take(storage::close);
    }

    private void takeEdgesOfOpening() throws IOException {
        open();
        restart();
        take(() -> storage.useOpened(storage.open()));
        restart();
        take(() -> storage.recordOpenFailure(broken));
        restart();
        take(storage::close);
    }

    private void takeEdgesOfOpenStorage() throws IOException {
        open();
        take(storage::moveAside);
        open();
        take(() -> storage.fail(broken));
        open();
        take(() -> storage.halt("wrong"));
        open();
        take(storage::close);
    }

    private void takeEdgesOfFailedStorage() throws IOException {
        open();
        storage.fail(broken);
        take(() -> storage.useReopened(storage.reopen()));
        storage.fail(broken);
        take(storage::leaveIncarnation);
        open();
        storage.fail(broken);
        take(storage::close);
    }

    private void takeEdgesOfHaltedStorage() throws IOException {
        open();
        storage.halt("wrong");
        take(() -> {
            // Moved aside, and what is there now cannot be opened.
            for (int operation = 1; storage.isHalted(); operation++) {
                disk.failAt(operation);
                try {
                    storage.startOver();
                } catch (IOException e) {
                    storage.fail(e);
                }
            }
        });
        open();
        storage.halt("wrong");
        take(storage::leaveIncarnation);
        open();
        storage.halt("wrong");
        take(storage::close);
    }

    @Test
    void rejectsEveryUndeclaredTransition() {
        for (StorageStage from : StorageStage.values()) {
            for (StorageStage to : StorageStage.values()) {
                if (!StorageStage.EDGES.allows(from, to)) {
                    assertThatThrownBy(() -> StorageStage.EDGES.enter(from, to))
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining(from + " -> " + to);
                }
            }
        }
    }

    @Test
    void usingUnopenedStorageReportsItsStage() throws IOException {
        open();
        storage.fail(broken);

        assertThatThrownBy(storage::storage).hasMessage("n1: wanted storage that is open, found it FAILED");
        assertThat(storage.openStorage()).isEmpty();
        assertThat(storage.state().node()).isEqualTo(NodeId.of("first"));
    }

    @Test
    void lateOpenDoesNotReplaceStorage() throws IOException {
        empty();
        storage.markOpening();
        Optional<OpenedStorage> late = storage.open();
        format();

        storage.useOpened(late);

        assertThat(storage.stage()).isEqualTo(StorageStage.OPEN);
        assertThat(storage.isOpen()).isTrue();
    }

    @Test
    void closedReplicaNeverReopens() throws IOException {
        open();
        storage.close();

        storage.fail(broken);
        assertThat(storage.failureReason()).isEqualTo("this node is closed");
        assertThatThrownBy(this::format).isInstanceOf(IllegalStateException.class);
    }

    private void empty() {
        disk = new SimDisk(new Random(1));
        storage = newStorage();
    }

    private void open() throws IOException {
        empty();
        format();
    }

    /** Another process, over what the disk has. */
    private void restart() throws IOException {
        storage.close();
        storage = newStorage();
        storage.markOpening();
    }

    private ReplicaStorage newStorage() {
        return new ReplicaStorage(
                "n1",
                disk.device(),
                () -> 0,
                () -> NodeId.of("next"),
                writer -> false,
                new CommitSignal(),
                new WriterLiveness(),
                new ReplicaThreads.DirectExecution(),
                ReplicaTrace.NONE);
    }

    private void format() throws IOException {
        storage.format(FormatRequest.of(
                NamespaceId.of("CID-1", 42), NodeId.of("first"), LogSummary.ORIGIN, new ArrayList<Entry>(), true));
    }

    private void take(Work task) throws IOException {
        StorageStage before = storage.stage();
        task.run();
        taken.add(before + " -> " + storage.stage());
    }

    /** What the storage goes through. */
    private interface Work {
        void run() throws IOException;
    }
}
