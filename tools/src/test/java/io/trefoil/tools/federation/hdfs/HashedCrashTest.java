/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.hdfs.DyingProxyProvider;
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
        hash();
        for (int group = 0; group < 2; group++) {
            String name = nameOf(group, "dir");
            write(files, in(name + "/" + nameOf(0, "file")));
            write(files, in(name + "/" + nameOf(1, "file")));
            files.mkdirs(in(name + "/sub"));
            assertThatThrownBy(() -> files.delete(in(name), false))
                    .isInstanceOf(PathIsNotEmptyDirectoryException.class);
            assertThat(names(files, in(name))).hasSize(3);
            assertThat(files.delete(in(name), true)).isTrue();
            assertThat(files.exists(in(name))).isFalse();
            files.mkdirs(in(name));
            assertThat(names(files, in(name))).isEmpty();
            assertThat(files.delete(in(name), false)).isTrue();
        }
        assertNothingIsLeft();
    }

    @Test
    void fileKeepsOneNameWhenRenamerDies() throws Exception {
        hash();
        endRenamersOfFiles();
    }

    private void endRenamersOfFiles() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String old = nameOf(calls % 2, "old" + calls + "-");
            String renamed = nameOf(1 - calls % 2, "new" + calls + "-");
            write(files, in(old));
            keep();
            hasDied = dies(calls, dying -> dying.rename(in(old), in(renamed)));
            keep();

            boolean isOld = files.exists(in(old));
            assertThat(files.exists(in(renamed))).isNotEqualTo(isOld);
            assertThat(names(files, new Path(folder))).containsExactly(isOld ? old : renamed);
            assertThat(hasDied || !isOld).isTrue();
            assertReads(files, in(isOld ? old : renamed), old);
            String other = isOld ? renamed : old;
            write(files, in(other));
            assertReads(files, in(other), other);
            assertThat(files.delete(in(old), false)).isTrue();
            assertThat(files.delete(in(renamed), false)).isTrue();
            assertThat(names(files, new Path(folder))).isEmpty();
        }
    }

    /** Whoever may, completes it by listing the directory. */
    @Test
    void permissionChangeIsAtomicWhenChangerDies() throws Exception {
        hash();
        endChangers();
    }

    private void endChangers() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String dir = nameOf(calls % 2, "dir" + calls + "-");
            files.mkdirs(in(dir));
            keep();
            hasDied = dies(calls, dying -> dying.setAcl(in(dir), AclEntry.parseAclSpec(SHARED, true)));
            keep();

            assertThat(names(files, in(dir))).isEmpty();
            assertAlike(dir);
            assertThat(hasDied || files.getFileStatus(in(dir)).hasAcl()).isTrue();
            files.setAcl(in(dir), AclEntry.parseAclSpec(SHARED, true));
            assertAlike(dir);
            files.removeAcl(in(dir));
            assertAlike(dir);
            assertThat(files.delete(in(dir), false)).isTrue();
        }
    }

    @Test
    void removesMarksOfEndedClients() throws IOException {
        hash();
        files.mkdirs(in("dir"));
        List<Path> marks = new ArrayList<>();
        for (int group = 0; group < 2; group++) {
            marks.add(new Path(layout.contents(group, "/dir"), ".trefoil-change-mine"));
            one(group).mkdirs(marks.get(group));
        }
        assertThat(names(files, in("dir"))).isEmpty();
        assertThat(first.exists(marks.get(0)) && second.exists(marks.get(1))).isTrue();
        for (int group = 0; group < 2; group++) {
            one(group).setTimes(marks.get(group), System.currentTimeMillis() - 3_700_000, -1);
        }
        assertThat(names(files, in("dir"))).isEmpty();
        assertNoMarks("/dir");
    }

    /** What a client does that ends. */
    private interface Deed {
        void by(FileSystem dying) throws IOException;
    }

    /** @return whether it ended before it was done */
    private boolean dies(int calls, Deed deed) throws InterruptedException {
        Configuration own = new Configuration(conf);
        DyingProxyProvider.Life life = DyingProxyProvider.live(own, folder + calls, calls);
        ExecutorService process = Executors.newSingleThreadExecutor();
        try {
            process.submit(() -> {
                        // Not closed, as a process that ends closes nothing.
                        deed.by(FileSystem.newInstance(CLUSTER, own));
                        return null;
                    })
                    .get();
        } catch (ExecutionException e) {
            assertThat(life.hasMetItsFate()).as(() -> "ended by " + e).isTrue();
        } finally {
            process.shutdown();
        }
        return life.hasMetItsFate();
    }

    @Test
    void mkdirIsAtomicWhenMakerDies() throws Exception {
        hash();
        endMakers();
    }

    private void endMakers() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            Path path = in(nameOf(calls % 2, "made" + calls + "-"));
            hasDied = dies(calls, dying -> dying.mkdirs(path));
            keep();

            boolean isThere = files.exists(path);
            assertThat(isThere || hasDied).isTrue();
            for (int group = 0; group < 2; group++) {
                Path file = new Path(path, nameOf(group, "file"));
                if (isThere) {
                    write(files, file);
                } else {
                    assertThatThrownBy(() -> files.createNonRecursive(file, true, 4096, (short) 1, 1 << 20, null))
                            .isInstanceOf(FileNotFoundException.class);
                }
            }
            assertThat(names(files, new Path(folder)).contains(path.getName())).isEqualTo(isThere);
            files.mkdirs(path);
            assertThat(names(files, path)).hasSize(isThere ? 2 : 0);
            assertThat(files.delete(path, true)).isTrue();
            assertThat(files.exists(path)).isFalse();
        }
    }

    @Test
    void deleteIsAtomicWhenDeleterDies() throws Exception {
        hash();
        endDeleters();
    }

    private void endDeleters() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            Path path = in(nameOf(calls % 2, "dir" + calls + "-"));
            Path inFirst = new Path(path, nameOf(0, "file"));
            Path inSecond = new Path(path, nameOf(1, "file"));
            write(files, inFirst);
            write(files, inSecond);
            keep();
            hasDied = dies(calls, dying -> dying.delete(path, true));
            keep();

            boolean isThere = files.exists(inFirst);
            assertThat(files.exists(inSecond)).isEqualTo(isThere);
            assertThat(files.exists(path)).isEqualTo(isThere);
            assertThat(names(files, new Path(folder)).contains(path.getName())).isEqualTo(isThere);
            assertThat(hasDied || !isThere).isTrue();
            if (isThere) {
                assertReads(files, inSecond, inSecond.getName());
                // This client deletes it, or completes what the other one wanted: then there is nothing left to delete.
                files.delete(path, true);
                assertThat(files.exists(path)).isFalse();
            }
            files.mkdirs(path);
            assertThat(names(files, path)).isEmpty();
            assertThat(files.delete(path, false)).isTrue();
            // Whoever lists it removes what one that is long dead has left: no space is used that nobody sees.
            for (DistributedFileSystem one : List.of(first, second)) {
                age(one, new Path(HashedLayout.rootOf(folder)));
            }
            names(files, new Path(folder));
            if (!isKept) {
                assertNoSpaceIsUsed();
            }
        }
    }

    /** Makes the marks of deletions as old as those of nobody who is still at work. */
    private static void age(DistributedFileSystem one, Path below) throws IOException {
        for (FileStatus each : one.listStatus(below)) {
            if (HashedLayout.isDeletion(each.getPath().getName())) {
                one.setTimes(each.getPath(), System.currentTimeMillis() - 3_700_000, -1);
            } else if (each.isDirectory()) {
                age(one, each.getPath());
            }
        }
    }

    private void assertNoSpaceIsUsed() throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(one.getContentSummary(new Path(HashedLayout.rootOf(folder)))
                            .getFileCount())
                    .isZero();
        }
    }

    @Test
    void directoryKeepsOneNameWhenRenamerDies() throws Exception {
        hash();
        endRenamersOfDirectories();
    }

    private void endRenamersOfDirectories() throws Exception {
        boolean hasDied = true;
        for (int calls = 0; hasDied; calls++) {
            String old = nameOf(calls % 2, "old" + calls + "-");
            String renamed = nameOf(calls / 2 % 2, "new" + calls + "-");
            files.create(in(old + "/" + nameOf(0, "file"))).close();
            files.create(in(old + "/" + nameOf(1, "file"))).close();
            keep();
            hasDied = dies(calls, dying -> dying.rename(in(old), in(renamed)));
            keep();

            boolean isOld = files.exists(in(old));
            assertThat(files.exists(in(renamed))).isNotEqualTo(isOld);
            assertThat(names(files, new Path(folder))).containsExactly(isOld ? old : renamed);
            assertThat(hasDied || !isOld).isTrue();
            // Who looks into it completes the rename.
            for (int group = 0; group < 2; group++) {
                String file = nameOf(group, "file");
                boolean isInOld = files.exists(in(old + "/" + file));
                assertThat(files.exists(in(renamed + "/" + file))).isNotEqualTo(isInOld);
            }
            String now = files.exists(in(old)) ? old : renamed;
            String other = now.equals(old) ? renamed : old;
            files.create(in(other)).close();
            assertThat(names(files, in(now))).hasSize(2);
            assertThat(files.delete(in(now), true)).isTrue();
            assertThat(files.delete(in(other), true)).isTrue();
            assertThat(names(files, new Path(folder))).isEmpty();
        }
    }

    /** HDFS remembers what is in them by its number, and where it was when it was removed. */
    @Test
    void snapshotsOfParentsChangeNothing() throws Exception {
        hash();
        isKept = true;
        for (DistributedFileSystem one : List.of(first, second)) {
            one.allowSnapshot(above());
        }
        endRenamersOfFiles();
        endMakers();
        endDeleters();
        endRenamersOfDirectories();
        endChangers();
    }

    private Path above() {
        return new Path(HashedLayout.rootOf(folder)).getParent();
    }

    private void keep() throws IOException {
        if (isKept) {
            snapshots++;
            for (DistributedFileSystem one : List.of(first, second)) {
                one.createSnapshot(above(), "snapshot" + snapshots);
            }
        }
    }
}
