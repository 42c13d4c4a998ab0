/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Whatever clients do, and wherever they stop, others see one file system. */
class HashedTreeSimulationTest {

    private static final int SEEDS = Integer.getInteger("trefoil.hashed.seeds", 3000);

    private static Optional<String> firstWrong(HashedTreeSimulation.Trees trees) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Optional<String> wrong = new HashedTreeSimulation(seed, trees).run();
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    @Test
    void clientsThatStopAnywhereLeaveOneFileSystem() {
        Optional<String> wrong = firstWrong(HashedTree::new);

        assertThat(wrong).as(wrong.orElse("")).isEmpty();
    }

    /** A nameservice as a client with a bug has it. */
    private static class Wrong implements Group<FakeNamespace.Inode> {
        private final Group<FakeNamespace.Inode> right;

        Wrong(Group<FakeNamespace.Inode> right) {
            this.right = right;
        }

        @Override
        public Optional<FakeNamespace.Inode> stat(String path) throws IOException {
            return right.stat(path);
        }

        @Override
        public Optional<List<FakeNamespace.Inode>> list(String path) throws IOException {
            return right.list(path);
        }

        @Override
        public boolean mkdir(String path, int mode) throws IOException {
            return right.mkdir(path, mode);
        }

        @Override
        public boolean rename(String from, String to) throws IOException {
            return right.rename(from, to);
        }

        @Override
        public Removal removeIfEmpty(String path) throws IOException {
            return right.removeIfEmpty(path);
        }

        @Override
        public void removeAll(String path) throws IOException {
            right.removeAll(path);
        }
    }

    private static void assertNoticed(UnaryOperator<Group<FakeNamespace.Inode>> bug) {
        assertThat(firstWrong((layout, groups, ids) ->
                        new HashedTree<>(layout, groups.stream().map(bug).collect(Collectors.toList()), ids)))
                .isPresent();
    }

    @Test
    void aDirectoryThatIsDeletedWithItsEntriesIsNoticed() {
        assertNoticed(group -> new Wrong(group) {
            @Override
            public Optional<List<FakeNamespace.Inode>> list(String path) throws IOException {
                boolean isClosed = path.contains(HashedLayout.deletion(""));
                return isClosed ? Optional.of(List.of()) : super.list(path);
            }
        });
    }

    @Test
    void aCopyThatStaysWhereItIsIsNoticed() {
        assertNoticed(group -> new Wrong(group) {
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
}
