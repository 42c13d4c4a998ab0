/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hashed.HashedLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

/** What clients see and do in a hashed directory: files, listings, open streams. */
class HashedFilesTest extends HashedDirectoryFixture {
    @Test
    void spreadsFilesAndListsEachOnce() throws IOException {
        hashDirectory();
        TreeSet<String> wanted = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            write(files, pathOf("day/file" + i));
            wanted.add("file" + i);
        }

        assertThat(listNames(files, pathOf("day"))).containsExactlyElementsOf(wanted);
        assertThat(listNames(files, new Path(directory))).containsExactly("day");
        for (String one : wanted) {
            assertReads(files, pathOf("day/" + one), one);
        }
        for (int group = 0; group < 2; group++) {
            DistributedFileSystem one = group == 0 ? first : second;
            assertThat(one.getContentSummary(new Path(layout.contentsPath(group, "/day")))
                            .getFileCount())
                    .isBetween(4L, 16L);
        }
        assertThat(files.getContentSummary(new Path(directory)).getFileCount()).isEqualTo(20);
        assertThat(files.getContentSummary(new Path(directory)).getDirectoryCount())
                .isEqualTo(2);
        RemoteIterator<LocatedFileStatus> located = files.listFiles(new Path(directory), true);
        assertThat(located.next().getBlockLocations()).hasSize(1);
    }

    @Test
    void nameDenotesOneFileOrDirectory() throws IOException {
        hashDirectory();
        for (int group = 0; group < 2; group++) {
            String name = nameInGroup(group, "one");
            write(files, pathOf(name));
            assertThatThrownBy(() -> files.mkdirs(pathOf(name))).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(pathOf(name + "/below"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(pathOf(name + "/below"), false))
                    .isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(pathOf(name), false)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files.delete(pathOf(name), false)).isTrue();
            assertThat(files.delete(pathOf(name), false)).isFalse();
            assertThat(files.mkdirs(pathOf(name))).isTrue();
            assertThat(files.mkdirs(pathOf(name))).isTrue();
            assertThatThrownBy(() -> files.create(pathOf(name), true)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files.getFileStatus(pathOf(name)).isDirectory()).isTrue();
        }
        assertThatThrownBy(() -> files.open(pathOf("missing"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.listStatus(pathOf("missing"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.mkdirs(pathOf(".trefoil-mine"))).hasMessageContaining("do not begin");
    }

    /** HDFS tells users below a file that access is denied, unless they create something. */
    @Test
    void refusesCreationAndLookupBelowFileForAnyUser() throws Exception {
        first.setPermission(new Path(directory), allPermissions());
        hashDirectory();
        try (FileSystem alice = clientAs("alice")) {
            assertNothingIsBelowFiles(alice);
            assertNothingIsBelowFiles(files);
        }
        assertNoLeftovers();
    }

    private void assertNothingIsBelowFiles(FileSystem user) throws IOException {
        Path inHdfs = new Path("/tmp" + tables + "/file");
        write(first, inHdfs);
        for (int group = 0; group < 2; group++) {
            Path file = pathOf(nameInGroup(group, "file"));
            write(user, file);
            assertThat(user.listStatus(file)).hasSize(1);
            for (int home = 0; home < 2; home++) {
                Path below = new Path(file, nameInGroup(home, "below"));
                Path deeper = new Path(below, nameInGroup(home, "deeper"));
                for (Path one : List.of(below, deeper)) {
                    assertThatThrownBy(() -> first.mkdirs(new Path(inHdfs, "below")))
                            .isInstanceOf(ParentNotDirectoryException.class);
                    assertThatThrownBy(() -> user.mkdirs(one)).isInstanceOf(ParentNotDirectoryException.class);
                    assertThatThrownBy(() -> user.create(one)).isInstanceOf(ParentNotDirectoryException.class);
                    assertThatThrownBy(() -> user.getFileStatus(one)).isInstanceOf(FileNotFoundException.class);
                    assertThatThrownBy(() -> user.listStatus(one)).isInstanceOf(FileNotFoundException.class);
                    assertThatThrownBy(() -> user.open(one)).isInstanceOf(FileNotFoundException.class);
                    assertThatThrownBy(() -> user.append(one)).isInstanceOf(FileNotFoundException.class);
                    assertThat(user.exists(one)).isFalse();
                    assertThat(user.delete(one, true)).isFalse();
                    assertThat(user.rename(one, pathOf("new"))).isFalse();
                    assertThatThrownBy(() -> user.rename(file, one)).isInstanceOf(ParentNotDirectoryException.class);
                }
                assertThatThrownBy(() -> user.createNonRecursive(below, true, 4096, (short) 1, 1 << 20, null))
                        .isInstanceOf(ParentNotDirectoryException.class);
            }
            assertThat(user.delete(file, false)).isTrue();
        }
    }

    @Test
    void operationRefusedByQuotaCleansUp() throws IOException {
        // A quota of one name may be that of a seal, so each refusal is looked into for as long.
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        hashDirectory();
        Path part = new Path(HashedLayout.rootOf(directory));
        for (int group = 0; group < 2; group++) {
            for (int room = 1; room < 3; room++) {
                clientOfGroup(group).setQuota(part, room, HdfsConstants.QUOTA_DONT_SET);
                for (int home = 0; home < 2; home++) {
                    Path dir = pathOf(nameInGroup(home, "dir"));
                    if (home == group || room == 1) {
                        assertThatThrownBy(() -> files.mkdirs(dir)).isInstanceOf(NSQuotaExceededException.class);
                    }
                }
                assertNoLeftovers();
            }
            clientOfGroup(group).setQuota(part, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    /** As those of HDFS, of which each page is of one moment: jobs list what others rename and delete meanwhile. */
    @Test
    void openListingWithBlocksSurvivesRenameAndDelete() throws IOException {
        hashDirectory();
        for (int group = 0; group < 2; group++) {
            String deleted = nameInGroup(group, "deleted");
            String old = nameInGroup(group, "old");
            String home = nameInGroup(1 - group, "home");
            String guest = nameInGroup(group, "guest");
            Path dir = pathOf("dir");
            write(files, new Path(dir, deleted));
            write(files, new Path(dir, old));
            write(files, new Path(dir, home));
            files.rename(new Path(dir, home), new Path(dir, guest));
            files.mkdirs(new Path(dir, "sub"));

            RemoteIterator<LocatedFileStatus> each = files.listLocatedStatus(dir);
            assertThat(files.delete(new Path(dir, deleted), false)).isTrue();
            assertThat(files.rename(new Path(dir, old), new Path(dir, "new"))).isTrue();

            assertListed(each, dir, deleted, guest, old, "sub");
            RemoteIterator<LocatedFileStatus> again = files.listLocatedStatus(dir);
            assertThat(files.rename(dir, pathOf("renamed"))).isTrue();
            assertListed(again, dir, guest, "new", "sub");
            assertThat(files.delete(pathOf("renamed"), true)).isTrue();
            assertThatThrownBy(() -> files.listLocatedStatus(dir)).isInstanceOf(FileNotFoundException.class);
        }
    }

    private void assertListed(RemoteIterator<LocatedFileStatus> each, Path dir, String... names) throws IOException {
        for (String name : names) {
            LocatedFileStatus one = each.next();
            assertThat(one.getPath()).isEqualTo(files.makeQualified(new Path(dir, name)));
            assertThat(one.isDirectory()).isEqualTo(name.equals("sub"));
            assertThat(one.getBlockLocations()).hasSize(one.isFile() ? 1 : 0);
            assertThat(one.isFile()).isEqualTo(one.getLen() > 0);
        }
        assertThat(each.hasNext()).isFalse();
    }

    @Test
    void listsFileWithBlocks() throws IOException {
        hashDirectory();
        for (int group = 0; group < 2; group++) {
            Path file = pathOf(nameInGroup(group, "file"));
            Path guest = pathOf(nameInGroup(1 - group, "guest"));
            write(files, file);
            for (Path one : List.of(file, guest)) {
                RemoteIterator<LocatedFileStatus> all = files.listLocatedStatus(one);
                LocatedFileStatus found = all.next();
                assertThat(found.getPath()).isEqualTo(files.makeQualified(one));
                assertThat(found.getBlockLocations()).hasSize(1);
                assertThat(all.hasNext()).isFalse();
                if (one.equals(file)) {
                    assertThat(files.rename(file, guest)).isTrue();
                }
            }
            assertThatThrownBy(() -> files.listLocatedStatus(file)).isInstanceOf(FileNotFoundException.class);
        }
    }

    @Test
    void timesAndXattrsFollowName() throws IOException {
        hashDirectory();
        for (int home = 0; home < 2; home++) {
            String dir = nameInGroup(home, "dir");
            String renamed = nameInGroup(1 - home, "renamed");
            for (String one : List.of("", dir, dir + "/file")) {
                Path path = one.isEmpty() ? new Path(directory) : pathOf(one);
                if (one.endsWith("file")) {
                    write(files, path);
                }
                files.mkdirs(pathOf(dir));
                files.setXAttr(path, "user.name", new byte[] {1, 2});
                files.setXAttr(path, "user.empty", new byte[0]);
                files.setTimes(path, 1_000_000_000_000L, -1);
                assertThat(files.getFileStatus(path).getModificationTime()).isEqualTo(1_000_000_000_000L);
                assertThat(files.getXAttr(path, "user.name")).containsExactly(1, 2);
                assertThat(files.getXAttrs(path)).containsOnlyKeys("user.name", "user.empty");
                assertThat(files.getXAttrs(path, List.of("user.name"))).containsOnlyKeys("user.name");
                assertThatThrownBy(() ->
                                files.setXAttr(path, "user.name", new byte[] {3}, EnumSet.of(XAttrSetFlag.CREATE)))
                        .isInstanceOf(IOException.class);
            }
            assertThat(files.rename(pathOf(dir), pathOf(renamed))).isTrue();
            assertThat(files.getXAttr(pathOf(renamed), "user.name")).containsExactly(1, 2);
            files.removeXAttr(pathOf(renamed), "user.name");
            assertThat(files.listXAttrs(pathOf(renamed))).containsExactly("user.empty");
            assertThat(files.listXAttrs(pathOf(renamed + "/file"))).hasSize(2);
            assertThat(files.delete(pathOf(renamed), true)).isTrue();
        }
        assertNoLeftovers();
    }

    @Test
    void fileContextBehavesLikeFileSystem() throws IOException {
        hashDirectory();
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        context.mkdir(pathOf("dir"), FsPermission.getDirDefault(), false);
        assertThatThrownBy(() -> context.mkdir(pathOf("no/dir"), FsPermission.getDirDefault(), false))
                .isInstanceOf(IOException.class);
        try (FSDataOutputStream out = context.create(
                pathOf("dir/sub/file"), EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
            out.writeUTF("text");
        }
        try (FSDataOutputStream out = context.create(pathOf("dir/file"), EnumSet.of(CreateFlag.CREATE))) {
            out.writeUTF("text");
        }
        assertThat(listNames(files, pathOf("dir"))).containsExactly("file", "sub");
        assertReads(files, pathOf("dir/sub/file"), "text");
        context.setPermission(pathOf("dir"), new FsPermission((short) 0711));
        context.setAcl(pathOf("dir/sub"), AclEntry.parseAclSpec(SHARED, true));
        assertThat(context.getAclStatus(pathOf("dir/sub")).getEntries()).isNotEmpty();
        assertSameAccess("dir");
        assertSameAccess("dir/sub");
        context.rename(pathOf("dir/file"), pathOf("file"));
        assertThat(context.util().exists(pathOf("file"))).isTrue();
    }

    @Test
    void createFlagsDecideBetweenCreateAndAppend() throws IOException {
        hashDirectory();
        EnumSet<CreateFlag> either = EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND);
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        for (int group = 0; group < 2; group++) {
            Path file = pathOf(nameInGroup(group, "either"));
            for (int i = 1; i <= 2; i++) {
                try (FSDataOutputStream out = context.create(file, either)) {
                    out.write(i);
                }
                assertThat(files.getFileStatus(file).getLen()).isEqualTo(i);
            }
        }
        assertThatThrownBy(() -> context.create(pathOf("absent"), EnumSet.of(CreateFlag.APPEND)))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void recoversLeaseOfDeadWriter() throws Exception {
        hashDirectory();
        DistributedFileSystem hdfs = (DistributedFileSystem) files;
        for (int group = 0; group < 2; group++) {
            Path file = pathOf(nameInGroup(group, "open"));
            FileSystem dead = FileSystem.newInstance(CLUSTER, conf);
            FSDataOutputStream out = dead.create(file);
            out.write(1);
            out.hflush();

            assertThat(hdfs.isFileClosed(file)).isFalse();
            await().atMost(Duration.ofMinutes(1)).until(() -> hdfs.recoverLease(file));
            assertThat(hdfs.isFileClosed(file)).isTrue();
            assertThat(files.getFileStatus(file).getLen()).isEqualTo(1);
        }
    }

    @Test
    void buildersCreateFilesInTheirNameservice() throws IOException {
        hashDirectory();
        DistributedFileSystem hdfs = (DistributedFileSystem) files;
        for (int group = 0; group < 2; group++) {
            String name = nameInGroup(group, "built");
            Path file = pathOf("day" + group + "/" + name);
            assertThatThrownBy(() -> hdfs.createFile(file).build()).isInstanceOf(FileNotFoundException.class);
            try (FSDataOutputStream out = hdfs.createFile(file)
                    .recursive()
                    .blockSize(1 << 20)
                    .permission(new FsPermission((short) 0640))
                    .checksumOpt(new Options.ChecksumOpt(DataChecksum.Type.CRC32, 1024))
                    .build()) {
                out.write(1);
            }
            DistributedFileSystem owner = group == 0 ? first : second;
            assertThat(owner.exists(new Path(layout.placePath(group, "/day" + group + "/" + name))))
                    .isTrue();
            assertThat(files.getFileStatus(file).getPermission().toShort()).isEqualTo((short) 0640);
            assertThat(files.getFileStatus(file).getBlockSize()).isEqualTo(1 << 20);
            assertThat(files.getFileChecksum(file).getAlgorithmName())
                    .contains("CRC32")
                    .doesNotContain("CRC32C");
            assertThatThrownBy(() -> hdfs.createFile(file).overwrite(false).build())
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> hdfs.createFile(file.getParent()).build())
                    .isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() ->
                            hdfs.createFile(new Path(file, "below")).recursive().build())
                    .isInstanceOf(ParentNotDirectoryException.class);

            try (FSDataOutputStream out = hdfs.appendFile(file).newBlock().build()) {
                out.write(2);
            }
            assertThat(files.getFileBlockLocations(file, 0, 2)).hasSize(2);
            assertThatThrownBy(() -> hdfs.appendFile(pathOf("missing")).build())
                    .isInstanceOf(FileNotFoundException.class);
            try (FSDataOutputStream out = hdfs.createFile(file).overwrite(true).build()) {
                out.write(3);
            }
            assertThat(files.getFileStatus(file).getLen()).isEqualTo(1);
            files.delete(file.getParent(), true);
        }
        assertNoLeftovers();
    }

    @Test
    void createPassesFlagsAndChecksumsToNameservice() throws IOException {
        hashDirectory();
        Options.ChecksumOpt sums = new Options.ChecksumOpt(DataChecksum.Type.CRC32, 1024);
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
        Path beside = new Path("/beside" + tables);
        for (Path file : List.of(pathOf("file"), beside)) {
            files.create(file, FsPermission.getFileDefault(), flags, 4096, (short) 1, 1 << 20, null, sums)
                    .close();
            try (FSDataOutputStream out = files.append(file)) {
                out.write(1);
            }
            assertThatThrownBy(() -> files.create(
                            pathOf("missing"),
                            FsPermission.getFileDefault(),
                            EnumSet.of(CreateFlag.OVERWRITE),
                            4096,
                            (short) 1,
                            1 << 20,
                            null,
                            sums))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(files.getFileStatus(file).getBlockSize()).isEqualTo(1 << 20);
            assertThat(files.getFileChecksum(file, 1)).isNotNull().isEqualTo(files.getFileChecksum(file));
        }
        assertThat(files.getFileLinkStatus(pathOf("file"))).isEqualTo(files.getFileStatus(pathOf("file")));
        assertThat(files.getFileLinkStatus(beside).getPath()).isEqualTo(files.makeQualified(beside));
        assertThat(files.getEnclosingRoot(pathOf("day/file"))).isEqualTo(files.makeQualified(new Path(directory)));
        assertThat(files.getEnclosingRoot(beside)).isEqualTo(files.makeQualified(new Path("/")));
    }
}
