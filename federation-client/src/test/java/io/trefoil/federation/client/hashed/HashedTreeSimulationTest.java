/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever clients do, and wherever they stop, others see one file system. */
class HashedTreeSimulationTest {

    private static final int SEEDS = Integer.getInteger("trefoil.hashed.seeds", 400);

    /** A planted bug is noticed long before. */
    private static final int SEEDS_OF_A_BUG = 3000;

    /** How a simulation is made. */
    private interface SimulationFactory {
        HashedTreeSimulation create(long seed, HashedTreeSimulation.TreeFactory trees);
    }

    private static Optional<String> firstViolation(
            int seeds, SimulationFactory simulations, HashedTreeSimulation.TreeFactory trees) {
        for (long seed = 1; seed <= seeds; seed++) {
            Optional<String> wrong = simulations.create(seed, trees).run();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    @Test
    void crashedClientsLeaveConsistentFileSystem() {
        Optional<String> wrong = firstViolation(SEEDS, HashedTreeSimulation::withManyNames, HashedTree::new);

        assertThat(wrong).as(wrong.orElse("")).isEmpty();
    }

    @Test
    void clientsReusingNamesSeeOneFileSystem() {
        Optional<String> wrong = firstViolation(SEEDS, HashedTreeSimulation::withFewNames, HashedTree::new);

        assertThat(wrong).as(wrong.orElse("")).isEmpty();
    }

    @Test
    void crashedDirectoryChangesLeaveConsistentFileSystem() {
        Optional<String> wrong = firstViolation(SEEDS, HashedTreeSimulation::withDirectoryChanges, HashedTree::new);

        assertThat(wrong).as(wrong.orElse("")).isEmpty();
    }

    @Test
    void clientsWithRepeatedCallsSeeOneFileSystem() {
        Optional<String> wrong = firstViolation(SEEDS, HashedTreeSimulation::withRepeatedCalls, HashedTree::new);

        assertThat(wrong).as(wrong.orElse("")).isEmpty();
    }

    private static void assertBugFound(UnaryOperator<Group<FakeNamespace.Inode>> bug) {
        assertBugFound(HashedTreeSimulation::withManyNames, bug);
    }

    private static void assertBugFound(SimulationFactory simulations, UnaryOperator<Group<FakeNamespace.Inode>> bug) {
        assertThat(firstViolation(
                        SEEDS_OF_A_BUG,
                        simulations,
                        (layout, groups, ids) -> new HashedTree<>(
                                layout, groups.stream().map(bug).collect(Collectors.toList()), ids)))
                .isPresent();
    }

    /** What a file was renamed to may be what others were told is theirs. */
    @Test
    void findsDirectoryRestoredWithoutRecheck() {
        assertBugFound(HashedTreeSimulation::withFewNames, group -> new ForwardingGroup(group) {
            @Override
            public boolean renameFile(String from, String to) throws IOException {
                if (!super.renameFile(from, to)) {
                    return false;
                }
                boolean isDirectory = false;
                // The longer it takes, the sooner it is noticed.
                for (int i = 0; i < 20; i++) {
                    isDirectory = stat(to).filter(Entry::isDirectory).isPresent();
                }
                if (isDirectory) {
                    super.rename(to, from);
                }
                return !isDirectory;
            }
        });
    }

    @Test
    void findsDirectoryDeletedWithEntries() {
        assertBugFound(group -> new ForwardingGroup(group) {
            @Override
            public Optional<List<FakeNamespace.Inode>> list(String path) throws IOException {
                boolean isClosed = path.contains(HashedLayout.deletionName(""));
                return isClosed ? Optional.of(List.of()) : super.list(path);
            }
        });
    }

    @Test
    void findsUnmovedCopy() {
        assertBugFound(group -> new ForwardingGroup(group) {
            /** Says that the copy is closed already. */
            @Override
            public Optional<FakeNamespace.Inode> stat(String path) throws IOException {
                String directory = HashedLayout.parentOf(path);
                return HashedLayout.isDeletion(HashedLayout.nameOf(directory)) && !path.endsWith("/done")
                        ? super.stat(directory)
                        : super.stat(path);
            }
        });
    }

    @Test
    void findsCopiesRemovedAfterDecidingDirectory() {
        assertBugFound(group -> new ForwardingGroup(group) {
            /** Ends before the copies, when everything else is gone. */
            @Override
            public void removeRecursively(String path) throws IOException {
                boolean isDecision = super.stat(path + "/done").isPresent();
                if (isDecision || !HashedLayout.isDeletion(HashedLayout.nameOf(path))) {
                    super.removeRecursively(path);
                }
            }
        });
    }

    @Test
    void findsOldNameCountingAfterDecision() {
        assertBugFound(group -> new ForwardingGroup(group) {
            /** Says that the successor still waits. */
            @Override
            public Optional<FakeNamespace.Inode> stat(String path) throws IOException {
                boolean isSuccessor = HashedLayout.nameOf(path).startsWith(HashedLayout.successorName(""));
                Optional<FakeNamespace.Inode> existing = super.stat(path);
                return isSuccessor && existing.isEmpty() ? super.stat(HashedLayout.parentOf(path)) : existing;
            }
        });
    }

    @Test
    void findsLeftoverStation() {
        assertBugFound(group -> new ForwardingGroup(group) {
            @Override
            public Removal removeIfEmpty(String path) throws IOException {
                boolean isStation = path.startsWith(HashedLayout.RENAMES);
                return isStation ? Removal.REMOVED : super.removeIfEmpty(path);
            }
        });
    }

    /** HDFS makes a directory once more if it is asked once more, though others have undone meanwhile what that says. */
    @Test
    void findsRenamePublishedByCreation() {
        assertBugFound(HashedTreeSimulation::withRepeatedCalls, group -> new ForwardingGroup(group) {
            @Override
            public boolean rename(String from, String to) throws IOException {
                return HashedLayout.isRename(HashedLayout.nameOf(to)) ? super.mkdir(to, 0) : super.rename(from, to);
            }
        });
    }

    /** Who decides by id does not see that a directory above has another name. */
    @Test
    void findsDeletionDecidedWithoutPath() {
        assertBugFound(group -> new ForwardingGroup(group) {
            private final Map<String, String> byNumber = new HashMap<>();

            @Override
            public boolean mkdir(String path, int mode) throws IOException {
                byNumber.putIfAbsent(HashedLayout.nameOf(path), path);
                return super.mkdir(path, mode);
            }

            @Override
            public boolean rename(String from, String to) throws IOException {
                String directory = HashedLayout.parentOf(to);
                String deletion = HashedLayout.nameOf(directory);
                return HashedLayout.isDeletion(deletion)
                        ? super.rename(from, byNumber.getOrDefault(deletion, directory) + "/" + HashedLayout.nameOf(to))
                        : super.rename(from, to);
            }
        });
    }

    /** Then a client moves a file into it, to which nothing leads. */
    @Test
    void findsLeftoverGuestDirectoryOfClearedSignpost() {
        assertBugFound(HashedTreeSimulation::withFewNames, group -> new ForwardingGroup(group) {
            @Override
            public Removal removeIfEmpty(String path) throws IOException {
                boolean isEmptyRoom = stat(path)
                        .filter(one -> one.name().startsWith(HashedLayout.relocationDirectoryName(""))
                                && one.childCount() == 0)
                        .isPresent();
                return isEmptyRoom ? Removal.REMOVED : super.removeIfEmpty(path);
            }
        });
    }

    @Test
    void findsSignpostClearedDespiteGuest() {
        assertBugFound(group -> new ForwardingGroup(group) {
            @Override
            public Removal removeIfEmpty(String path) throws IOException {
                boolean isRoom = stat(path)
                        .filter(one -> one.name().startsWith(HashedLayout.relocationDirectoryName("")))
                        .isPresent();
                Removal removal = super.removeIfEmpty(path);
                return isRoom ? Removal.REMOVED : removal;
            }
        });
    }

    @Test
    void findsSignpostTakenForFileTooEarly() {
        assertBugFound(group -> new ForwardingGroup(group) {
            /** Says that the file is there as soon as its room is. */
            @Override
            public Optional<FakeNamespace.Inode> stat(String path) throws IOException {
                boolean isGuest = HashedLayout.nameOf(HashedLayout.parentOf(path))
                        .startsWith(HashedLayout.relocationDirectoryName(""));
                Optional<FakeNamespace.Inode> existing = super.stat(path);
                return isGuest && existing.isEmpty() ? Optional.of(new FakeNamespace.Inode(0, false)) : existing;
            }
        });
    }

    @Test
    void findsMarksRemovedBeforePartsAgree() {
        assertBugFound(HashedTreeSimulation::withDirectoryChanges, group -> new ForwardingGroup(group) {
            @Override
            public void setAccess(String path, Access from, Access to) throws IOException {
                for (FakeNamespace.Inode one : list(path).orElse(List.of())) {
                    if (HashedLayout.isAccessChange(one.name())) {
                        removeIfEmpty(path + "/" + one.name());
                    }
                }
                super.setAccess(path, from, to);
            }
        });
    }

    @Test
    void findsUnfinishedPermissionChange() {
        assertBugFound(HashedTreeSimulation::withDirectoryChanges, group -> new ForwardingGroup(group) {
            /** Shows no marks. */
            @Override
            public Optional<List<FakeNamespace.Inode>> list(String path) throws IOException {
                return super.list(path).map(all -> all.stream()
                        .filter(one -> !HashedLayout.isAccessChange(one.name()))
                        .collect(Collectors.toList()));
            }
        });
    }

    @Test
    void findsRenameTakingStalePermission() {
        assertBugFound(HashedTreeSimulation::withDirectoryChanges, group -> new ForwardingGroup(group) {
            private final Map<String, Access> asked = new HashMap<>();

            /** Says that an old name is as it was when its successor was made. */
            @Override
            public Optional<Access> access(String path) throws IOException {
                boolean isRenamed =
                        list(path).orElse(List.of()).stream().anyMatch(one -> HashedLayout.isRename(one.name()));
                Optional<Access> existing = super.access(path);
                if (existing.isPresent() && !isRenamed) {
                    asked.put(path, existing.get());
                }
                return isRenamed ? Optional.ofNullable(asked.get(path)).or(() -> existing) : existing;
            }
        });
    }
}
