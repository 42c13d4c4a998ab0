/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SubtreeHandoverTest {

    private static final Instant NOW = Instant.parse("2026-11-24T08:00:00Z");
    private static final SubtreePath LOGS = SubtreePath.parse("/logs");

    private final FakeTableStore store = new FakeTableStore();

    @BeforeEach
    void begin() {
        append(SubtreeTable.first("cluster", "ns1"));
        store.directories.put("ns2/logs", DirectoryState.EMPTY);
        store.directories.put("ns3/logs", DirectoryState.EMPTY);
    }

    private void append(SubtreeTable table) {
        assertThat(store.append(TableRecord.of(table, "of the test", "bob", NOW)))
                .isTrue();
    }

    private SubtreeHandover plan(TableChange change) throws IOException {
        return SubtreeHandover.plan(store, store.newest().orElseThrow().table(), change);
    }

    private void run(TableChange change) throws IOException {
        plan(change).run(NOW);
    }

    /** A whole change that another process makes between two calls of another one. */
    private Runnable concurrentChange(TableChange change) {
        return () -> {
            try {
                run(change);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
    }

    private void appendVersionBeforeNext() {
        store.beforeAppend =
                () -> append(store.newest().orElseThrow().table().with(SubtreePath.parse("/other"), "ns2"));
    }

    private String owner() {
        return store.newest().orElseThrow().table().ownerOf(LOGS);
    }

    @Test
    void sealsOldOwnerAndOpensNewOwner() throws IOException {
        run(TableChange.add(LOGS, "ns2"));
        assertThat(owner()).isEqualTo("ns2");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/logs", DirectoryState.EMPTY);
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns2 2"));

        run(TableChange.set(LOGS, "ns3"));
        assertThat(store.directories)
                .containsEntry("ns2/logs", DirectoryState.SEALED)
                .containsEntry("ns3/logs", DirectoryState.EMPTY);

        run(TableChange.remove(LOGS));
        assertThat(owner()).isEqualTo("ns1");
        assertThat(store.directories)
                .containsEntry("ns3/logs", DirectoryState.SEALED)
                .containsEntry("ns1/logs", DirectoryState.EMPTY);
        assertThat(store.left).containsOnly(entry("ns2/logs", "ns3 3"), entry("ns3/logs", "ns1 4"));
    }

    @Test
    void requiresSuperuserEverywhereBeforeSealing() throws IOException {
        run(TableChange.add(LOGS, "ns2"));
        store.directories.put("ns1/hashed", DirectoryState.EMPTY);
        SubtreePath hashed = SubtreePath.parse("/hashed");
        // The keeper, the old owner, the new one, and all over which something is hashed.
        for (String closed : List.of("ns1", "ns2", "ns3")) {
            store.closedTo.add(closed);
            assertThatThrownBy(() -> run(TableChange.set(LOGS, "ns3")))
                    .isInstanceOf(TableRefusedException.class)
                    .hasMessageContaining("Wanted a superuser of hdfs://" + closed + ", found alice");
            assertThatThrownBy(() -> run(TableChange.hash(hashed, List.of("ns2", "ns3"))))
                    .hasMessageContaining("Wanted a superuser of hdfs://" + closed);
            store.closedTo.clear();
        }
        assertThat(owner()).isEqualTo("ns2");
        assertThat(store.directories)
                .containsEntry("ns2/logs", DirectoryState.EMPTY)
                .containsEntry("ns1/hashed", DirectoryState.EMPTY);

        TableChange hash = TableChange.hash(hashed, List.of("ns2", "ns3"));
        run(hash);
        store.closedTo.add("ns3");
        assertThatThrownBy(() -> SubtreeHandover.findCommitted(store, hash)).hasMessageContaining("hdfs://ns3");
        assertThatThrownBy(() -> run(TableChange.unhash(hashed))).hasMessageContaining("hdfs://ns3");
    }

    @Test
    void hashSealsDirectoryAndCreatesParts() throws IOException {
        TableChange hash = TableChange.hash(LOGS, List.of("ns2", "ns3"));
        assertThatThrownBy(() -> run(hash)).hasMessageContaining("hdfs://ns1/logs is missing");
        store.directories.put("ns1/logs", DirectoryState.IN_USE);
        assertThatThrownBy(() -> run(hash)).hasMessageContaining("hdfs://ns1/logs is not an empty directory");
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        store.directories.put("ns3/.trefoil/hashed/logs", DirectoryState.IN_USE);
        assertThatThrownBy(() -> run(hash)).hasMessageContaining("hdfs://ns3/.trefoil/hashed/logs is not empty");
        store.directories.remove("ns3/.trefoil/hashed/logs");

        run(hash);

        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.EMPTY)
                .containsEntry("ns3/.trefoil/hashed/logs", DirectoryState.EMPTY)
                .containsEntry("ns2/logs", DirectoryState.EMPTY);
        assertThat(store.newest().orElseThrow().table().hashedDirectories()).containsOnlyKeys(LOGS);
        assertThat(SubtreeHandover.findCommitted(store, hash)).isPresent();
    }

    @Test
    void unhashOpensEmptyDirectoryAndKeepsPartsSealed() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        TableChange hash = TableChange.hash(LOGS, List.of("ns2", "ns3"));
        run(hash);
        TableChange unhash = TableChange.unhash(LOGS);
        store.directories.put("ns3/.trefoil/hashed/logs", DirectoryState.IN_USE);
        assertThatThrownBy(() -> run(unhash)).hasMessageContaining("there is something in /logs");
        store.directories.put("ns3/.trefoil/hashed/logs", DirectoryState.EMPTY);
        store.directories.put("ns2/.trefoil/renames/logs", DirectoryState.IN_USE);
        assertThatThrownBy(() -> run(unhash)).hasMessageContaining("a rename in /logs was left half done");
        store.directories.remove("ns2/.trefoil/renames/logs");

        run(unhash);

        assertThat(store.newest().orElseThrow().table().hashedDirectories()).isEmpty();
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.EMPTY)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.SEALED)
                .containsEntry("ns3/.trefoil/hashed/logs", DirectoryState.SEALED);
        assertThat(SubtreeHandover.findCommitted(store, unhash)).isPresent();
        assertThatThrownBy(() -> run(unhash)).hasMessageContaining("/logs is not hashed");
        assertThatThrownBy(() -> run(TableChange.hash(LOGS, List.of("ns3", "ns2"))))
                .hasMessageContaining("/logs was hashed over ns2,ns3 before");
        run(hash);
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.EMPTY);
    }

    @Test
    void unhashInUseIsRefusedWithCopyCommands() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        run(TableChange.hash(LOGS, List.of("ns2", "ns3")));
        store.directories.put("ns3/.trefoil/hashed/logs", DirectoryState.IN_USE);

        assertThatThrownBy(() -> run(TableChange.unhash(LOGS)))
                .isInstanceOf(TableRefusedException.class)
                .hasMessage(
                        """
                        hdfs://ns3/.trefoil/hashed/logs is not empty: there is something in /logs.
                        Its files can be copied, if there is no hdfs://ns1/logs.copy. Most of them while clients go on:
                          hadoop distcp -i -prbugpaxt hdfs://cluster/logs hdfs://ns1/logs.copy
                        The rest when only superusers are let in:
                          hdfs dfs -chmod 000 hdfs://ns2/.trefoil/hashed/logs
                          hdfs dfs -chmod 000 hdfs://ns3/.trefoil/hashed/logs
                        and no file is being written any more, which is when these list none:
                          hdfs dfsadmin -fs hdfs://ns2 -listOpenFiles -path /.trefoil/hashed/logs
                          hdfs dfsadmin -fs hdfs://ns3 -listOpenFiles -path /.trefoil/hashed/logs
                          hadoop distcp -update -delete -prbugpcaxt hdfs://cluster/logs hdfs://ns1/logs.copy
                        Then what was copied is put aside, and the copy takes its place:
                          hdfs dfs -mv hdfs://ns2/.trefoil/hashed/logs hdfs://ns2/.trefoil/hashed/logs.old
                          hdfs dfs -mv hdfs://ns3/.trefoil/hashed/logs hdfs://ns3/.trefoil/hashed/logs.old
                          hdfs dfs -mv hdfs://ns2/.trefoil/renames/logs hdfs://ns2/.trefoil/renames/logs.old
                          hdfs dfs -mv hdfs://ns3/.trefoil/renames/logs hdfs://ns3/.trefoil/renames/logs.old
                          hdfs dfs -chmod 000 hdfs://ns1/logs
                          hdfs trefoil table unhash /logs --table hdfs://ns1/.trefoil/subtrees --with-copy
                        When you have looked at it:
                          hdfs dfs -rm -r -skipTrash hdfs://ns2/.trefoil/hashed/logs.old hdfs://ns2/.trefoil/renames/logs.old
                          hdfs dfs -rm -r -skipTrash hdfs://ns3/.trefoil/hashed/logs.old hdfs://ns3/.trefoil/renames/logs.old""");
    }

    @Test
    void fileCreatedDuringUnhashKeepsDirectoryHashed() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        run(TableChange.hash(LOGS, List.of("ns2", "ns3")));
        store.beforeSeal = () -> store.directories.put("ns3/.trefoil/hashed/logs", DirectoryState.IN_USE);

        assertThatThrownBy(() -> run(TableChange.unhash(LOGS))).isInstanceOf(TableRefusedException.class);
        assertThat(store.newest().orElseThrow().table().hashedDirectories()).containsOnlyKeys(LOGS);
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.EMPTY);
    }

    @Test
    void unhashLosingToAnotherChangeKeepsDirectoryHashed() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        run(TableChange.hash(LOGS, List.of("ns2", "ns3")));
        SubtreeTable hashed = store.newest().orElseThrow().table();
        store.beforeAppend = () -> append(hashed.with(SubtreePath.parse("/other"), "ns2"));

        assertThatThrownBy(() -> run(TableChange.unhash(LOGS))).isInstanceOf(TableRefusedException.class);
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.EMPTY);
    }

    @Test
    void loserKeepsSealOfDirectoryHashedByWinner() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        store.beforeAppend = () -> append(SubtreeTable.first("cluster", "ns1").withHashed(LOGS, List.of("ns3", "ns1")));

        assertThatThrownBy(() -> run(TableChange.hash(LOGS, List.of("ns2", "ns3"))))
                .isInstanceOf(TableRefusedException.class);
        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
    }

    @Test
    void planChangesNothing() throws IOException {
        assertThat(plan(TableChange.add(LOGS, "ns2")).after().version()).isEqualTo(2);

        assertThat(store.records).hasSize(1);
        assertThat(store.directories).doesNotContainKey("ns1/logs");
    }

    @Test
    void reportsEveryHiddenFile() {
        store.directories.put("ns1/logs", DirectoryState.IN_USE);

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("hdfs://ns1/logs is not an empty directory");
        assertThat(store.records).hasSize(1);
    }

    @Test
    void newOwnerMustHaveDirectory() {
        store.directories.remove("ns2/logs");

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("hdfs dfs -mkdir -p hdfs://ns2/logs");
    }

    @Test
    void fileCreatedDuringHandoverIsNotHidden() {
        store.beforeSeal = () -> store.directories.put("ns1/logs", DirectoryState.IN_USE);

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2"))).isInstanceOf(TableRefusedException.class);
        assertThat(owner()).isEqualTo("ns1");
        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.IN_USE);
    }

    @Test
    void concurrentChangeIsRefusedAndReopensSealedDirectory() {
        store.beforeAppend =
                () -> append(SubtreeTable.first("cluster", "ns1").with(SubtreePath.parse("/other"), "ns2"));

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("Version 2 was made by bob meanwhile");
        assertThat(owner()).isEqualTo("ns1");
        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.EMPTY);
    }

    @Test
    void loserKeepsSealOfDirectoryHandedOverByWinner() {
        store.beforeAppend = () -> append(SubtreeTable.first("cluster", "ns1").with(LOGS, "ns3"));

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2"))).isInstanceOf(TableRefusedException.class);
        assertThat(owner()).isEqualTo("ns3");
        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
    }

    /** It has read that the directory is its owner's still, and stalls; meanwhile another process gives the directory away. */
    @Test
    void stalledLoserSealsReopenedDirectoryAgain() {
        appendVersionBeforeNext();
        store.beforeUnseal = concurrentChange(TableChange.add(LOGS, "ns3"));

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("Version 2 was made by bob meanwhile");
        assertThat(owner()).isEqualTo("ns3");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns3/logs", DirectoryState.EMPTY);
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns3 3"));
    }

    @Test
    void reportsFileCreatedInDirectoryReopenedByLoser() {
        appendVersionBeforeNext();
        Runnable other = concurrentChange(TableChange.add(LOGS, "ns3"));
        store.beforeUnseal = () -> {
            other.run();
            store.beforeSeal = () -> store.directories.put("ns1/logs", DirectoryState.IN_USE);
        };

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining("Version 3 stands, but the seal was removed from hdfs://ns1/logs")
                .hasMessageContaining("copy it to hdfs://ns3/logs");
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns3 3"));
    }

    @Test
    void returnedDirectoryIsReopened() {
        appendVersionBeforeNext();
        Runnable away = concurrentChange(TableChange.add(LOGS, "ns3"));
        store.beforeUnseal = () -> {
            away.run();
            store.beforeSeal = concurrentChange(TableChange.remove(LOGS));
        };

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2"))).isInstanceOf(TableRefusedException.class);
        assertThat(owner()).isEqualTo("ns1");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.EMPTY)
                .containsEntry("ns3/logs", DirectoryState.SEALED);
        assertThat(store.left).containsOnly(entry("ns3/logs", "ns1 4"));
    }

    @Test
    void refusedChangeSealsReopenedDirectoryAgain() {
        store.beforeSeal = () -> store.directories.put("ns1/logs", DirectoryState.IN_USE);
        Runnable other = concurrentChange(TableChange.add(LOGS, "ns3"));
        store.beforeUnseal = () -> {
            store.directories.put("ns1/logs", DirectoryState.EMPTY);
            other.run();
        };

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2"))).isInstanceOf(TableRefusedException.class);
        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns3 2"));
    }

    @Test
    void stalledWinnerKeepsDirectoryHandedOnLaterClosed() throws IOException {
        store.beforeUnseal = concurrentChange(TableChange.set(LOGS, "ns3"));

        run(TableChange.add(LOGS, "ns2"));

        assertThat(owner()).isEqualTo("ns3");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/logs", DirectoryState.SEALED)
                .containsEntry("ns3/logs", DirectoryState.EMPTY);
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns3 3"), entry("ns2/logs", "ns3 3"));
    }

    @Test
    void stalledWinnerDoesNotMarkReturnedDirectory() throws IOException {
        store.beforeLeave = concurrentChange(TableChange.remove(LOGS));

        run(TableChange.add(LOGS, "ns2"));

        assertThat(owner()).isEqualTo("ns1");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.EMPTY)
                .containsEntry("ns2/logs", DirectoryState.SEALED);
        assertThat(store.left).containsOnly(entry("ns2/logs", "ns1 3"));
    }

    @Test
    void stalledLoserSealsPartsAgain() throws IOException {
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        run(TableChange.hash(LOGS, List.of("ns2", "ns3")));
        appendVersionBeforeNext();
        store.beforeUnseal = concurrentChange(TableChange.unhash(LOGS));

        assertThatThrownBy(() -> run(TableChange.unhash(LOGS))).isInstanceOf(TableRefusedException.class);
        assertThat(store.newest().orElseThrow().table().hashedDirectories()).isEmpty();
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.EMPTY)
                .containsEntry("ns2/.trefoil/hashed/logs", DirectoryState.SEALED)
                .containsEntry("ns3/.trefoil/hashed/logs", DirectoryState.SEALED);
    }

    /** Clients follow the version as soon as it is there. */
    @Test
    void removesMarkBeforeDirectoryReturns() throws IOException {
        run(TableChange.add(LOGS, "ns2"));
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns2 2"));
        store.beforeAppend = () -> {
            assertThat(store.left).isEmpty();
            assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
        };

        run(TableChange.remove(LOGS));

        assertThat(store.left).containsOnly(entry("ns2/logs", "ns1 3"));
    }

    @Test
    void refusedChangeRestoresMark() throws IOException {
        run(TableChange.add(LOGS, "ns2"));
        appendVersionBeforeNext();

        assertThatThrownBy(() -> run(TableChange.remove(LOGS))).isInstanceOf(TableRefusedException.class);
        assertThat(owner()).isEqualTo("ns2");
        assertThat(store.left).containsOnly(entry("ns1/logs", "ns2 3"));
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/logs", DirectoryState.EMPTY);
    }

    @Test
    void directoryOpenedByLoserIsSealedAgain() throws IOException {
        store.beforeAppend = () -> store.directories.put("ns1/logs", DirectoryState.EMPTY);

        run(TableChange.add(LOGS, "ns2"));

        assertThat(store.directories).containsEntry("ns1/logs", DirectoryState.SEALED);
    }

    @Test
    void reportsFileCreatedInOpenedDirectory() {
        store.beforeAppend = () -> store.directories.put("ns1/logs", DirectoryState.IN_USE);

        assertThatThrownBy(() -> run(TableChange.add(LOGS, "ns2")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("copy it to hdfs://ns2/logs");
    }

    @Test
    void resumesAfterCrashBeforeVersionIsWritten() throws IOException {
        // It had sealed, and made no version.
        store.directories.put("ns1/logs", DirectoryState.SEALED);

        run(TableChange.add(LOGS, "ns2"));

        assertThat(owner()).isEqualTo("ns2");
    }

    @Test
    void retriedChangeCompletesStepsAfterVersionWrite() throws IOException {
        run(TableChange.add(LOGS, "ns2"));
        run(TableChange.remove(LOGS));
        // The process that gave it to the second again ended once the version was written; a change that was refused
        // had opened the first.
        store.directories.put("ns1/logs", DirectoryState.EMPTY);
        store.directories.put("ns2/logs", DirectoryState.SEALED);
        TableChange again = TableChange.add(LOGS, "ns2");
        assertThat(store.append(TableRecord.of(
                        store.newest().orElseThrow().table().with(LOGS, "ns2"), again.text(), "alice", NOW)))
                .isTrue();

        SubtreeHandover made = SubtreeHandover.findCommitted(store, again).orElseThrow();
        made.finish();
        made.finish();

        assertThat(made.from()).isEqualTo("ns1");
        assertThat(made.to()).isEqualTo("ns2");
        assertThat(store.directories)
                .containsEntry("ns1/logs", DirectoryState.SEALED)
                .containsEntry("ns2/logs", DirectoryState.EMPTY);
        assertThat(store.records).hasSize(4);
        assertThat(SubtreeHandover.findCommitted(store, TableChange.remove(LOGS)))
                .isEmpty();
        assertThat(SubtreeHandover.findCommitted(store, TableChange.add(LOGS, "ns3")))
                .isEmpty();
    }
}
