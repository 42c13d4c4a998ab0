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
    private static final String BELOW = nameOf(0, "/below");

    private final AtomicInteger operations = new AtomicInteger();
    private List<FakeNamespace> namespaces;
    private HashedTree<FakeNamespace.Inode> others;

    /** How many calls are not refused yet. */
    private int left;

    /** Whether the call that is refused is executed in spite of it. */
    private boolean isExecuted;

    private static String nameOf(int group, String prefix) {
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
    private final class Refusing extends ForwardingGroup {
        Refusing(Group<FakeNamespace.Inode> right) {
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
        public boolean mkdirLike(String path, Access other) throws IOException {
            return change(() -> super.mkdirLike(path, other));
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
        public boolean mkdirIn(String path, FakeNamespace.Inode around) throws IOException {
            return change(() -> super.mkdirIn(path, around));
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
        public void removeAll(String path) throws IOException {
            change(() -> {
                super.removeAll(path);
                return true;
            });
        }
    }

    /** What a client does, or what there is before. */
    private interface Deed {
        void by(HashedTree<FakeNamespace.Inode> client) throws IOException;
    }

    /** What others see. */
    private interface Look {
        /** @return whether it was done; fails if it is neither done nor not */
        boolean isDone() throws IOException;
    }

    private void begin() throws IOException {
        namespaces = List.of(new FakeNamespace(1000), new FakeNamespace(2000));
        others = tree(namespaces);
        for (int group = 0; group < 2; group++) {
            namespaces.get(group).mkdirs(LAYOUT.place(group, ""), 0);
            namespaces.get(group).mkdirs(HashedLayout.renamesOf("/hashed"), 0);
        }
        others.mkdir(BELOW, 0755);
    }

    /** For each call in turn. */
    private void assertTold(Deed before, Deed deed, Look look) throws IOException {
        int calls = 0;
        do {
            begin();
            before.by(others);
            left = calls;
            boolean isTold = isTold(deed);
            boolean isDone = look.isDone();
            if (isExecuted) {
                assertThat(isDone || !isTold).as("call " + calls).isTrue();
            } else {
                assertThat(isDone).as("call " + calls).isEqualTo(isTold);
            }
            if (!isTold) {
                assertThat(rests()).as("call " + calls).isEmpty();
            }
            calls++;
        } while (left < 0);
        assertThat(calls).isGreaterThan(2);
    }

    private boolean isTold(Deed deed) {
        try {
            deed.by(tree(List.of(new Refusing(namespaces.get(0)), new Refusing(namespaces.get(1)))));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private void create(String path) {
        int group = LAYOUT.homeOf(path);
        assertThat(namespaces.get(group).create(LAYOUT.place(group, path))).contains(true);
    }

    private void fill(String directory) throws IOException {
        assertThat(others.mkdir(directory, 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(others.mkdir(directory + "/sub", 0755)).isEqualTo(MkdirResult.MADE);
        for (int group = 0; group < 2; group++) {
            create(directory + nameOf(group, "/file"));
        }
    }

    private boolean isThere(String path) throws IOException {
        return others.lookup(path).isPresent();
    }

    private boolean isWhole(String directory) throws IOException {
        boolean isThere = isThere(directory);
        for (String inside : List.of("/sub", nameOf(0, "/file"), nameOf(1, "/file"))) {
            assertThat(isThere(directory + inside)).as(directory + inside).isEqualTo(isThere);
        }
        return isThere;
    }

    /** Names that nobody sees. */
    private List<String> rests() {
        List<String> rests = new ArrayList<>();
        for (int group = 0; group < 2; group++) {
            rests(namespaces.get(group), LAYOUT.place(group, ""), rests);
            namespaces
                    .get(group)
                    .list(HashedLayout.renamesOf("/hashed"))
                    .orElseThrow()
                    .forEach(one -> rests.add(one.name()));
        }
        return rests;
    }

    private static void rests(FakeNamespace namespace, String directory, List<String> rests) {
        List<FakeNamespace.Inode> all = namespace.list(directory).orElseThrow();
        boolean isSignpost = all.stream().anyMatch(one -> HashedLayout.isGuest(one.name()));
        for (FakeNamespace.Inode one : isSignpost ? List.<FakeNamespace.Inode>of() : all) {
            if (HashedLayout.isReserved(one.name()) && !one.name().startsWith(HashedLayout.room(""))) {
                rests.add(directory + "/" + one.name());
            }
            if (one.isDirectory()) {
                rests(namespace, directory + "/" + one.name(), rests);
            }
        }
    }

    private interface Case {
        void check() throws IOException;
    }

    private void assertOfBothKinds(Case one) throws IOException {
        for (boolean executed : new boolean[] {false, true}) {
            isExecuted = executed;
            one.check();
        }
    }

    @Test
    void failedMkdirLeavesNoRemains() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = BELOW + nameOf(home, "/dir");
            assertOfBothKinds(() -> assertTold(nobody -> {}, client -> client.mkdir(path, 0755), () -> {
                boolean isDone = isThere(path);
                assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.EXISTS : MkdirResult.MADE);
                assertThat(others.contents(0, path)).isPresent();
                assertThat(others.contents(1, path)).isPresent();
                return isDone;
            }));
        }
    }

    @Test
    void failedDeleteLeavesDirectoryWhole() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = BELOW + nameOf(home, "/dir");
            assertOfBothKinds(() -> assertTold(before -> fill(path), client -> client.delete(path, true), () -> {
                boolean isDone = !isWhole(path);
                assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                return isDone;
            }));
            assertOfBothKinds(
                    () -> assertTold(before -> before.mkdir(path, 0755), client -> client.delete(path, false), () -> {
                        boolean isDone = !isThere(path);
                        assertThat(others.mkdir(path, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                        return isDone;
                    }));
        }
    }

    @Test
    void failedDirectoryRenameLeavesOldName() throws IOException {
        for (int homes = 0; homes < 4; homes++) {
            String from = nameOf(homes % 2, "/old");
            String to = BELOW + nameOf(homes / 2, "/new");
            assertOfBothKinds(() -> assertTold(
                    before -> fill(from),
                    client -> assertThat(client.renameDirectory(from, to)).isEqualTo(RenameResult.RENAMED),
                    () -> {
                        boolean isDone = isWhole(to);
                        assertThat(isWhole(from)).isNotEqualTo(isDone);
                        assertThat(others.mkdir(from, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.EXISTS);
                        return isDone;
                    }));
        }
    }

    /** The directory that is renamed is there once; the empty one that it is to replace stays if the rename is refused. */
    @Test
    void directoryReplacesEmptyOneOrBothStay() throws IOException {
        for (int homes = 0; homes < 4; homes++) {
            String from = nameOf(homes % 2, "/old");
            String to = BELOW + nameOf(homes / 2, "/new");
            assertOfBothKinds(() -> assertTold(
                    before -> {
                        fill(from);
                        before.mkdir(to, 0711);
                    },
                    client -> assertThat(client.replaceDirectory(from, to)).isEqualTo(RenameResult.RENAMED),
                    () -> {
                        boolean isDone = isThere(to + "/sub");
                        assertThat(isWhole(isDone ? to : from)).isTrue();
                        assertThat(isThere(from)).isNotEqualTo(isDone);
                        if (!isDone && !isExecuted) {
                            assertThat(modes(to)).containsExactly(0711);
                        }
                        return isDone;
                    }));
        }
    }

    /** Who is told that it failed may find it done; but not for the files of some groups, once somebody has looked. */
    @Test
    void failedAccessChangeAppliesToNoPart() throws IOException {
        for (int home = 0; home < 2; home++) {
            String path = BELOW + nameOf(home, "/dir");
            assertOfBothKinds(() -> assertChanged(path));
            assertOfBothKinds(() -> assertChanged(""));
        }
    }

    private void assertChanged(String path) throws IOException {
        int calls = 0;
        do {
            begin();
            if (!path.isEmpty()) {
                fill(path);
            }
            left = calls;
            boolean isTold = isTold(client ->
                    assertThat(client.changeAccess(path, this::close)).as(path).isPresent());
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
        assertThat(rests()).isEmpty();
    }

    private Optional<Boolean> close(int group, String place) throws IOException {
        FakeNamespace namespace = namespaces.get(group);
        return new Refusing(namespace).change(() -> namespace.setMode(place, 0700));
    }

    private Set<Integer> modes(String path) {
        Set<Integer> modes = new TreeSet<>();
        for (int group = 0; group < 2; group++) {
            for (String one : List.of(LAYOUT.place(group, path), LAYOUT.contents(group, path))) {
                modes.add(namespaces.get(group).stat(one).orElseThrow().mode());
            }
        }
        return modes;
    }

    /** By others, between the look at the old name and the rename of the new one. */
    @Test
    void renameKeepsConcurrentAccessChange() throws IOException {
        for (int home = 0; home < 2; home++) {
            begin();
            String from = nameOf(0, "/old");
            String to = nameOf(home, "/new");
            fill(from);
            HashedTree<FakeNamespace.Inode> client = tree(List.of(changing(0, from), changing(1, from)));

            assertThat(client.renameDirectory(from, to)).isEqualTo(RenameResult.RENAMED);

            assertThat(modes(to)).containsExactly(0700);
            assertThat(isWhole(to)).isTrue();
            assertThat(rests()).isEmpty();
        }
    }

    /** Where others change a directory as soon as its successor is made. */
    private Group<FakeNamespace.Inode> changing(int group, String path) {
        return new ForwardingGroup(namespaces.get(group)) {
            @Override
            public boolean mkdirLike(String successor, Access other) throws IOException {
                boolean isMade = super.mkdirLike(successor, other);
                others.changeAccess(path, (home, place) -> namespaces.get(home).setMode(place, 0700));
                return isMade;
            }
        };
    }

    /** To a room, to another one, and home. */
    @Test
    void failedFileRenameLeavesOldName() throws IOException {
        String home = nameOf(0, "/home");
        String guest = BELOW + nameOf(1, "/guest");
        for (List<String> names :
                List.of(List.of(home, guest), List.of(guest, nameOf(1, "/further")), List.of(guest, BELOW + home))) {
            String from = names.get(0);
            String to = names.get(1);
            Deed before = client -> {
                create(home);
                if (from.equals(guest)) {
                    client.renameFile(home, guest);
                }
            };
            assertOfBothKinds(() -> assertTold(
                    before, client -> assertThat(client.renameFile(from, to)).isEqualTo(RenameResult.RENAMED), () -> {
                        boolean isDone = isThere(to);
                        assertThat(isThere(from)).isNotEqualTo(isDone);
                        String free = isDone ? from : to;
                        assertThat(others.mkdir(free, 0755)).isEqualTo(MkdirResult.MADE);
                        assertThat(others.delete(free, false)).isEqualTo(DeleteResult.DELETED);
                        return isDone;
                    }));
        }
    }

    @Test
    void failedDeleteOfRenamedFileKeepsFile() throws IOException {
        String home = nameOf(0, "/home");
        String guest = BELOW + nameOf(1, "/guest");
        Deed before = client -> {
            create(home);
            client.renameFile(home, guest);
        };
        assertOfBothKinds(() -> assertTold(before, client -> client.delete(guest, false), () -> {
            boolean isDone = !isThere(guest);
            assertThat(others.mkdir(guest, 0755)).isEqualTo(isDone ? MkdirResult.MADE : MkdirResult.TAKEN);
            return isDone;
        }));
    }

    /** Somebody to whom one nameservice refuses some renames, now and later. */
    private HashedTree<FakeNamespace.Inode> refused(int group, BiPredicate<String, String> what) {
        List<Group<FakeNamespace.Inode>> groups = new ArrayList<>(namespaces);
        groups.set(group, new ForwardingGroup(namespaces.get(group)) {
            @Override
            public boolean rename(String from, String to) throws IOException {
                if (what.test(from, to)) {
                    throw new IOException("Refused");
                }
                return super.rename(from, to);
            }
        });
        return tree(groups);
    }

    /** By somebody who may not write where he wants it to be. */
    @Test
    void undoesRenameRecordedWithoutPermit() throws IOException {
        String from = nameOf(0, "/old");
        for (int home = 0; home < 2; home++) {
            begin();
            fill(from);
            String to = BELOW + nameOf(home, "/new");
            List<Group<FakeNamespace.Inode>> groups = new ArrayList<>();
            for (FakeNamespace one : namespaces) {
                groups.add(new ForwardingGroup(one) {
                    @Override
                    public boolean mkdir(String path, int mode) throws IOException {
                        boolean isPermit = HashedLayout.nameOf(path).startsWith(HashedLayout.permit(""));
                        return isPermit || super.mkdir(path, mode);
                    }
                });
            }

            assertThatThrownBy(() -> tree(groups).renameDirectory(from, to)).hasMessageContaining("Others changed");
            assertThat(rests()).isEmpty();
            assertThat(isWhole(from)).isTrue();
            assertThat(isThere(to)).isFalse();
        }
    }

    @Test
    void undoesImpossibleRename() throws IOException {
        String from = nameOf(0, "/old");
        for (int home = 0; home < 2; home++) {
            begin();
            fill(from);
            String to = BELOW + nameOf(home, "/new");
            String place = LAYOUT.place(home, to);
            HashedTree<FakeNamespace.Inode> client = refused(home, (old, renamed) -> renamed.equals(place));

            assertThatThrownBy(() -> client.renameDirectory(from, to)).hasMessage("Refused");
            assertThat(rests()).isEmpty();
            assertThat(client.list(from).orElseThrow()).hasSize(3);
            assertThat(isWhole(from)).isTrue();
            assertThat(isThere(to)).isFalse();
        }
        for (int group = 0; group < 2; group++) {
            begin();
            fill(from);
            HashedTree<FakeNamespace.Inode> client = refused(
                    group,
                    (old, renamed) -> HashedLayout.isDeletion(HashedLayout.nameOf(HashedLayout.parentOf(renamed))));

            assertThatThrownBy(() -> client.delete(from, true)).hasMessage("Refused");
            assertThat(rests()).isEmpty();
            assertThat(client.list(from).orElseThrow()).hasSize(3);
            assertThat(isWhole(from)).isTrue();
        }
    }
}
