/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hdfs.SubtreeFileSystem;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.table.SubtreePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Directories above an entry of the table, which are of one owner, and have in them what is of another. */
class ParentsOfEntriesTest extends SubtreeClientFixture {
    private static final Path ROOT = new Path("/");

    /** What calls that go astray would change. */
    private static String describeAttributes(DistributedFileSystem nameservice, Path path) throws IOException {
        FileStatus status = nameservice.getFileStatus(path);
        return status.getPermission() + " " + status.getOwner() + " " + status.getModificationTime() + " "
                + nameservice.getAclStatus(path) + " "
                + nameservice.getQuotaUsage(path).getQuota() + " "
                + nameservice.getQuotaUsage(path).getTypeQuota(StorageType.DISK) + " "
                + nameservice.listXAttrs(path) + " " + nameservice.getErasureCodingPolicy(path) + " "
                + nameservice.getStoragePolicy(path).getName();
    }

    /** Hadoop's client for mount tables does all of this to the root. */
    @Test
    void operationsOnParentOfEntryApplyAtOwner() throws IOException {
        Path above = new Path(directory).getParent();
        try (DistributedFileSystem client = clientAfterHandover()) {
            String root = describeAttributes(first, ROOT);

            client.setQuota(above, 1000, HdfsConstants.QUOTA_DONT_SET);
            client.setQuotaByStorageType(above, StorageType.DISK, 1L << 40);
            assertThat(first.getQuotaUsage(above).getQuota()).isEqualTo(1000);
            assertThat(first.getQuotaUsage(above).getTypeQuota(StorageType.DISK))
                    .isEqualTo(1L << 40);
            assertThat(client.getQuotaUsage(above).getQuota()).isEqualTo(1000);
            client.setXAttr(above, "user.one", new byte[] {1}, EnumSet.of(XAttrSetFlag.CREATE));
            client.setXAttr(above, "user.two", new byte[] {2}, EnumSet.of(XAttrSetFlag.CREATE));
            client.removeXAttr(above, "user.two");
            assertThat(first.listXAttrs(above)).containsExactly("user.one");
            assertThat(client.listXAttrs(above)).containsExactly("user.one");
            assertThat(client.getXAttr(above, "user.one")).containsExactly(1);
            assertThat(client.getXAttrs(above)).containsOnlyKeys("user.one");
            assertThat(client.getXAttrs(above, List.of("user.one"))).containsOnlyKeys("user.one");
            client.setErasureCodingPolicy(above, "RS-6-3-1024k");
            assertThat(first.getErasureCodingPolicy(above).getName()).isEqualTo("RS-6-3-1024k");
            assertThat(client.getErasureCodingPolicy(above).getName()).isEqualTo("RS-6-3-1024k");
            client.unsetErasureCodingPolicy(above);
            assertThat(first.getErasureCodingPolicy(above)).isNull();
            client.setStoragePolicy(above, "COLD");
            assertThat(client.getStoragePolicy(above).getName()).isEqualTo("COLD");
            client.setPermission(above, new FsPermission((short) 0710));
            client.setOwner(above, "somebody", "else");
            client.modifyAclEntries(above, AclEntry.parseAclSpec("user:alice:r-x", true));
            assertThat(client.getFileStatus(above).getOwner()).isEqualTo("somebody");
            assertThat(client.getFileStatus(above).getPermission())
                    .isEqualTo(first.getFileStatus(above).getPermission());
            assertThat(client.getFileStatus(above).getPath()).hasToString(CLUSTER + above.toString());
            assertThat(client.getFileLinkStatus(above).getPath()).hasToString(CLUSTER + above.toString());
            assertThat(client.getAclStatus(above)).isEqualTo(first.getAclStatus(above));
            assertThat(client.mkdir(above, FsPermission.getDirDefault())).isTrue();
            assertThat(client.getTrashRoot(above))
                    .isEqualTo(files.makeQualified(
                            new Path(first.getHomeDirectory().toUri().getPath(), ".Trash")));
            assertThat(client.getDefaultBlockSize(above)).isEqualTo(first.getDefaultBlockSize(above));

            assertThat(describeAttributes(first, ROOT)).isEqualTo(root);
        }
    }

