/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.hdfs.FaultInjectingProxyProvider;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Test;

/** Clients of a hashed directory that end before any of their calls: each change is done or not. */
class HashedCrashTest extends HashedDirectoryFixture {
    private boolean isKept;
    private int snapshots;

    @Test
    void deletesDirectoryInAllNameservicesOrNone() throws IOException {
        hashDirectory();
        for (int group = 0; group < 2; group++) {
            String name = nameInGroup(group, "dir");
            write(files, pathOf(name + "/" + nameInGroup(0, "file")));
            write(files, pathOf(name + "/" + nameInGroup(1, "file")));
            files.mkdirs(pathOf(name + "/sub"));
            assertThatThrownBy(() -> files.delete(pathOf(name), false))
                    .isInstanceOf(PathIsNotEmptyDirectoryException.class);
            assertThat(listNames(files, pathOf(name))).hasSize(3);
            assertThat(files.delete(pathOf(name), true)).isTrue();
            assertThat(files.exists(pathOf(name))).isFalse();
            files.mkdirs(pathOf(name));
            assertThat(listNames(files, pathOf(name))).isEmpty();
            assertThat(files.delete(pathOf(name), false)).isTrue();
        }
        assertNoLeftovers();
    }

    @Test
    void fileHasExactlyOneNameWhenRenamerDies() throws Exception {
        hashDirectory();
        interruptFileRenames();
    }

    private void interruptFileRenames() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String old = nameInGroup(calls % 2, "old" + calls + "-");
            String renamed = nameInGroup(1 - calls % 2, "new" + calls + "-");
            write(files, pathOf(old));
            snapshotParents();
            hasDied = runInterrupted(calls, dying -> dying.rename(pathOf(old), pathOf(renamed)));
            snapshotParents();

