/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.TreeNode;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.Test;

/** What edits prove of a tree, and what they do not. */
class EditsProofTest extends TrackedTreeFixture {

    private static final Optional<Set<String>> NOTHING = Optional.of(Set.of());

    /** What is asked later, as after a failover, may not be told in full; that does not make what was taken from edits more certain. */
    @Test
    void laterReaderVerifiesChangesTakenOnlyFromEdits() throws IOException {
        federation.enableGate("ns1");
        TreeClients clients = new TreeClients(fileSystem, "/asked-later", 1);
        TrackedTree followed = follow(clients);
        clients.snapshot("first");
        fileSystem.create(new Path(clients.root, "new")).close();
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        adopt(followed, clients.root, tree);
        followed.watch();
        String last = clients.snapshot("last");
        assertThat(followed.update(last, tree, new CountingSnapshotDiffer(clients)))
                .isPresent();

        federation.disableGates();
        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));

        assertThat(followed.changedSinceWatch()).isEmpty();
        assertThat(findContradictions(followed, new CountingSnapshotDiffer(clients), last, Long.MAX_VALUE))
                .hasSize(1)
                .allMatch(line -> line.startsWith("edits do not tell where number"));
    }

    /** The second snapshot shows that something is there, or is not, of which no edit told. */
    @Test
    void detectsDifferenceUnexplainedByEdits() throws IOException {
        assertDetectsUnexplainedDifference(false);
    }

    /** When no client waits any more. */
    @Test
    void detectsUnexplainedDifferenceDespiteCompleteEdits() throws IOException {
        federation.enableGate("ns1");
        assertDetectsUnexplainedDifference(true);
    }

    private void assertDetectsUnexplainedDifference(boolean isTold) throws IOException {
        TreeClients clients = new TreeClients(fileSystem, isTold ? "/odd-told" : "/odd", 1);
        for (String file : List.of("a", "b")) {
            fileSystem.create(new Path(clients.root, file)).close();
        }
        String first = clients.snapshot("first");
        fileSystem.create(new Path(clients.root, "new")).close();
        String second = clients.snapshot("second");
        fileSystem.delete(new Path(clients.root, "a"), false);
        String third = clients.snapshot("third");

        for (List<String> odd : List.of(List.of("first", "second"), List.of("second", "third"))) {
            TrackedTree followed = follow(clients);
            String from = odd.get(0).equals("first") ? first : second;
            SortedMap<String, TreeNode> before = reader.read(from, Collections.emptySortedMap());
            adopt(followed, from, before);

            CountingSnapshotDiffer differing = new CountingSnapshotDiffer(clients, odd.get(0), odd.get(1));
            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            String at = odd.get(1).equals("third") ? third : second;
            fileSystem.setTimes(new Path(clients.root + "-outside"), 1, -1);

            Optional<Set<String>> changed = followed.update(at, now, differing);

            if (isTold) {
                assertThat(changed.orElseThrow()).isEmpty();
                for (long slice : List.of(Long.MAX_VALUE, 0L)) {
                    assertThat(findContradictions(followed, differing, at, slice))
                            .isNotEmpty()
                            .allMatch(line -> line.contains("edits do not tell"));
                }
            } else {
                assertThat(changed).isEmpty();
                assertThat(progress).anyMatch(line -> line.contains("edits do not tell"));
            }
            assertThat(now).isEqualTo(before);
            assertThat(progress).hasSize(isTold ? 0 : 2);
        }
    }

    /** An edit is missing that closes the directory: others before it may be missing as well. */
    @Test
    void onlyEditByMoveProvesTreeUnchanged() throws IOException {
        federation.enableGate("ns1");
        TreeClients clients = new TreeClients(fileSystem, "/closed", 1);
        TrackedTree followed = follow(clients);
        SortedMap<String, TreeNode> none = new TreeMap<>();
        adopt(followed, clients.root, none);
        followed.watch();
        assertThat(followed.update(clients.root, none, new CountingSnapshotDiffer(clients))
                        .orElseThrow())
                .isEmpty();

        assertThat(followed.changedSinceWatch()).isEmpty();
        assertThat(progress).hasSize(1).allMatch(line -> line.contains("edits do not tell that it was closed"));

        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));
        assertThat(followed.changedSinceWatch()).isEqualTo(NOTHING);
        fileSystem.setQuota(new Path(clients.root), 100, HdfsConstants.QUOTA_RESET);
        assertThat(followed.changedSinceWatch()).isEqualTo(NOTHING);
        fileSystem.mkdirs(new Path(clients.root, "folder"));
        assertThat(followed.changedSinceWatch()).isEqualTo(Optional.of(Set.of("/folder")));
        assertThat(progress).hasSize(1);
    }

    /** A file that was closed just before is in the snapshot, and its edit perhaps not durable yet. */
    @Test
    void editBeforeLastScanDoesNotProveLaterChange() throws IOException {
        federation.enableGate("ns1");
        TreeClients clients = new TreeClients(fileSystem, "/just-before", 1);
        TrackedTree followed = follow(clients);
        SortedMap<String, TreeNode> tree = new TreeMap<>();
        adopt(followed, clients.root, tree);
        followed.watch();
        fileSystem.create(new Path(clients.root, "file")).close();
        assertThat(followed.update(clients.root, tree, new CountingSnapshotDiffer(clients))
                        .orElseThrow())
                .containsExactly("/file");
        fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0700));

        assertThat(followed.changedSinceWatch()).isEmpty();

        assertThat(progress).hasSize(1).allMatch(line -> line.endsWith("edits tell of /file"));
    }

    /** Also where they do not tell all: what they tell has happened. */
    @Test
    void reportsChangesFromIncompleteEdits() throws IOException {
        TreeClients clients = new TreeClients(fileSystem, "/told-in-part", 1);
        TrackedTree followed = follow(clients);
        fileSystem.create(new Path(clients.root, "file")).close();
        String first = clients.snapshot("first");
        SortedMap<String, TreeNode> tree = reader.read(first, Collections.emptySortedMap());
        adopt(followed, clients.root, tree);
        followed.watch();
        String last = clients.snapshot("last");
        assertThat(followed.update(last, tree, new CountingSnapshotDiffer(clients)))
                .isPresent();

        fileSystem.setTimes(new Path(clients.root, "file"), 77, -1);

        assertThat(followed.changedSinceWatch()).isEqualTo(Optional.of(Set.of("/file")));
    }
}
