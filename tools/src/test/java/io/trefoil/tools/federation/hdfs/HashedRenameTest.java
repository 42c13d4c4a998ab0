/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** Renames in a hashed directory, of files and of directories. */
class HashedRenameTest extends HashedDirectoryFixture {
    @Test
    void renamesFileWithinNameservice() throws IOException {
        hash();
        String old = nameOf(1, "old");
        write(files, in(old + "._COPYING_"));
        assertThat(files.rename(in(old + "._COPYING_"), in(old))).isTrue();
        files.mkdirs(in("into"));
        assertThat(files.rename(in(old), in("into"))).isTrue();
        assertReads(files, in("into/" + old), old + "._COPYING_");
        assertThat(files.rename(in("missing"), in(nameOf(layout.homeOf("/missing"), "new"))))
                .isFalse();

        String same = nameOf(1, "same");
        write(files, in(same));
        assertThat(files.rename(in("into/" + old), in(same))).isFalse();
        assertThatThrownBy(() -> files.rename(in(same), new Path("/outside" + tables)))
                .hasMessageContaining("Renames across Mount points not supported");
        assertThat(names(files, in("into"))).containsExactly(old);
    }

    /** Its blocks stay, and the name leads to them. */
    @Test
    void renamesFileToNameOfAnotherNameservice() throws IOException {
        hash();
        files.mkdirs(in("into"));
        for (int group = 0; group < 2; group++) {
            String old = nameOf(group, "old");
            Path guest = in("into/" + nameOf(1 - group, "new"));
            try (FSDataOutputStream out = files.create(in(old))) {
                out.writeUTF("text");
                out.hflush();
                assertThat(files.rename(in(old), guest)).isTrue();
                out.writeUTF("more");
            }

            assertThat(files.exists(in(old))).isFalse();
            FileStatus status = files.getFileStatus(guest);
            assertThat(status.isFile()).isTrue();
            assertThat(status.getPath()).isEqualTo(files.makeQualified(guest));
            assertThat(status.getLen()).isEqualTo(12);
            assertThat(names(files, in("into"))).containsExactly(guest.getName());
            assertThat(files.listStatus(in("into"))[0].isFile()).isTrue();
            assertReads(files, guest, "text");
            try (FSDataOutputStream out = files.append(guest)) {
                out.writeUTF("last");
            }
            assertThat(files.getFileStatus(guest).getLen()).isEqualTo(18);
            files.setPermission(guest, new FsPermission((short) 0600));
            assertThat(files.getFileStatus(guest).getPermission().toShort()).isEqualTo((short) 0600);
            assertThat(files.setReplication(guest, (short) 1)).isTrue();
            assertThat(files.getFileChecksum(guest)).isNotNull();
            assertThat(files.getFileBlockLocations(guest, 0, 18)).isNotEmpty();
            assertThat(files.getContentSummary(guest).getLength()).isEqualTo(18);
            assertThat(files.getContentSummary(in("into")).getFileCount()).isEqualTo(1);

            assertThatThrownBy(() -> files.create(guest, false)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(guest)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(new Path(guest, "below"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(new Path(guest, "below"), false))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.delete(in("into"), false))
                    .isInstanceOf(PathIsNotEmptyDirectoryException.class);
            write(files, guest);
            assertReads(files, guest, guest.getName());
            assertThat(files.delete(guest, false)).isTrue();
            assertThat(files.delete(guest, false)).isFalse();
            assertThat(names(files, in("into"))).isEmpty();
        }
        assertThat(files.delete(in("into"), false)).isTrue();
        assertNothingIsLeft();
    }

    @Test
    void renamesGuestFileAgainAndBackHome() throws IOException {
        hash();
        files.mkdirs(in("dir"));
        String old = nameOf(0, "old");
        String away = nameOf(1, "away");
        String further = "dir/" + nameOf(1, "further");
        String home = "dir/" + nameOf(0, "home");
        write(files, in(old));
        assertThat(files.rename(in(old), in(away))).isTrue();
        assertThat(files.rename(in(away), in(further))).isTrue();
        assertReads(files, in(further), old);
        // With the directory that it is in.
        String renamed = nameOf(1, "renamed");
        assertThat(files.rename(in("dir"), in(renamed))).isTrue();
        assertReads(files, in(renamed + further.substring(3)), old);
        assertThat(files.rename(in(renamed), in("dir"))).isTrue();

        assertThat(files.rename(in(further), in(home))).isTrue();
        assertReads(files, in(home), old);
        assertReads(first, new Path(layout.place(0, "/" + home)), old);
        assertThat(names(files, in("dir"))).containsExactly(home.substring(4));
        assertThat(files.rename(in(home), in(away))).isTrue();
        assertThat(files.rename(in(away), in("missing/file"))).isFalse();
        assertThat(files.rename(in("missing"), in(nameOf(1 - layout.homeOf("/missing"), "new"))))
                .isFalse();
        write(files, in(further));
        assertThat(files.rename(in(away), in(further))).isFalse();
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        assertThatThrownBy(() -> context.rename(in(away), in(further), Options.Rename.OVERWRITE))
                .hasMessageContaining("delete it first");
        files.delete(in(further), false);
        context.rename(in(away), in(further), Options.Rename.OVERWRITE);
        assertReads(files, in(further), old);
        assertThat(names(files, new Path(folder))).containsExactly("dir");

        assertThat(files.delete(in("dir"), true)).isTrue();
        assertNothingIsLeft();
    }

    @Test
    void renameToSelfBehavesAsInHdfs() throws IOException {
        hash();
        String plain = "/plain" + tables;
        for (String base : List.of(folder, plain)) {
            Path dir = new Path(base, "dir");
            Path sub = new Path(dir, "sub");
            Path file = new Path(dir, "file");
            Path missing = new Path(dir, "missing");
            files.mkdirs(sub);
            write(files, file);

            assertThat(files.rename(file, file)).as(base).isTrue();
            assertThat(files.rename(file, dir)).as(base).isTrue();
            assertThat(files.rename(sub, dir)).as(base).isTrue();
            assertThat(files.rename(dir, dir)).as(base).isFalse();
            assertThat(files.rename(missing, missing)).as(base).isFalse();
            assertReads(files, file, "file");
        }
    }

    /** Snapshots of a part are made past the table: HDFS renames and removes nothing that has some. */
    @Test
    void refusesRenameAndDeleteOfDirectoryWithPartSnapshots() throws IOException {
        hash();
        fill("dir");
        for (int group = 0; group < 2; group++) {
            Path part = new Path(layout.contents(group, "/dir"));
            one(group).allowSnapshot(part);
            one(group).createSnapshot(part, "of-one-part");

            assertThatThrownBy(() -> files.rename(in("dir"), in(nameOf(1, "new"))))
                    .hasMessageContaining("snapshot");
            assertThatThrownBy(() -> files.delete(in("dir"), true)).hasMessageContaining("snapshot");
            assertThat(stations()).isEmpty();
            assertFull("dir");

            one(group).deleteSnapshot(part, "of-one-part");
            one(group).disallowSnapshot(part);
        }
        assertThat(files.rename(in("dir"), in(nameOf(1, "new")))).isTrue();
        assertFull(nameOf(1, "new"));
        assertThat(files.delete(in(nameOf(1, "new")), true)).isTrue();
        assertNothingIsLeft();
    }

    /** With a file in each nameservice, and a directory. */
    private void fill(String path) throws IOException {
        write(files, in(path + "/" + nameOf(0, "file")));
        write(files, in(path + "/" + nameOf(1, "file")));
        files.mkdirs(in(path + "/sub"));
    }

    @Test
    void renamesDirectoryBetweenAnyHomes() throws IOException {
        hash();
        files.mkdirs(in("below"));
        for (int home = 0; home < 4; home++) {
            String old = nameOf(home % 2, "old" + home + "-");
            String renamed = "below/" + nameOf(home / 2, "new" + home + "-");
            fill(old);
            files.rename(in(old), in(renamed));

            assertThat(files.exists(in(old))).isFalse();
            assertThat(names(files, new Path(folder))).containsExactly("below");
            assertFull(renamed);
            write(files, in(old));
            assertReads(files, in(old), old);
            files.delete(in(old), false);
            fill(old);
            assertFull(old);
            files.delete(in(old), true);
        }
        assertThat(names(files, in("below"))).hasSize(4);
        files.delete(in("below"), true);
        assertNothingIsLeft();
    }

    @Test
    void directoryRenameBehavesAsInHdfs() throws IOException {
        hash();
        fill("dir");
        files.mkdirs(in("other"));
        write(files, in("file"));

        assertThat(files.rename(in("missing"), in("new"))).isFalse();
        assertThat(files.rename(in("dir"), in("no/parent"))).isFalse();
        assertThatThrownBy(() -> files.rename(in("dir"), in("file/below")))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThat(files.rename(in("dir"), in("file"))).isFalse();
        assertThat(files.rename(in("dir"), in("dir"))).isFalse();
        assertThat(files.rename(in("dir"), in("dir/sub/below"))).isFalse();
        assertFull("dir");
        assertThat(files.rename(in("dir"), in("other"))).isTrue();
        assertFull("other/dir");
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        assertThatThrownBy(() -> context.rename(in("other/dir"), in("other/dir/sub/below")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.rename(in("other/dir"), in("file")))
                .hasMessageContaining("must both be directories");
        context.rename(in("other/dir"), in("dir"));
        assertFull("dir");
        assertThat(files.getContentSummary(new Path(folder)).getDirectoryCount())
                .isEqualTo(4);
    }

    @Test
    void renamedDirectoryKeepsOwnerGroupAndPermission() throws IOException {
        hash();
        for (int home = 0; home < 2; home++) {
            String old = nameOf(home, "old");
            String renamed = nameOf(1 - home, "new");
            files.mkdirs(in(old), new FsPermission((short) 0710));
            FileStatus before = files.getFileStatus(in(old));
            assertThat(files.rename(in(old), in(renamed))).isTrue();

            FileStatus after = files.getFileStatus(in(renamed));
            assertThat(after.getOwner()).isEqualTo(before.getOwner());
            assertThat(after.getGroup()).isEqualTo(before.getGroup());
            assertThat(after.getPermission()).isEqualTo(before.getPermission());
        }
    }

    @Test
    void refusesDirectoryRenameWithoutRenamesDirectory() throws IOException {
        hash();
        fill("dir");
        second.delete(new Path(HashedLayout.renamesOf(folder)), true);

        assertThatThrownBy(() -> files.rename(in("dir"), in("new"))).hasMessageContaining("with mode 1733");
        assertFull("dir");
        second.mkdirs(new Path(HashedLayout.renamesOf(folder)));
        assertThat(files.rename(in("dir"), in("new"))).isTrue();
        assertFull("new");
    }

    /** Of renames within one home, as a file that is to replace another one has to be in the same nameservice. */
    @Test
    void renameOutcomesMatchHdfsForAllSourcesAndTargets() throws IOException {
        hash();
        List<String> differences = new ArrayList<>();
        int number = 0;
        for (String source : List.of("missing", "file", "empty", "full")) {
            for (String target : List.of("missing", "file", "empty", "full", "itself", "within", "below", "nowhere")) {
                for (String how : List.of("old", "NONE", "OVERWRITE")) {
                    number++;
                    Path hdfs = new Path("/plain" + tables + "/" + number);
                    String wanted = renamed(first, hdfs, source, target, how);
                    String found = renamed(files, in("rename" + number), source, target, how);
                    if (!found.equals(wanted)) {
                        differences.add(source + " to " + target + ", " + how + ": " + found + ", in HDFS " + wanted);
                    }
                }
            }
        }

        assertThat(differences).isEmpty();
        for (FileStatus one : files.listStatus(new Path(folder))) {
            files.delete(one.getPath(), true);
        }
        assertNothingIsLeft();
    }

    private String renamed(FileSystem at, Path base, String source, String target, String how) throws IOException {
        Path src = new Path(base, "from/name");
        make(at, src, source);
        Path dst = new Path(base, "to/name");
        switch (target) {
            case "itself" -> dst = src;
            case "within" -> dst = new Path(src, "inner/name");
            case "below" -> {
                write(at, new Path(base, "to/a"));
                dst = new Path(base, "to/a/name");
            }
            case "nowhere" -> dst = new Path(base, "nowhere/name");
            default -> make(at, dst, target);
        }
        String outcome;
        try {
            if (how.equals("old")) {
                outcome = Boolean.toString(at.rename(src, dst));
            } else {
                ((DistributedFileSystem) at).rename(src, dst, Options.Rename.valueOf(how));
                outcome = "done";
            }
        } catch (IOException e) {
            IOException told = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
            outcome = List.of(
                            FileNotFoundException.class,
                            FileAlreadyExistsException.class,
                            ParentNotDirectoryException.class,
                            IOException.class)
                    .stream()
                    .filter(one -> one.isInstance(told))
                    .findFirst()
                    .orElseThrow()
                    .getSimpleName();
        }
        return outcome + " " + tree(at, base);
    }

    private static void make(FileSystem at, Path path, String kind) throws IOException {
        at.mkdirs(path.getParent());
        switch (kind) {
            case "file" -> write(at, path);
            case "empty" -> at.mkdirs(path);
            case "full" -> write(at, new Path(path, "in"));
            default -> {}
        }
    }

    private static List<String> tree(FileSystem at, Path base) throws IOException {
        List<String> all = new ArrayList<>();
        for (FileStatus one : at.listStatus(base)) {
            String name = one.getPath().getName();
            all.add(name);
            if (one.isDirectory()) {
                tree(at, one.getPath()).forEach(below -> all.add(name + "/" + below));
            }
        }
        return all;
    }
}
