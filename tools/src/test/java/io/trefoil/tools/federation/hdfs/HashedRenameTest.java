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
        hashDirectory();
        String old = nameInGroup(1, "old");
        write(files, pathOf(old + "._COPYING_"));
        assertThat(files.rename(pathOf(old + "._COPYING_"), pathOf(old))).isTrue();
        files.mkdirs(pathOf("into"));
        assertThat(files.rename(pathOf(old), pathOf("into"))).isTrue();
        assertReads(files, pathOf("into/" + old), old + "._COPYING_");
        assertThat(files.rename(pathOf("missing"), pathOf(nameInGroup(layout.homeOf("/missing"), "new"))))
                .isFalse();

        String same = nameInGroup(1, "same");
        write(files, pathOf(same));
        assertThat(files.rename(pathOf("into/" + old), pathOf(same))).isFalse();
        assertThatThrownBy(() -> files.rename(pathOf(same), new Path("/outside" + tables)))
                .hasMessageContaining("Renames across Mount points not supported");
        assertThat(listNames(files, pathOf("into"))).containsExactly(old);
    }

    /** Its blocks stay, and the name leads to them. */
    @Test
    void renamesFileToNameOfAnotherNameservice() throws IOException {
        hashDirectory();
        files.mkdirs(pathOf("into"));
        for (int group = 0; group < 2; group++) {
            String old = nameInGroup(group, "old");
            Path guest = pathOf("into/" + nameInGroup(1 - group, "new"));
            try (FSDataOutputStream out = files.create(pathOf(old))) {
                out.writeUTF("text");
                out.hflush();
                assertThat(files.rename(pathOf(old), guest)).isTrue();
                out.writeUTF("more");
            }

            assertThat(files.exists(pathOf(old))).isFalse();
            FileStatus status = files.getFileStatus(guest);
            assertThat(status.isFile()).isTrue();
            assertThat(status.getPath()).isEqualTo(files.makeQualified(guest));
            assertThat(status.getLen()).isEqualTo(12);
            assertThat(listNames(files, pathOf("into"))).containsExactly(guest.getName());
            assertThat(files.listStatus(pathOf("into"))[0].isFile()).isTrue();
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
            assertThat(files.getContentSummary(pathOf("into")).getFileCount()).isEqualTo(1);

            assertThatThrownBy(() -> files.create(guest, false)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(guest)).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(new Path(guest, "below"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(new Path(guest, "below"), false))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.delete(pathOf("into"), false))
                    .isInstanceOf(PathIsNotEmptyDirectoryException.class);
            write(files, guest);
            assertReads(files, guest, guest.getName());
            assertThat(files.delete(guest, false)).isTrue();
            assertThat(files.delete(guest, false)).isFalse();
            assertThat(listNames(files, pathOf("into"))).isEmpty();
        }
        assertThat(files.delete(pathOf("into"), false)).isTrue();
        assertNoLeftovers();
    }

    @Test
    void renamesGuestFileAgainAndBackToItsHome() throws IOException {
        hashDirectory();
        files.mkdirs(pathOf("dir"));
        String old = nameInGroup(0, "old");
        String away = nameInGroup(1, "away");
        String further = "dir/" + nameInGroup(1, "further");
        String home = "dir/" + nameInGroup(0, "home");
        write(files, pathOf(old));
        assertThat(files.rename(pathOf(old), pathOf(away))).isTrue();
        assertThat(files.rename(pathOf(away), pathOf(further))).isTrue();
        assertReads(files, pathOf(further), old);
        // With the directory that it is in.
        String renamed = nameInGroup(1, "renamed");
        assertThat(files.rename(pathOf("dir"), pathOf(renamed))).isTrue();
        assertReads(files, pathOf(renamed + further.substring(3)), old);
        assertThat(files.rename(pathOf(renamed), pathOf("dir"))).isTrue();

        assertThat(files.rename(pathOf(further), pathOf(home))).isTrue();
        assertReads(files, pathOf(home), old);
        assertReads(first, new Path(layout.placePath(0, "/" + home)), old);
        assertThat(listNames(files, pathOf("dir"))).containsExactly(home.substring(4));
        assertThat(files.rename(pathOf(home), pathOf(away))).isTrue();
        assertThat(files.rename(pathOf(away), pathOf("missing/file"))).isFalse();
        assertThat(files.rename(pathOf("missing"), pathOf(nameInGroup(1 - layout.homeOf("/missing"), "new"))))
                .isFalse();
        write(files, pathOf(further));
        assertThat(files.rename(pathOf(away), pathOf(further))).isFalse();
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        assertThatThrownBy(() -> context.rename(pathOf(away), pathOf(further), Options.Rename.OVERWRITE))
                .hasMessageContaining("delete it first");
        files.delete(pathOf(further), false);
        context.rename(pathOf(away), pathOf(further), Options.Rename.OVERWRITE);
        assertReads(files, pathOf(further), old);
        assertThat(listNames(files, new Path(directory))).containsExactly("dir");

        assertThat(files.delete(pathOf("dir"), true)).isTrue();
        assertNoLeftovers();
    }

    @Test
    void renameToSelfBehavesAsInHdfs() throws IOException {
        hashDirectory();
        String plain = "/plain" + tables;
        for (String base : List.of(directory, plain)) {
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
        hashDirectory();
        fillDirectory("dir");
        for (int group = 0; group < 2; group++) {
            Path part = new Path(layout.contentsPath(group, "/dir"));
            clientOfGroup(group).allowSnapshot(part);
            clientOfGroup(group).createSnapshot(part, "of-one-part");

            assertThatThrownBy(() -> files.rename(pathOf("dir"), pathOf(nameInGroup(1, "new"))))
                    .hasMessageContaining("snapshot");
            assertThatThrownBy(() -> files.delete(pathOf("dir"), true)).hasMessageContaining("snapshot");
            assertThat(stations()).isEmpty();
            assertFilledDirectory("dir");

            clientOfGroup(group).deleteSnapshot(part, "of-one-part");
            clientOfGroup(group).disallowSnapshot(part);
        }
        assertThat(files.rename(pathOf("dir"), pathOf(nameInGroup(1, "new")))).isTrue();
        assertFilledDirectory(nameInGroup(1, "new"));
        assertThat(files.delete(pathOf(nameInGroup(1, "new")), true)).isTrue();
        assertNoLeftovers();
    }

    /** With a file in each nameservice, and a directory. */
    private void fillDirectory(String path) throws IOException {
        write(files, pathOf(path + "/" + nameInGroup(0, "file")));
        write(files, pathOf(path + "/" + nameInGroup(1, "file")));
        files.mkdirs(pathOf(path + "/sub"));
    }

    @Test
    void renamesDirectoryBetweenAnyHomes() throws IOException {
        hashDirectory();
        files.mkdirs(pathOf("below"));
        for (int home = 0; home < 4; home++) {
            String old = nameInGroup(home % 2, "old" + home + "-");
            String renamed = "below/" + nameInGroup(home / 2, "new" + home + "-");
            fillDirectory(old);
            files.rename(pathOf(old), pathOf(renamed));

            assertThat(files.exists(pathOf(old))).isFalse();
            assertThat(listNames(files, new Path(directory))).containsExactly("below");
            assertFilledDirectory(renamed);
            write(files, pathOf(old));
            assertReads(files, pathOf(old), old);
            files.delete(pathOf(old), false);
            fillDirectory(old);
            assertFilledDirectory(old);
            files.delete(pathOf(old), true);
        }
        assertThat(listNames(files, pathOf("below"))).hasSize(4);
        files.delete(pathOf("below"), true);
        assertNoLeftovers();
    }

    @Test
    void directoryRenameBehavesAsInHdfs() throws IOException {
        hashDirectory();
        fillDirectory("dir");
        files.mkdirs(pathOf("other"));
        write(files, pathOf("file"));

        assertThat(files.rename(pathOf("missing"), pathOf("new"))).isFalse();
        assertThat(files.rename(pathOf("dir"), pathOf("no/parent"))).isFalse();
        assertThatThrownBy(() -> files.rename(pathOf("dir"), pathOf("file/below")))
                .isInstanceOf(ParentNotDirectoryException.class);
        assertThat(files.rename(pathOf("dir"), pathOf("file"))).isFalse();
        assertThat(files.rename(pathOf("dir"), pathOf("dir"))).isFalse();
        assertThat(files.rename(pathOf("dir"), pathOf("dir/sub/below"))).isFalse();
        assertFilledDirectory("dir");
        assertThat(files.rename(pathOf("dir"), pathOf("other"))).isTrue();
        assertFilledDirectory("other/dir");
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        assertThatThrownBy(() -> context.rename(pathOf("other/dir"), pathOf("other/dir/sub/below")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> context.rename(pathOf("other/dir"), pathOf("file")))
                .hasMessageContaining("must both be directories");
        context.rename(pathOf("other/dir"), pathOf("dir"));
        assertFilledDirectory("dir");
        assertThat(files.getContentSummary(new Path(directory)).getDirectoryCount())
                .isEqualTo(4);
    }

    @Test
    void renamedDirectoryKeepsOwnerGroupAndPermission() throws IOException {
        hashDirectory();
        for (int home = 0; home < 2; home++) {
            String old = nameInGroup(home, "old");
            String renamed = nameInGroup(1 - home, "new");
            files.mkdirs(pathOf(old), new FsPermission((short) 0710));
            FileStatus before = files.getFileStatus(pathOf(old));
            assertThat(files.rename(pathOf(old), pathOf(renamed))).isTrue();

            FileStatus after = files.getFileStatus(pathOf(renamed));
            assertThat(after.getOwner()).isEqualTo(before.getOwner());
            assertThat(after.getGroup()).isEqualTo(before.getGroup());
            assertThat(after.getPermission()).isEqualTo(before.getPermission());
        }
    }

    @Test
    void refusesDirectoryRenameWithoutRenamesDirectory() throws IOException {
        hashDirectory();
        fillDirectory("dir");
        second.delete(new Path(HashedLayout.renamesOf(directory)), true);

        assertThatThrownBy(() -> files.rename(pathOf("dir"), pathOf("new"))).hasMessageContaining("with mode 1733");
        assertFilledDirectory("dir");
        second.mkdirs(new Path(HashedLayout.renamesOf(directory)));
        assertThat(files.rename(pathOf("dir"), pathOf("new"))).isTrue();
        assertFilledDirectory("new");
    }

    /** Of renames within one home, as a file that is to replace another one has to be in the same nameservice. */
    @Test
    void renameOutcomesMatchHdfsForAllSourcesAndTargets() throws IOException {
        hashDirectory();
        List<String> differences = new ArrayList<>();
        int number = 0;
        for (String source : List.of("missing", "file", "empty", "full")) {
            for (String target : List.of("missing", "file", "empty", "full", "itself", "within", "below", "nowhere")) {
                for (String how : List.of("old", "NONE", "OVERWRITE")) {
                    number++;
                    Path hdfs = new Path("/plain" + tables + "/" + number);
                    String wanted = renameOutcome(first, hdfs, source, target, how);
                    String found = renameOutcome(files, pathOf("rename" + number), source, target, how);
                    if (!found.equals(wanted)) {
                        differences.add(source + " to " + target + ", " + how + ": " + found + ", in HDFS " + wanted);
                    }
                }
            }
        }

        assertThat(differences).isEmpty();
        for (FileStatus one : files.listStatus(new Path(directory))) {
            files.delete(one.getPath(), true);
        }
        assertNoLeftovers();
    }

    private String renameOutcome(FileSystem fs, Path base, String source, String target, String how)
            throws IOException {
        Path src = new Path(base, "from/name");
        createEntry(fs, src, source);
        Path dst = new Path(base, "to/name");
        switch (target) {
            case "itself" -> dst = src;
            case "within" -> dst = new Path(src, "inner/name");
            case "below" -> {
                write(fs, new Path(base, "to/a"));
                dst = new Path(base, "to/a/name");
            }
            case "nowhere" -> dst = new Path(base, "nowhere/name");
            default -> createEntry(fs, dst, target);
        }
        String outcome;
        try {
            if (how.equals("old")) {
                outcome = Boolean.toString(fs.rename(src, dst));
            } else {
                ((DistributedFileSystem) fs).rename(src, dst, Options.Rename.valueOf(how));
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
        return outcome + " " + listTree(fs, base);
    }

    private static void createEntry(FileSystem fs, Path path, String kind) throws IOException {
        fs.mkdirs(path.getParent());
        switch (kind) {
            case "file" -> write(fs, path);
            case "empty" -> fs.mkdirs(path);
            case "full" -> write(fs, new Path(path, "in"));
            default -> {}
        }
    }

    private static List<String> listTree(FileSystem fs, Path base) throws IOException {
        List<String> all = new ArrayList<>();
        for (FileStatus one : fs.listStatus(base)) {
            String name = one.getPath().getName();
            all.add(name);
            if (one.isDirectory()) {
                listTree(fs, one.getPath()).forEach(below -> all.add(name + "/" + below));
            }
        }
        return all;
    }
}
