/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.client.hashed.HashedTree.DeleteResult;
import io.trefoil.federation.client.hashed.HashedTree.MkdirResult;
import io.trefoil.federation.client.hashed.HashedTree.RenameResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * HDFS remembers no answers of the call that makes a directory: if a NameNode ends before it answers, the next one executes the client's
 * repetition. Here one of an operation's calls is such a call, whichever it is, and others come between.
 */
class RepeatedMkdirTest {

    private static final HashedLayout LAYOUT = new HashedLayout("/hashed", 2);
    private static final String PARENT_PATH = nameInGroup(0, "/below");

    /** The end of a client. */
    private static final class ClientDeathException extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private final AtomicInteger operations = new AtomicInteger();
    private List<FakeNamespace> namespaces;
    private HashedTree<FakeNamespace.Inode> others;

    /** How many calls are executed once before. */
    private int left;

    private static String nameInGroup(int group, String prefix) {
        int number = 0;
        while (LAYOUT.homeOf(prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    private HashedTree<FakeNamespace.Inode> tree(List<? extends Group<FakeNamespace.Inode>> groups) {
        // The later ones are the larger ones.
        return new HashedTree<>(LAYOUT, groups, () -> "operation-" + (1000 + operations.incrementAndGet()));
    }

    /** What others do between. */
    private interface ConcurrentAction {
        void run() throws IOException;
    }

    private HashedTree<FakeNamespace.Inode> clientRepeatingMkdir(int calls, ConcurrentAction between) {
        return clientRepeatingMkdir(calls, between, () -> {});
    }

    /** A client with one call of {@link Group#mkdir} that is executed twice. */
    private HashedTree<FakeNamespace.Inode> clientRepeatingMkdir(
            int calls, ConcurrentAction between, ConcurrentAction nextAction) {
        left = calls;
        List<Group<FakeNamespace.Inode>> groups = new ArrayList<>();
        for (FakeNamespace one : namespaces) {
            groups.add(new ForwardingGroup(one) {
                @Override
                public boolean mkdir(String path, int mode) throws IOException {
                    boolean isMade = super.mkdir(path, mode);
                    left--;
                    if (left != -1) {
                        return isMade;
                    }
                    between.run();
                    isMade = super.mkdir(path, mode);
                    nextAction.run();
                    return isMade;
                }
            });
        }
        return tree(groups);
    }

    private void createDirectory(String directory) throws IOException {
        namespaces = List.of(new FakeNamespace(1000), new FakeNamespace(2000));
        others = tree(namespaces);
        for (int group = 0; group < 2; group++) {
            namespaces.get(group).mkdirs(LAYOUT.placePath(group, ""), 0);
            namespaces.get(group).mkdirs(HashedLayout.renamesOf("/hashed"), 0);
        }
        assertThat(others.mkdir(PARENT_PATH, 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(others.mkdir(directory, 0755)).isEqualTo(MkdirResult.MADE);
    }

    private void create(String path) {
        int group = LAYOUT.homeOf(path);
        assertThat(namespaces.get(group).create(LAYOUT.placePath(group, path))).contains(true);
    }

    private boolean exists(String path) throws IOException {
        return others.lookup(path).isPresent();
    }

    /** A client that wants to delete an empty directory, while another one creates a file in it. */
    private void deleteDuringCreation(String directory, String file) throws IOException {
        AtomicInteger calls = new AtomicInteger();
        List<Group<FakeNamespace.Inode>> groups = new ArrayList<>();
        for (FakeNamespace one : namespaces) {
            groups.add(new ForwardingGroup(one) {
                @Override
                public boolean mkdir(String path, int mode) throws IOException {
                    if (calls.incrementAndGet() == 1) {
                        create(file);
                    }
                    return super.mkdir(path, mode);
                }
            });
        }
        assertThat(tree(groups).delete(directory, false)).isEqualTo(DeleteResult.NOT_EMPTY);
    }

    /** Others who lose nothing in a parent that is not empty. */
    private void assertFileKept(String directory, String file) throws IOException {
        assertThat(exists(directory)).isTrue();
        assertThat(exists(directory + file)).isTrue();
        assertThat(others.list(HashedLayout.parentOf(directory)).orElseThrow())
                .extracting(Entry::name)
                .contains(HashedLayout.nameOf(directory));
        assertThat(others.delete(HashedLayout.parentOf(directory), false)).isEqualTo(DeleteResult.NOT_EMPTY);
        assertThat(exists(directory + file)).isTrue();
    }

    @Test
    void repeatedMkdirDoesNotReviveUndoneRename() throws IOException {
        for (int homes = 0; homes < 8; homes++) {
            String from = PARENT_PATH + nameInGroup(homes % 2, "/old");
            String to = PARENT_PATH + nameInGroup(homes / 2 % 2, "/new");
            String file = nameInGroup(homes / 4, "/file");
            int calls = 0;
            do {
                createDirectory(from);
                HashedTree<FakeNamespace.Inode> client =
                        clientRepeatingMkdir(calls, () -> deleteDuringCreation(from, from + file));

                assertThat(client.renameDirectory(from, to)).isEqualTo(RenameResult.RENAMED);

                assertThat(exists(from)).as("call " + calls).isFalse();
                if (left < 0) {
                    assertFileKept(to, file);
                }
                calls++;
            } while (left < 0);
            assertThat(calls).isGreaterThan(5);
        }
    }

    @Test
    void repeatedMkdirDoesNotReviveRenameOfDeadClient() throws IOException {
        for (int homes = 0; homes < 8; homes++) {
            String from = PARENT_PATH + nameInGroup(homes % 2, "/old");
            String to = PARENT_PATH + nameInGroup(homes / 2 % 2, "/new");
            String file = nameInGroup(homes / 4, "/file");
            int calls = 0;
            do {
                createDirectory(from);
                HashedTree<FakeNamespace.Inode> client =
                        clientRepeatingMkdir(calls, () -> deleteDuringCreation(from, from + file), () -> {
                            throw new ClientDeathException();
                        });
                try {
                    client.renameDirectory(from, to);
                } catch (ClientDeathException e) {
                    assertFileKept(from, file);
                }
                calls++;
            } while (left < 0);
            assertThat(calls).isGreaterThan(5);
        }
    }

    /** What comes first is completed, and this undone. */
    private void renameAsOthers(String from, String to) throws IOException {
        try {
            others.renameDirectory(from, to);
        } catch (UnknownRenameException e) {
            assertThat(exists(to)).isFalse();
        }
    }

    @Test
    void renameCompletedByOthersCountsAsSuccess() throws IOException {
        for (int homes = 0; homes < 4; homes++) {
            String from = PARENT_PATH + nameInGroup(homes % 2, "/old");
            String to = PARENT_PATH + nameInGroup(homes / 2, "/new");
            String other = PARENT_PATH + "/other";
            int calls = 0;
            do {
                createDirectory(from);
                create(from + "/file");
                HashedTree<FakeNamespace.Inode> client = clientRepeatingMkdir(calls, () -> {
                    renameAsOthers(from, other);
                    others.list(to);
                });

                boolean isTold = client.renameDirectory(from, to) == RenameResult.RENAMED;

                assertThat(exists(from)).as("call " + calls).isFalse();
                assertThat(exists(to + "/file")).as("call " + calls).isEqualTo(isTold);
                assertThat(exists(other + "/file")).as("call " + calls).isEqualTo(!isTold);
                calls++;
            } while (left < 0);
            assertThat(calls).isGreaterThan(5);
        }
    }

    @Test
    void deleteCompletedByOthersCountsAsSuccess() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = PARENT_PATH + nameInGroup(home, "/old");
            int calls = 0;
            do {
                createDirectory(path);
                create(path + "/file");
                HashedTree<FakeNamespace.Inode> client = clientRepeatingMkdir(calls, () -> {
                    renameAsOthers(path, "/other");
                    others.delete(PARENT_PATH, true);
                });

                boolean isDeleted = isDeleted(client, path);

                assertThat(exists("/other/file")).as("call " + calls).isEqualTo(!isDeleted);
                calls++;
            } while (left < 0);
            assertThat(calls).isGreaterThan(2);
        }
    }

    /** Or may be. */
    private static boolean isDeleted(HashedTree<FakeNamespace.Inode> client, String path) throws IOException {
        try {
            return client.delete(path, true) == DeleteResult.DELETED;
        } catch (UnknownDeletionException e) {
            return true;
        }
    }
}
