/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.hdfs.tree.HdfsTree;
import io.trefoil.federation.hdfs.tree.TrackedTree;
import io.trefoil.federation.move.TreeNode;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** Whatever clients do to a tree: what follows its edits is what a listing finds. */
class TrackedTreeTest extends TrackedTreeFixture {

    private static final int SEEDS = Integer.getInteger("trefoil.test.followed.seeds", 10);
    private static final int FIRST_SEED = Integer.getInteger("trefoil.test.followed.from", 1);
    private static final Optional<Set<String>> NOTHING = Optional.of(Set.of());

    /** As the source of a move is followed. */
    @Test
    void editsBetweenSnapshotsMatchListing() throws IOException {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            maybeEnableGate(seed);
            TreeClients clients = new TreeClients(fileSystem, "/between/" + seed, seed);
            clients.makeRandomCalls(20);
            TrackedTree followed = follow(clients);
            followed.begin();
            clients.makeRandomCalls(clients.random.nextInt(3));
            String first = clients.snapshot("first");
            clients.makeRandomCalls(clients.random.nextInt(3));
            followed.settleTree();
            SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
            clients.makeRandomCalls(clients.random.nextInt(3));
            followed.adopt(first, before);
            clients.makeRandomCalls(clients.random.nextInt(6));
            followed.followEdits();
            clients.makeRandomCalls(clients.random.nextInt(10));
            clients.close();
            followed.watch();
            String last = clients.snapshot("last");

            CountingSnapshotDiffer differing = new CountingSnapshotDiffer(clients);
            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            Optional<Set<String>> changedPaths = followed.update(last, now, differing);

            check(clients, before, now, changedPaths, reader.read(last, Collections.emptySortedMap()));
            if (changedPaths.isPresent()) {
                assertThat(differing.requestCount).as(clients.root).isEqualTo(isGated(seed) ? 0 : 1);
            }
            fileSystem.setPermission(new Path(clients.root), new FsPermission((short) 0));
            assertThat(followed.changedSinceWatch())
                    .as(clients.root)
                    .isEqualTo(changedPaths.isPresent() && isGated(seed) ? NOTHING : Optional.empty());
            // Edits alone gave what the difference has as well, whether it is asked for at once or in parts.
            for (long slice : List.of(Long.MAX_VALUE, (long) seed, 2L)) {
                assertThat(findContradictions(followed, new CountingSnapshotDiffer(clients), last, slice))
                        .as("%s in slices of %s: %s", clients.root, slice, clients.done)
                        .isEmpty();
            }
        }
    }

    /** As the target of a move is followed, where the mover knows of the calls that edits do not tell. */
    @Test
    void editsSufficeWithoutSnapshots() throws IOException {
        for (int seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            maybeEnableGate(seed);
            TreeClients clients = new TreeClients(fileSystem, "/without/" + seed, seed);
            clients.makeRandomCalls(20);
            TrackedTree followed = follow(clients);
            followed.begin();
            clients.makeRandomCalls(clients.random.nextInt(3));
            clients.close();
            SortedMap<String, TreeNode> before = reader.read(clients.root, Collections.emptySortedMap());
            followed.settleTree();
            followed.adopt(clients.root, before);
            clients.silent.clear();
            clients.makeRandomCalls(clients.random.nextInt(15));
            clients.close();

            SortedMap<String, TreeNode> now = new TreeMap<>(before);
            Optional<Set<String>> changedPaths =
                    followed.update(clients.root, now, isGated(seed) ? Collections.emptySet() : clients.silent);

            check(clients, before, now, changedPaths, reader.read(clients.root, Collections.emptySortedMap()));
        }
    }

    @Test
    void directoryDeletedDuringSnapshotReadIsInTree() throws IOException {
        Path root = new Path("/deleted");
        Path directory = new Path(root, "folder");
        Path renamed = new Path(root, "renamed");
        fileSystem.mkdirs(new Path(directory, "inner"));
        fileSystem.mkdirs(new Path(renamed, "inner"));
        fileSystem.allowSnapshot(root);
        fileSystem.createSnapshot(root, "first");
        fileSystem.delete(directory, true);
        fileSystem.rename(renamed, new Path(root, "other"));
        fileSystem.delete(new Path(root, "other"), true);

        SortedMap<String, TreeNode> tree = reader.read(root + "/.snapshot/first", Collections.emptySortedMap());

        assertThat(tree).containsOnlyKeys("/folder", "/folder/inner", "/renamed", "/renamed/inner");
    }

    @Test
    void unchangedNodesAreNotReadAgain() throws IOException {
        TreeClients clients = new TreeClients(fileSystem, "/quiet", 1);
        clients.makeRandomCalls(40);
        clients.close();
        TrackedTree followed = follow(clients);
        followed.begin();
        String first = clients.snapshot("first");
        followed.settleTree();
        SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
        followed.adopt(first, before);
        String one = before.lastKey();
        fileSystem.setTimes(new Path(clients.root + one), 77, -1);
        String last = clients.snapshot("last");

        SortedMap<String, TreeNode> now = new TreeMap<>(before);

        assertThat(followed.update(last, now, new CountingSnapshotDiffer(clients))
                        .orElseThrow())
                .containsExactly(one);
        assertThat(now.get(one).traits().modificationTime()).isEqualTo(77);
    }

    /** HDFS accepts such paths, and its edits of a concatenation have them. */
    @Test
    void followsConcatByPathWithEmptyNames() throws IOException {
        federation.enableGate("ns1");
        TreeClients clients = new TreeClients(fileSystem, "/empty-names", 1);
        for (String file : List.of("a", "b")) {
            clients.write(fileSystem.create(new Path(clients.root, file)));
        }
        TrackedTree followed = follow(clients);
        followed.begin();
        String first = clients.snapshot("first");
        followed.settleTree();
        SortedMap<String, TreeNode> before = reader.read(first, Collections.emptySortedMap());
        followed.adopt(first, before);
        clients.write(fileSystem.create(new Path(clients.root, "c")));
        // DistributedFileSystem would take the empty name out.
        fileSystem.getClient().getNamenode().concat("/" + clients.root + "//a", new String[] {"/" + clients.root + "/c"
        });
        String last = clients.snapshot("last");
        SortedMap<String, TreeNode> now = new TreeMap<>(before);

        assertThat(followed.update(last, now, new CountingSnapshotDiffer(clients)))
                .isPresent();

        assertThat(now).isEqualTo(reader.read(last, Collections.emptySortedMap()));
        assertThat(now.get("/a").traits().length())
                .isGreaterThan(before.get("/a").traits().length());
    }

    @Test
    void reservedPathsWithEmptyNamesAreInconclusive() throws IOException {
        TreeClients clients = new TreeClients(fileSystem, "/reserved-names", 1);
        for (String file : List.of("a", "b")) {
            clients.write(fileSystem.create(new Path(clients.root, file)));
        }
        TrackedTree followed = follow(clients);
        followed.begin();
        followed.settleTree();
        SortedMap<String, TreeNode> before = reader.read(clients.root, Collections.emptySortedMap());
        followed.adopt(clients.root, before);
        fileSystem.getClient().getNamenode().concat("//.reserved/raw" + clients.root + "/a", new String[] {
            clients.root + "/b"
        });

        assertThat(followed.update(clients.root, before, Collections.emptySet()))
                .isEmpty();
        assertThat(progress).hasSize(1).allMatch(line -> line.contains("there was an edit of /.reserved/raw"));
    }

    /** Whether NameNodes count or not, quotas are the same. */
    private static void maybeEnableGate(int seed) throws IOException {
        federation.disableGates();
        if (isGated(seed)) {
            federation.enableGate("ns1");
        }
    }

    private static boolean isGated(int seed) {
        return seed % 4 < 2;
    }

    private void check(
            TreeClients clients,
            SortedMap<String, TreeNode> before,
            SortedMap<String, TreeNode> now,
            Optional<Set<String>> changedPaths,
            SortedMap<String, TreeNode> listed)
            throws IOException {
        checkQuotas(clients, listed);
        if (clients.usesPolicies && changedPaths.isEmpty()) {
            assertThat(progress).allMatch(line -> line.contains("storage polic"));
            assertThat(now).isEqualTo(before);
            return;
        }
        assertThat(progress)
                .as("%s: %s", clients.root, clients.done)
                .allMatch(line -> line.startsWith("The pause compares snapshots of all of " + clients.root
                        + ": a NameNode tells no edits of quotas"));
        assertThat(now).as("%s: %s", clients.root, clients.done).isEqualTo(listed);
        Set<String> differ = new TreeSet<>();
        before.forEach((path, node) -> {
            if (!node.equals(listed.get(path))) {
                differ.add(path);
            }
        });
        listed.keySet().stream().filter(path -> !before.containsKey(path)).forEach(differ::add);
        assertThat(changedPaths.orElseThrow()).containsAll(differ);
    }

    /** As users are told them. */
    private static void checkQuotas(TreeClients clients, SortedMap<String, TreeNode> listed) throws IOException {
        for (Map.Entry<String, TreeNode> one : listed.entrySet()) {
            if (one.getValue().isDirectory()) {
                long names = fileSystem
                        .getQuotaUsage(new Path(clients.root + one.getKey()))
                        .getQuota();
                assertThat(one.getValue().traits().quotas())
                        .as("%s%s: %s", clients.root, one.getKey(), clients.done)
                        .isEqualTo(names < 0 ? Map.of() : Map.of(HdfsTree.NAMES, names));
            }
        }
    }
}