    /** The text of each refusal names the directory for which the NameNode refused. */
    @Test
    void refusalsOnParentOfEntryNameDirectory() throws IOException {
        Path above = new Path(directory).getParent();
        try (DistributedFileSystem client = clientAfterHandover()) {
            List<ClientAction> deeds = List.of(
                    one -> client.allowSnapshot(above),
                    one -> client.createSnapshot(above, "theirs"),
                    one -> client.getSnapshotDiffReport(above, "a", "b"),
                    one -> client.provisionSnapshotTrash(above, FsPermission.getDirDefault()),
                    one -> client.recoverLease(above),
                    one -> client.isFileClosed(above),
                    one -> client.createFile(above).overwrite(true).build(),
                    one -> client.appendFile(above).build(),
                    one -> client.append(above, EnumSet.of(CreateFlag.APPEND), 4096, null));
            for (int i = 0; i < deeds.size(); i++) {
                ClientAction deed = deeds.get(i);
                assertThatThrownBy(() -> deed.perform(client)).as("deed %s", i).hasMessageContaining(above.toString());
            }
        }
    }

    @Test
    void listingOfParentIncludesContentsAndEntry() throws IOException {
        Path above = new Path(directory).getParent();
        Path elsewhere = new Path("/elsewhere" + tables);
        try (DistributedFileSystem client = clientAfterHandover();
                FSDataOutputStream open = first.create(new Path(above, "open"));
                FSDataOutputStream outside = first.create(new Path(elsewhere, "open"))) {
            write(first, new Path(above, "mine"));
            write(second, pathOf("file"));
            write(first, new Path(elsewhere, "other"));
            open.hflush();
            outside.hflush();
            assertThat(paths(client.listStatusIterator(above)))
                    .containsExactlyInAnyOrder(
                            CLUSTER + directory,
                            CLUSTER + above.toString() + "/mine",
                            CLUSTER + above.toString() + "/open");
            assertThat(paths(client.listStatusIterator(ROOT))).contains(CLUSTER + above.toString());
            assertThat(paths(FileContext.getFileContext(CLUSTER, conf).listStatus(above)))
                    .contains(CLUSTER + directory);
            RemoteIterator<OpenFileEntry> found =
                    client.listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), above.toString());
            assertThat(found.next().getFilePath()).isEqualTo(above + "/open");
            assertThat(found.hasNext()).isFalse();
            open.close();

            Path copy = new Path("/copy" + tables);
            assertThat(FileUtil.copy(client, above, client, copy, false, conf)).isTrue();
            assertThatThrownBy(() -> client.delete(above, true)).isInstanceOf(AccessControlException.class);

