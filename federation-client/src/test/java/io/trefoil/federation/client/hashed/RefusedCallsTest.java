/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedTree.DeleteResult;
import io.trefoil.federation.client.hashed.HashedTree.MkdirResult;
import io.trefoil.federation.client.hashed.HashedTree.RenameResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Test;

/**
 * Nameservices that refuse one call, whichever it is: an operation of which the caller is told that it failed was not done, and nothing of
 * it is left.
 */
class RefusedCallsTest {

    private static final HashedLayout LAYOUT = new HashedLayout("/hashed", 2);
    private static final String PARENT_PATH = nameInGroup(0, "/below");

    private final AtomicInteger operations = new AtomicInteger();
    private List<FakeNamespace> namespaces;
    private HashedTree<FakeNamespace.Inode> others;

    /** How many calls are not refused yet. */
    private int left;

    /** Whether the call that is refused is executed in spite of it. */
    private boolean isExecuted;

    private static String nameInGroup(int group, String prefix) {
        int number = 0;
        while (LAYOUT.homeOf(prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    private HashedTree<FakeNamespace.Inode> tree(List<? extends Group<FakeNamespace.Inode>> groups) {
        return new HashedTree<>(LAYOUT, groups, () -> "operation-" + operations.incrementAndGet());
    }

    /** A call that changes something. */
    private interface Change<T> {
        T run() throws IOException;
    }

    /** Refuses one call: the one after so many. */
    private final class RefusingGroup extends ForwardingGroup {
        RefusingGroup(Group<FakeNamespace.Inode> right) {
            super(right);
        }

        private <T> T change(Change<T> change) throws IOException {
            left--;
            if (left != -1) {
                return change.run();
            }
            if (isExecuted) {
                change.run();
            }
            throw new IOException("Refused");
        }

        @Override
        public boolean mkdir(String path, int mode) throws IOException {
            return change(() -> super.mkdir(path, mode));
        }

        @Override
        public boolean mkdirLike(String path, Access otherAccess) throws IOException {
            return change(() -> super.mkdirLike(path, otherAccess));
        }

        @Override
        public void setAccess(String path, Access from, Access to) throws IOException {
            change(() -> {
                super.setAccess(path, from, to);
                return true;
            });
        }

        @Override
        public void setAttributes(String path, Map<String, String> attributes) throws IOException {
            change(() -> {
                super.setAttributes(path, attributes);
                return true;
            });
        }

        @Override
        public boolean mkdirWithAccessFor(String path, FakeNamespace.Inode child) throws IOException {
            return change(() -> super.mkdirWithAccessFor(path, child));
        }

        @Override
        public void mkdirs(String path, int mode) throws IOException {
            change(() -> {
                super.mkdirs(path, mode);
                return true;
            });
        }

        @Override
        public boolean rename(String from, String to) throws IOException {
            return change(() -> super.rename(from, to));
        }

        @Override
        public boolean renameFile(String from, String to) throws IOException {
            return change(() -> super.renameFile(from, to));
        }

        @Override
        public boolean replaceFile(String from, String to) throws IOException {
            return change(() -> super.replaceFile(from, to));
        }

        @Override
        public Removal removeIfEmpty(String path) throws IOException {
            return change(() -> super.removeIfEmpty(path));
        }

        @Override
        public void removeRecursively(String path) throws IOException {
            change(() -> {
                super.removeRecursively(path);
                return true;
            });
        }
    }

    /** What a client does, or what there is before. */
    private interface ClientAction {
        void perform(HashedTree<FakeNamespace.Inode> client) throws IOException;
    }

    /** What others see. */
    private interface Inspection {
        /** @return whether it was done; fails if it is neither done nor not */
        boolean isDone() throws IOException;
    }

    private void begin() throws IOException {
        namespaces = List.of(new FakeNamespace(1000), new FakeNamespace(2000));
        others = tree(namespaces);
        for (int group = 0; group < 2; group++) {
            namespaces.get(group).mkdirs(LAYOUT.placePath(group, ""), 0);
            namespaces.get(group).mkdirs(HashedLayout.renamesOf("/hashed"), 0);
        }
        others.mkdir(PARENT_PATH, 0755);
    }

    /** For each call in turn. */
    private void assertConsistentOnRefusal(ClientAction before, ClientAction action, Inspection inspection)
            throws IOException {
        int calls = 0;
        do {
            begin();
            before.perform(others);
            left = calls;
            boolean isTold = succeeds(action);
            boolean isDone = inspection.isDone();
            if (isExecuted) {
                assertThat(isDone || !isTold).as("call " + calls).isTrue();
            } else {
                assertThat(isDone).as("call " + calls).isEqualTo(isTold);
            }
            if (!isTold) {
                assertThat(leftovers()).as("call " + calls).isEmpty();
            }
            calls++;
        } while (left < 0);
        assertThat(calls).isGreaterThan(2);
    }

    private boolean succeeds(ClientAction action) {
        try {
            action.perform(tree(List.of(new RefusingGroup(namespaces.get(0)), new RefusingGroup(namespaces.get(1)))));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void create(String path) {
        int group = LAYOUT.homeOf(path);
        assertThat(namespaces.get(group).create(LAYOUT.placePath(group, path))).contains(true);
    }

    private void fillDirectory(String directory) throws IOException {
        assertThat(others.mkdir(directory, 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(others.mkdir(directory + "/sub", 0755)).isEqualTo(MkdirResult.MADE);
        for (int group = 0; group < 2; group++) {
            create(directory + nameInGroup(group, "/file"));
        }
    }

    private boolean exists(String path) throws IOException {
        return others.lookup(path).isPresent();
    }

    private boolean isComplete(String directory) throws IOException {
        boolean isThere = exists(directory);
        for (String inside : List.of("/sub", nameInGroup(0, "/file"), nameInGroup(1, "/file"))) {
            assertThat(exists(directory + inside)).as(directory + inside).isEqualTo(isThere);
        }
        return isThere;
    }

    /** Names that no client sees. */
    private List<String> leftovers() {
        List<String> leftovers = new ArrayList<>();
        for (int group = 0; group < 2; group++) {
            collectLeftovers(namespaces.get(group), LAYOUT.placePath(group, ""), leftovers);
            namespaces
                    .get(group)
                    .list(HashedLayout.renamesOf("/hashed"))
                    .orElseThrow()
                    .forEach(one -> leftovers.add(one.name()));
        }
        return leftovers;
    }

    private static void collectLeftovers(FakeNamespace namespace, String directory, List<String> leftovers) {
        List<FakeNamespace.Inode> all = namespace.list(directory).orElseThrow();
        boolean isSignpost = all.stream().anyMatch(one -> HashedLayout.isSignpostLabel(one.name()));
        for (FakeNamespace.Inode one : isSignpost ? List.<FakeNamespace.Inode>of() : all) {
            if (HashedLayout.isReserved(one.name())
                    && !one.name().startsWith(HashedLayout.relocationDirectoryName(""))) {
                leftovers.add(directory + "/" + one.name());
            }
            if (one.isDirectory()) {
                collectLeftovers(namespace, directory + "/" + one.name(), leftovers);
            }
        }
    }

    private interface Scenario {
        void check() throws IOException;
    }

    private void assertForBothKinds(Scenario one) throws IOException {
        for (boolean executed : new boolean[] {false, true}) {
            isExecuted = executed;
            one.check();
        }
    }

    @Test
    void failedMkdirCleansUp() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = PARENT_PATH + nameInGroup(home, "/dir");
            assertForBothKinds(() -> assertConsistentOnRefusal(nobody -> {}, client -> client.mkdir(path, 0755), () -> {
                boolean isDone = exists(path);
                assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.EXISTS : MkdirResult.MADE);
                assertThat(others.findPartId(0, path)).isPresent();
                assertThat(others.findPartId(1, path)).isPresent();
                return isDone;
            }));
        }
    }

    @Test
    void failedDeleteLeavesDirectoryIntact() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = PARENT_PATH + nameInGroup(home, "/dir");
            assertForBothKinds(() -> assertConsistentOnRefusal(
                    before -> fillDirectory(path), client -> client.delete(path, true), () -> {
                        boolean isDone = !isComplete(path);
                        assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                        return isDone;
                    }));
            assertForBothKinds(() -> assertConsistentOnRefusal(
                    before -> before.mkdir(path, 0755), client -> client.delete(path, false), () -> {
                        boolean isDone = !exists(path);
                        assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                        return isDone;
                    }));
        }
    }

    @Test
    void failedDirectoryRenameLeavesOldName() throws IOException {
        for (int homes = 0; homes < 4; homes++) {
            String from = nameInGroup(homes % 2, "/old");
            String to = PARENT_PATH + nameInGroup(homes / 2, "/new");
            assertForBothKinds(() -> assertConsistentOnRefusal(
                    before -> fillDirectory(from),
                    client -> assertThat(client.renameDirectory(from, to)).isEqualTo(RenameResult.RENAMED),
                    () -> {
                        boolean isDone = isComplete(to);
                        assertThat(isComplete(from)).isNotEqualTo(isDone);
                        assertThat(others.mkdir(from, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                        return isDone;
                    }));
        }
    }

    /** The directory that is renamed is there once; the empty one that it is to replace stays if the rename is refused. */
    @Test
    void directoryReplacesEmptyDirectoryOrBothRemain() throws IOException {
        for (int homes = 0; homes < 4; homes++) {
            String from = nameInGroup(homes % 2, "/old");
            String to = PARENT_PATH + nameInGroup(homes / 2, "/new");
            assertForBothKinds(() -> assertConsistentOnRefusal(
                    before -> {
                        fillDirectory(from);
                        before.mkdir(to, 0711);
                    },
                    client -> assertThat(client.replaceDirectory(from, to)).isEqualTo(RenameResult.RENAMED),
                    () -> {
                        boolean isDone = exists(to + "/sub");
                        assertThat(isComplete(isDone ? to : from)).isTrue();
                        assertThat(exists(from)).isNotEqualTo(isDone);
                        if (!isDone && !isExecuted) {
                            assertThat(modes(to)).containsExactly(0711);
                        }
                        return isDone;
                    }));
        }
    }

    /** A client that is told that it failed may find it done; but not for the files of some groups, once another one has looked. */
    @Test
    void failedPermissionChangeLeavesAllPartsUnchanged() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = PARENT_PATH + nameInGroup(home, "/dir");
            assertForBothKinds(() -> assertChanged(path));
            assertForBothKinds(() -> assertChanged(""));
        }
    }

    private void assertChanged(String path) throws IOException {
        int calls = 0;
        do {
            begin();
            if (!path.isEmpty()) {
                fillDirectory(path);
            }
            left = calls;
            boolean isTold = succeeds(client -> assertThat(client.changeAccess(path, this::restrictAccess))
                    .as(path)
                    .isPresent());
            if (!isTold) {
                others.list(path);
            }
            assertThat(modes(path)).as("call " + calls).hasSize(1);
            if (isTold) {
                assertThat(modes(path)).containsExactly(0700);
            } else {
                assertThat(others.changeAccess(
                                path, (group, place) -> namespaces.get(group).setMode(place, 0711)))
                        .isPresent();
                assertThat(modes(path)).containsExactly(0711);
            }
            calls++;
        } while (left < 0);
        assertThat(calls).isGreaterThan(5);
        assertThat(leftovers()).isEmpty();
    }

    private Optional<Boolean> restrictAccess(int group, String path) throws IOException {
        FakeNamespace namespace = namespaces.get(group);
        return new RefusingGroup(namespace).change(() -> namespace.setMode(path, 0700));
    }

    private Set<Integer> modes(String path) {
        Set<Integer> modes = new TreeSet<>();
        for (int group = 0; group < 2; group++) {
            for (String one : List.of(LAYOUT.placePath(group, path), LAYOUT.contentsPath(group, path))) {
                modes.add(namespaces.get(group).stat(one).orElseThrow().mode());
            }
        }
        return modes;
    }

    /** By others, between the look at the old name and the rename of the new one. */
    @Test
    void renameKeepsConcurrentPermissionChange() throws IOException {
        for (int home = 0; home < 2; home++) {
            begin();
            String from = nameInGroup(0, "/old");
            String to = nameInGroup(home, "/new");
            fillDirectory(from);
            HashedTree<FakeNamespace.Inode> client =
                    tree(List.of(groupWithConcurrentChange(0, from), groupWithConcurrentChange(1, from)));

            assertThat(client.renameDirectory(from, to)).isEqualTo(RenameResult.RENAMED);

            assertThat(modes(to)).containsExactly(0700);
            assertThat(isComplete(to)).isTrue();
            assertThat(leftovers()).isEmpty();
        }
    }

    /** Where others change a directory as soon as its successor is made. */
    private Group<FakeNamespace.Inode> groupWithConcurrentChange(int group, String path) {
        return new ForwardingGroup(namespaces.get(group)) {
            @Override
            public boolean mkdirLike(String successor, Access otherAccess) throws IOException {
                boolean isMade = super.mkdirLike(successor, otherAccess);
                others.changeAccess(path, (home, place) -> namespaces.get(home).setMode(place, 0700));
                return isMade;
            }
        };
    }

    /** To a room, to another one, and home. */
    @Test
    void failedFileRenameLeavesOldName() throws IOException {
        String home = nameInGroup(0, "/home");
        String guest = PARENT_PATH + nameInGroup(1, "/guest");
        for (List<String> names : List.of(
                List.of(home, guest), List.of(guest, nameInGroup(1, "/further")), List.of(guest, PARENT_PATH + home))) {
            String from = names.get(0);
            String to = names.get(1);
            ClientAction before = client -> {
                create(home);
                if (from.equals(guest)) {
                    client.renameFile(home, guest);
                }
            };
            assertForBothKinds(() -> assertConsistentOnRefusal(
                    before, client -> assertThat(client.renameFile(from, to)).isEqualTo(RenameResult.RENAMED), () -> {
                        boolean isDone = exists(to);
                        assertThat(exists(from)).isNotEqualTo(isDone);
                        String free = isDone ? from : to;
                        assertThat(others.mkdir(free, 0755)).isEqualTo(MkdirResult.MADE);
                        assertThat(others.delete(free, false)).isEqualTo(DeleteResult.DELETED);
                        return isDone;
                    }));
        }
    }

    @Test
    void failedDeleteOfRenamedFileKeepsFile() throws IOException {
        String home = nameInGroup(0, "/home");
        String guest = PARENT_PATH + nameInGroup(1, "/guest");
        ClientAction before = client -> {
            create(home);
            client.renameFile(home, guest);
        };
        assertForBothKinds(() -> assertConsistentOnRefusal(before, client -> client.delete(guest, false), () -> {
            boolean isDone = !exists(guest);
            assertThat(others.mkdir(guest, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.TAKEN);
            return isDone;
        }));
    }

    /** A client to which one nameservice refuses some renames, now and later. */
    private HashedTree<FakeNamespace.Inode> clientRefusedRenames(int group, BiPredicate<String, String> call) {
        List<Group<FakeNamespace.Inode>> groups = new ArrayList<>(namespaces);
        groups.set(group, new ForwardingGroup(namespaces.get(group)) {
            @Override
            public boolean rename(String from, String to) throws IOException {
                if (call.test(from, to)) {
                    throw new IOException("Refused");
                }
                return super.rename(from, to);
            }
        });
        return tree(groups);
    }

    /** By a user who may not write at the new place. */
    @Test
    void undoesRenameRecordedWithoutPermit() throws IOException {
        String from = nameInGroup(0, "/old");
        for (int home = 0; home < 2; home++) {
            begin();
            fillDirectory(from);
            String to = PARENT_PATH + nameInGroup(home, "/new");
            List<Group<FakeNamespace.Inode>> groups = new ArrayList<>();
            for (FakeNamespace one : namespaces) {
                groups.add(new ForwardingGroup(one) {
                    @Override
                    public boolean mkdir(String path, int mode) throws IOException {
                        boolean isPermit = HashedLayout.nameOf(path).startsWith(HashedLayout.permitName(""));
                        return isPermit || super.mkdir(path, mode);
                    }
                });
            }

            assertThatThrownBy(() -> tree(groups).renameDirectory(from, to)).hasMessageContaining("Others changed");
            assertThat(leftovers()).isEmpty();
            assertThat(isComplete(from)).isTrue();
            assertThat(exists(to)).isFalse();
        }
    }

    @Test
    void undoesImpossibleRename() throws IOException {
        String from = nameInGroup(0, "/old");
        for (int home = 0; home < 2; home++) {
            begin();
            fillDirectory(from);
            String to = PARENT_PATH + nameInGroup(home, "/new");
            String path = LAYOUT.placePath(home, to);
            HashedTree<FakeNamespace.Inode> client = clientRefusedRenames(home, (old, renamed) -> renamed.equals(path));

            assertThatThrownBy(() -> client.renameDirectory(from, to)).hasMessage("Refused");
            assertThat(leftovers()).isEmpty();
            assertThat(client.list(from).orElseThrow()).hasSize(3);
            assertThat(isComplete(from)).isTrue();
            assertThat(exists(to)).isFalse();
        }
        for (int group = 0; group < 2; group++) {
            begin();
            fillDirectory(from);
            HashedTree<FakeNamespace.Inode> client = clientRefusedRenames(
                    group,
                    (old, renamed) -> HashedLayout.isDeletion(HashedLayout.nameOf(HashedLayout.parentOf(renamed))));

            assertThatThrownBy(() -> client.delete(from, true)).hasMessage("Refused");
            assertThat(leftovers()).isEmpty();
            assertThat(client.list(from).orElseThrow()).hasSize(3);
            assertThat(isComplete(from)).isTrue();
        }
    }
}
