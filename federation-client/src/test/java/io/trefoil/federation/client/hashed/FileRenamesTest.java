/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hashed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedTree.DeleteResult;
import io.trefoil.federation.client.hashed.HashedTree.MkdirResult;
import io.trefoil.federation.client.hashed.HashedTree.RenameResult;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file is renamed by a call that HDFS has for directories as well, and others may have both names before and after it. */
class FileRenamesTest {

    private static final HashedLayout LAYOUT = new HashedLayout("/hashed", 2);

    /** Both have the same home. */
    private static final String OLD = nameInGroup(0, "/old");

    private static final String NEW = nameInGroup(0, "/new");
    private static final String DIRECTORY = nameInGroup(1, "/directory");

    /** In another directory. */
    private static final String ELSEWHERE = DIRECTORY + OLD;

    /** Its home is the other group. */
    private static final String GUEST = nameInGroup(1, "/guest");

    private final List<FakeNamespace> namespaces = List.of(new FakeNamespace(1000), new FakeNamespace(2000));
    private final AtomicInteger operations = new AtomicInteger();
    private final HashedTree<FakeNamespace.Inode> others = tree(namespaces);

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

    @BeforeEach
    void makeParts() throws IOException {
        for (int group = 0; group < 2; group++) {
            namespaces.get(group).mkdirs(LAYOUT.placePath(group, ""), 0);
            namespaces.get(group).mkdirs(HashedLayout.renamesOf("/hashed"), 0);
        }
        others.mkdir(DIRECTORY, 0755);
        create(OLD);
    }

    /** What others do. */
    private interface Action {
        void run() throws IOException;
    }

    /** A client that renames a file by the call that HDFS has, with others before and after it. */
    private HashedTree<FakeNamespace.Inode> renamerWithConcurrentActions(Action before, Action after) {
        return tree(List.of(
                new ForwardingGroup(namespaces.get(0)) {
                    private boolean isOver;

                    @Override
                    public boolean renameFile(String from, String to) throws IOException {
                        if (isOver) {
                            return super.rename(from, to);
                        }
                        isOver = true;
                        before.run();
                        boolean isDone = super.rename(from, to);
                        after.run();
                        return isDone;
                    }
                },
                namespaces.get(1)));
    }

    private void create(String path) {
        int group = LAYOUT.homeOf(path);
        assertThat(namespaces.get(group).create(LAYOUT.placePath(group, path))).contains(true);
    }

    private void replaceByDirectory(String path) throws IOException {
        assertThat(others.delete(path, false)).isEqualTo(DeleteResult.DELETED);
        assertThat(others.mkdir(path, 0755)).isEqualTo(MkdirResult.MADE);
    }