            boolean isOld = files.exists(pathOf(old));
            assertThat(files.exists(pathOf(renamed))).isNotEqualTo(isOld);
            assertThat(listNames(files, new Path(directory))).containsExactly(isOld ? old : renamed);
            assertThat(hasDied || !isOld).isTrue();
            assertReads(files, pathOf(isOld ? old : renamed), old);
            String other = isOld ? renamed : old;
            write(files, pathOf(other));
            assertReads(files, pathOf(other), other);
            assertThat(files.delete(pathOf(old), false)).isTrue();
            assertThat(files.delete(pathOf(renamed), false)).isTrue();
            assertThat(listNames(files, new Path(directory))).isEmpty();
        }
    }

    /** A user who may, completes it by listing the directory. */
    @Test
    void permissionChangeIsAtomicWhenClientDies() throws Exception {
        hashDirectory();
        interruptPermissionChanges();
    }

    private void interruptPermissionChanges() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String dir = nameInGroup(calls % 2, "dir" + calls + "-");
            files.mkdirs(pathOf(dir));
            snapshotParents();
            hasDied = runInterrupted(calls, dying -> dying.setAcl(pathOf(dir), AclEntry.parseAclSpec(SHARED, true)));
            snapshotParents();

            assertThat(listNames(files, pathOf(dir))).isEmpty();
            assertSameAccess(dir);
            assertThat(hasDied || files.getFileStatus(pathOf(dir)).hasAcl()).isTrue();
            files.setAcl(pathOf(dir), AclEntry.parseAclSpec(SHARED, true));
            assertSameAccess(dir);
            files.removeAcl(pathOf(dir));
            assertSameAccess(dir);
            assertThat(files.delete(pathOf(dir), false)).isTrue();
        }
    }

    @Test
    void removesMarksOfTerminatedClients() throws IOException {
        hashDirectory();
        files.mkdirs(pathOf("dir"));
        List<Path> marks = new ArrayList<>();
        for (int group = 0; group < 2; group++) {
            marks.add(new Path(layout.contentsPath(group, "/dir"), ".trefoil-change-mine"));
            clientOfGroup(group).mkdirs(marks.get(group));
        }
        assertThat(listNames(files, pathOf("dir"))).isEmpty();
        assertThat(first.exists(marks.get(0)) && second.exists(marks.get(1))).isTrue();
        for (int group = 0; group < 2; group++) {
            clientOfGroup(group).setTimes(marks.get(group), System.currentTimeMillis() - 3_700_000, -1);
        }
        assertThat(listNames(files, pathOf("dir"))).isEmpty();
        assertNoMarks("/dir");
    }

    /** What a client does that ends. */
    private interface ClientAction {
        void perform(FileSystem failingFs) throws IOException;
    }

    /** @return whether it ended before it was done */
    private boolean runInterrupted(int calls, ClientAction action) throws InterruptedException {
        Configuration own = new Configuration(conf);
        FaultInjectingProxyProvider.ClientProcess life =
                FaultInjectingProxyProvider.startProcess(own, directory + calls, calls);
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> {
                        // Not closed, as a process that ends closes nothing.
                        action.perform(FileSystem.newInstance(CLUSTER, own));
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            assertThat(life.hasReachedFault()).as(() -> "ended by " + e).isTrue();
        } finally {
            process.shutdown();
        }
        return life.hasReachedFault();
    }

    @Test
    void mkdirIsAtomicWhenClientDies() throws Exception {
        hashDirectory();
        interruptMkdirs();
    }

    private void interruptMkdirs() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            Path path = pathOf(nameInGroup(calls % 2, "made" + calls + "-"));
            hasDied = runInterrupted(calls, dying -> dying.mkdirs(path));
            snapshotParents();

            boolean isThere = files.exists(path);
            assertThat(isThere || hasDied).isTrue();
            for (int group = 0; group < 2; group++) {
                Path file = new Path(path, nameInGroup(group, "file"));
                if (isThere) {
                    write(files, file);
                } else {
                    assertThatThrownBy(() -> files.createNonRecursive(file, true, 4096, (short) 1, 1 << 20, null))
                            .isInstanceOf(FileNotFoundException.class);
                }
            }
            assertThat(listNames(files, new Path(directory)).contains(path.getName()))
                    .isEqualTo(isThere);
            files.mkdirs(path);
            assertThat(listNames(files, path)).hasSize(isThere ? 2 : 0);
            assertThat(files.delete(path, true)).isTrue();
            assertThat(files.exists(path)).isFalse();
        }
    }

    @Test
    void deleteIsAtomicWhenClientDies() throws Exception {
        hashDirectory();
        interruptDeletes();
    }

    private void interruptDeletes() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            Path path = pathOf(nameInGroup(calls % 2, "dir" + calls + "-"));
            Path inFirst = new Path(path, nameInGroup(0, "file"));
            Path inSecond = new Path(path, nameInGroup(1, "file"));
            write(files, inFirst);
            write(files, inSecond);
            snapshotParents();
            hasDied = runInterrupted(calls, dying -> dying.delete(path, true));
            snapshotParents();

            boolean isThere = files.exists(inFirst);
            assertThat(files.exists(inSecond)).isEqualTo(isThere);
            assertThat(files.exists(path)).isEqualTo(isThere);
            assertThat(listNames(files, new Path(directory)).contains(path.getName()))
                    .isEqualTo(isThere);
            assertThat(hasDied || !isThere).isTrue();
            if (isThere) {
                assertReads(files, inSecond, inSecond.getName());
                // This client deletes it, or completes what the other one wanted: then there is nothing left to delete.
                files.delete(path, true);
                assertThat(files.exists(path)).isFalse();
            }
            files.mkdirs(path);
            assertThat(listNames(files, path)).isEmpty();
            assertThat(files.delete(path, false)).isTrue();
            // A client that lists it removes what one that is long dead has left: no space is used unseen.
            for (DistributedFileSystem one : List.of(first, second)) {
                ageDeletionMarks(one, new Path(HashedLayout.rootOf(directory)));
            }
            listNames(files, new Path(directory));
            if (!isKept) {
                assertNoSpaceIsUsed();
            }
        }
    }

    /** Makes the marks of deletions as old as if no client were still at work. */
    private static void ageDeletionMarks(DistributedFileSystem one, Path directory) throws IOException {
        for (FileStatus each : one.listStatus(directory)) {
            if (HashedLayout.isDeletion(each.getPath().getName())) {
                one.setTimes(each.getPath(), System.currentTimeMillis() - 3_700_000, -1);
            } else if (each.isDirectory()) {
                ageDeletionMarks(one, each.getPath());
            }
        }
    }

    private void assertNoSpaceIsUsed() throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(one.getContentSummary(new Path(HashedLayout.rootOf(directory)))
                            .getFileCount())
                    .isZero();
        }
    }

    @Test
    void directoryHasExactlyOneNameWhenRenamerDies() throws Exception {
        hashDirectory();
        interruptDirectoryRenames();
    }

    private void interruptDirectoryRenames() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String old = nameInGroup(calls % 2, "old" + calls + "-");
            String renamed = nameInGroup(calls / 2 % 2, "new" + calls + "-");
            files.create(pathOf(old + "/" + nameInGroup(0, "file"))).close();
            files.create(pathOf(old + "/" + nameInGroup(1, "file"))).close();
            snapshotParents();
            hasDied = runInterrupted(calls, dying -> dying.rename(pathOf(old), pathOf(renamed)));
            snapshotParents();

            boolean isOld = files.exists(pathOf(old));
            assertThat(files.exists(pathOf(renamed))).isNotEqualTo(isOld);
            assertThat(listNames(files, new Path(directory))).containsExactly(isOld ? old : renamed);
            assertThat(hasDied || !isOld).isTrue();
            // Who looks into it completes the rename.
            for (int group = 0; group < 2; group++) {
                String file = nameInGroup(group, "file");
                boolean isInOld = files.exists(pathOf(old + "/" + file));
                assertThat(files.exists(pathOf(renamed + "/" + file))).isNotEqualTo(isInOld);
            }
            String now = files.exists(pathOf(old)) ? old : renamed;
            String other = now.equals(old) ? renamed : old;
            files.create(pathOf(other)).close();
            assertThat(listNames(files, pathOf(now))).hasSize(2);
            assertThat(files.delete(pathOf(now), true)).isTrue();
            assertThat(files.delete(pathOf(other), true)).isTrue();
            assertThat(listNames(files, new Path(directory))).isEmpty();
        }
    }

    /** HDFS remembers what is in them by its id, and where it was when it was removed. */
    @Test
    void snapshotsOfParentsChangeNothing() throws Exception {
        hashDirectory();
        isKept = true;
        for (DistributedFileSystem one : List.of(first, second)) {
            one.allowSnapshot(parentDirectory());
        }
        interruptFileRenames();
        interruptMkdirs();
        interruptDeletes();
        interruptDirectoryRenames();
        interruptPermissionChanges();
    }

    private Path parentDirectory() {
        return new Path(HashedLayout.rootOf(directory)).getParent();
    }

    private void snapshotParents() throws IOException {
        if (isKept) {
            snapshots++;
            for (DistributedFileSystem one : List.of(first, second)) {
                one.createSnapshot(parentDirectory(), "snapshot" + snapshots);
            }
        }
    }
}