            assertThat(first.exists(new Path(copy, "logs/file"))).isTrue();
            assertThat(first.exists(new Path(copy, "mine"))).isTrue();
            assertThat(first.exists(new Path(elsewhere, "other"))).isTrue();
            assertThat(first.exists(new Path(copy, elsewhere.getName()))).isFalse();
        }
    }

    /** The owner of the entry around it has a sealed, empty directory there. */
    @Test
    void listingsAndSummariesIncludeNestedEntries() throws IOException {
        Path inner = pathOf("deep");
        try (DistributedFileSystem client = clientAfterHandover();
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            // Two nameservices are enough for three levels if the first one's directory takes names again.
            store.unseal("ns1", SubtreePath.parse(directory));
            first.mkdirs(inner);
            assertThat(runTableCommand("add", inner.toString(), "ns1")).isZero();
            first.setOwner(inner, "somebody", "else");
            write(client, new Path(inner, "file"));
            write(client, pathOf("beside"));
            assertThat(first.exists(new Path(inner, "file"))).isTrue();
            assertThat(second.exists(pathOf("beside"))).isTrue();
            second.setQuota(new Path(directory), 100, HdfsConstants.QUOTA_DONT_SET);

            ContentSummary sum = client.getContentSummary(new Path(directory));
            assertThat(sum.getFileCount()).isEqualTo(2);
            assertThat(sum.getDirectoryCount()).isEqualTo(2);
            assertThat(sum.getLength())
                    .isEqualTo(first.getContentSummary(inner).getLength()
                            + second.getContentSummary(new Path(directory)).getLength());
            assertThat(sum.getSpaceConsumed()).isEqualTo(sum.getLength());
            assertThat(sum.getQuota()).isEqualTo(-1);
            ContentSummary above = client.getContentSummary(new Path(directory).getParent());
            assertThat(above.getFileCount()).isEqualTo(2);
            assertThat(above.getDirectoryCount()).isEqualTo(3);
            assertThat(client.getContentSummary(inner).getFileCount()).isEqualTo(1);
            assertThat(client.getQuotaUsage(new Path(directory)).getQuota()).isEqualTo(100);

            List<FileStatus> listed = new ArrayList<>(Arrays.asList(client.listStatus(new Path(directory))));
            RemoteIterator<FileStatus> one = client.listStatusIterator(new Path(directory));
            while (one.hasNext()) {
                listed.add(one.next());
            }
            RemoteIterator<LocatedFileStatus> located = client.listLocatedStatus(new Path(directory));
            while (located.hasNext()) {
                listed.add(located.next());
            }
            assertThat(listed)
                    .hasSize(6)
                    .filteredOn(FileStatus::isDirectory)
                    .hasSize(3)
                    .allSatisfy(entry -> {
                        assertThat(entry.getOwner()).isEqualTo("somebody");
                        assertThat(entry.getPath()).hasToString(CLUSTER + inner.toString());
                    });
        }
    }

    /** Others delete what jobs have listed. */
    @Test
    void locatedListingOfParentUsesOneTableVersion() throws IOException {
        Path above = new Path(directory).getParent();
        try (DistributedFileSystem client = clientAfterHandover()) {
            write(first, new Path(above, "mine"));
            write(first, new Path(above, "other"));
            RemoteIterator<LocatedFileStatus> all = client.listLocatedStatus(above);
            RemoteIterator<LocatedFileStatus> others = ((SubtreeFileSystem) client)
                    .listLocatedStatus(above, path -> path.getName().equals("other"));
            RemoteIterator<LocatedFileStatus> allFiles = client.listFiles(above, true);
            assertThat(first.delete(new Path(above, "mine"), false)).isTrue();

            List<String> found = new ArrayList<>();
            while (all.hasNext()) {
                LocatedFileStatus one = all.next();
                found.add(one.getPath().toString());
                assertThat(one.isFile() ? one.getBlockLocations().length : 1).isEqualTo(1);
            }
            assertThat(found)
                    .containsExactlyInAnyOrder(
                            CLUSTER + directory,
                            CLUSTER + above.toString() + "/mine",
                            CLUSTER + above.toString() + "/other");
            assertThat(others.next().getPath()).hasToString(CLUSTER + above.toString() + "/other");
            assertThat(others.hasNext()).isFalse();
            assertThat(allFiles.next().getPath().getName()).isEqualTo("mine");
            assertThat(allFiles.next().getPath().getName()).isEqualTo("other");
            assertThat(allFiles.hasNext()).isFalse();
            write(second, pathOf("one"));
            write(second, pathOf("two"));
            others = ((SubtreeFileSystem) client)
                    .listLocatedStatus(
                            new Path(directory), path -> path.equals(new Path(CLUSTER + directory + "/two")));
            assertThat(others.next().getPath()).hasToString(CLUSTER + directory + "/two");
            assertThat(others.hasNext()).isFalse();
        }
    }

    private static List<String> paths(RemoteIterator<FileStatus> listing) throws IOException {
        List<String> paths = new ArrayList<>();
        while (listing.hasNext()) {
            paths.add(listing.next().getPath().toString());
        }
        return paths;
    }

    @Test
    void refusesRenameOfPathsNamedByTable() throws IOException {
        Path above = new Path(directory).getParent();
        Path elsewhere = new Path("/elsewhere" + tables);
        first.mkdirs(elsewhere);
        second.mkdirs(new Path("/other" + tables));
        assertThat(runTableCommand("add", "/other" + tables, "ns2")).isZero();
        try (DistributedFileSystem client = clientAfterHandover()) {
            assertThatThrownBy(() -> client.rename(above, new Path("/new" + tables), Options.Rename.NONE))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("is not renamed");
            assertThatThrownBy(() ->
                            client.rename(new Path(directory), new Path("/other" + tables + "/a"), Options.Rename.NONE))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("is not renamed");
            assertThatThrownBy(() -> client.rename(elsewhere, above, Options.Rename.OVERWRITE))
                    .hasMessageContaining(above.toString());

            assertThat(second.exists(new Path(directory))).isTrue();
            assertThat(first.exists(above)).isTrue();
            assertThat(first.exists(elsewhere)).isTrue();
        }
    }

    /** As after a restore: the owner of the root has no directory of that name, and the seal in it is gone. */
    @Test
    void parentImpliedByEntryIsListedAndCreatable() throws IOException {
        Path above = new Path(directory).getParent();
        try (DistributedFileSystem client = clientAfterHandover();
                HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            store.unseal("ns1", SubtreePath.parse(directory));
            assertThat(first.delete(above, true)).isTrue();
            String root = describeAttributes(first, ROOT);

            assertThat(client.getFileStatus(above).isDirectory()).isTrue();
            assertThat(client.getAclStatus(above).getEntries()).isNotNull();
            client.access(above, FsAction.READ);
            assertThat(paths(client.listStatusIterator(above))).containsExactly(CLUSTER + directory);
            assertThatThrownBy(() -> client.setQuota(above, 1000, HdfsConstants.QUOTA_DONT_SET))
                    .isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> client.setXAttr(above, "user.one", new byte[0]))
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(describeAttributes(first, ROOT)).isEqualTo(root);
            assertThat(client.mkdir(above, FsPermission.getDirDefault())).isTrue();
            assertThat(first.exists(above)).isTrue();
        }
    }
}