    /** Its name is decided, and others are told of it. */
    private void replaceByUnfinishedDirectory(String path) throws IOException {
        others.delete(path, false);
        HashedTree<FakeNamespace.Inode> maker = tree(List.of(namespaces.get(0), new ForwardingGroup(namespaces.get(1)) {
            @Override
            public boolean rename(String from, String to) throws IOException {
                throw new IOException("It has no connection any more");
            }
        }));
        assertThat(maker.mkdir(path, 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(namespaces.get(1).stat(LAYOUT.placePath(1, path))).isEmpty();
    }

    private void replaceByGuestFile(String path) throws IOException {
        create(GUEST);
        others.delete(path, false);
        assertThat(others.renameFile(GUEST, path)).isEqualTo(RenameResult.RENAMED);
    }

    private void assertDirectory(String path) throws IOException {
        assertThat(others.lookup(path).filter(Entry::isDirectory)).isPresent();
        assertThat(others.findPartId(0, path)).isPresent();
        assertThat(others.findPartId(1, path)).isPresent();
        assertThat(others.mkdir(path + nameInGroup(0, "/below"), 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(others.mkdir(path + nameInGroup(1, "/below"), 0755)).isEqualTo(MkdirResult.MADE);
        assertThat(others.delete(path, false)).isEqualTo(DeleteResult.NOT_EMPTY);
    }

    private void assertFile(String path) throws IOException {
        assertThat(others.lookup(path).filter(one -> !one.isDirectory())).isPresent();
    }

    private void assertMissing(String path) throws IOException {
        assertThat(others.lookup(path)).isEmpty();
    }

    @Test
    void restoresDirectoryCreatedAtOldName() throws IOException {
        for (String to : List.of(NEW, ELSEWHERE, GUEST)) {
            HashedTree<FakeNamespace.Inode> renamer =
                    renamerWithConcurrentActions(() -> replaceByDirectory(OLD), () -> {});

            assertThat(renamer.renameFile(OLD, to)).as(to).isEqualTo(RenameResult.ABSENT);

            assertDirectory(OLD);
            assertMissing(to);
            others.delete(OLD, true);
            create(OLD);
        }
    }

    @Test
    void restoresUnfinishedDirectoryCreatedAtOldName() throws IOException {
        for (String to : List.of(NEW, ELSEWHERE, GUEST)) {
            HashedTree<FakeNamespace.Inode> renamer =
                    renamerWithConcurrentActions(() -> replaceByUnfinishedDirectory(OLD), () -> {});

            assertThat(renamer.renameFile(OLD, to)).as(to).isEqualTo(RenameResult.ABSENT);

            assertDirectory(OLD);
            assertMissing(to);
            others.delete(OLD, true);
            create(OLD);
        }
    }

    @Test
    void keepsDirectoryCreatedByOthersAtNewName() throws IOException {
        for (String to : List.of(NEW, ELSEWHERE)) {
            assertThat(renamerWithConcurrentActions(() -> {}, () -> replaceByDirectory(to))
                            .renameFile(OLD, to))
                    .isEqualTo(RenameResult.RENAMED);
            assertDirectory(to);
            assertMissing(OLD);
            create(OLD);
        }
        others.delete(NEW, true);
        others.delete(ELSEWHERE, true);
        for (String to : List.of(NEW, ELSEWHERE)) {
            assertThat(renamerWithConcurrentActions(() -> {}, () -> replaceByUnfinishedDirectory(to))
                            .renameFile(OLD, to))
                    .isEqualTo(RenameResult.RENAMED);
            assertDirectory(to);
            assertMissing(OLD);
            create(OLD);
        }
    }

    @Test
    void restoresSignpostCreatedAtOldNameAndRenamesFile() throws IOException {
        for (String to : List.of(NEW, ELSEWHERE)) {
            HashedTree<FakeNamespace.Inode> renamer =
                    renamerWithConcurrentActions(() -> replaceByGuestFile(OLD), () -> {});

            assertThat(renamer.renameFile(OLD, to)).as(to).isEqualTo(RenameResult.RENAMED);

            assertFile(to);
            assertMissing(OLD);
            assertThat(others.delete(to, false)).isEqualTo(DeleteResult.DELETED);
            create(OLD);
        }
    }

    @Test
    void keepsSignpostCreatedByOthersAtNewName() throws IOException {
        for (String to : List.of(NEW, ELSEWHERE)) {
            assertThat(renamerWithConcurrentActions(() -> {}, () -> replaceByGuestFile(to))
                            .renameFile(OLD, to))
                    .isEqualTo(RenameResult.RENAMED);

            assertFile(to);
            assertMissing(OLD);
            create(OLD);
        }
    }

    @Test
    void outcomeIsUnknownWhenOthersReusedDirectoryName() throws IOException {
        HashedTree<FakeNamespace.Inode> renamer =
                renamerWithConcurrentActions(() -> replaceByDirectory(OLD), () -> assertThat(others.mkdir(OLD, 0755))
                        .isEqualTo(MkdirResult.MADE));

        assertThatThrownBy(() -> renamer.renameFile(OLD, NEW))
                .isInstanceOf(UnknownRenameException.class)
                .hasMessageContaining(NEW + " is a directory now");
        assertThat(others.lookup(OLD).filter(Entry::isDirectory)).isPresent();
    }

    @Test
    void replacesOnlyFiles() throws IOException {
        create(NEW);
        long file = others.lookup(OLD).orElseThrow().id();
        assertThat(others.replaceFile(OLD, NEW)).isEqualTo(RenameResult.RENAMED);
        assertThat(others.lookup(NEW).orElseThrow().id()).isEqualTo(file);
        assertMissing(OLD);

        assertThat(others.replaceFile(NEW, NEW)).isEqualTo(RenameResult.TAKEN);
        assertThat(others.replaceFile(NEW, DIRECTORY)).isEqualTo(RenameResult.TAKEN);
        assertThat(others.replaceFile(OLD, NEW)).isEqualTo(RenameResult.ABSENT);
        assertThat(others.replaceFile(NEW, OLD)).isEqualTo(RenameResult.RENAMED);
        create(GUEST);
        assertThat(others.replaceFile(OLD, GUEST)).as("of another group").isEqualTo(RenameResult.TAKEN);
        assertThat(others.replaceFile(OLD, "/missing/file")).isEqualTo(RenameResult.NO_PARENT);
        assertFile(OLD);
    }

    /** HDFS remembers calls for some minutes only. */
    @Test
    void mkdirSurvivesRepeatedRename() throws IOException {
        HashedTree<FakeNamespace.Inode> maker = tree(List.of(
                new ForwardingGroup(namespaces.get(0)) {
                    @Override
                    public boolean rename(String from, String to) throws IOException {
                        super.rename(from, to);
                        return super.rename(from, to);
                    }
                },
                namespaces.get(1)));

        assertThat(maker.mkdir(NEW, 0755)).isEqualTo(MkdirResult.MADE);

        assertDirectory(NEW);
    }

    @Test
    void reportsDirectoryStuckInRoom() throws IOException {
        HashedTree<FakeNamespace.Inode> renamer =
                renamerWithConcurrentActions(() -> replaceByDirectory(OLD), () -> assertThat(others.mkdir(OLD, 0755))
                        .isEqualTo(MkdirResult.MADE));

        assertThatThrownBy(() -> renamer.renameFile(OLD, GUEST))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("A directory took the name of a file");
    }
}
