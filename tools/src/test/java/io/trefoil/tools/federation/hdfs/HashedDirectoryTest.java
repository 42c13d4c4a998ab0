/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.federation.client.hdfs.hashed.HashedFileSystem;
import io.trefoil.federation.hdfs.DyingProxyProvider;
import io.trefoil.federation.hdfs.HdfsTableStore;
import io.trefoil.federation.hdfs.StockFederation;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;
import org.apache.hadoop.fs.GlobalStorageStatistics;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageStatistics;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.ViewDistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory that is hashed over stock NameNodes, with clients that end in the middle of everything. */
class HashedDirectoryTest {

    private static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final String READ_ONLY = "user::r-x,group::r-x,other::r-x";
    private static final String SHARED =
            "user::rwx,user:bob:rwx,group::r-x,mask::rwx,other::---,default:user::rwx,default:user:bob:rwx,"
                    + "default:group::r-x,default:mask::rwx,default:other::---";

    @TempDir
    private static java.nio.file.Path directory;

    private static StockFederation federation;
    private static int tables;

    private Configuration conf;
    private DistributedFileSystem first;
    private DistributedFileSystem second;
    private FileSystem files;
    private HashedLayout layout;

    /** Of each test its own. */
    private String folder;

    private boolean isKept;
    private int snapshots;

    @BeforeAll
    static void start() throws IOException {
        federation = StockFederation.start(directory);
    }

    @AfterAll
    static void stop() {
        federation.close();
    }

    @BeforeEach
    void open() throws IOException {
        tables++;
        folder = "/hashed" + tables + "/events";
        layout = new HashedLayout(folder, 2);
        conf = federation.clientOfTable("hdfs://ns1/.trefoil/hashing" + tables);
        first = federation.fileSystem("ns1");
        second = federation.fileSystem("ns2");
        first.mkdirs(new Path(folder));
        first.setPermission(new Path(folder), new FsPermission((short) 0750));
        assertThat(table("create", "cluster")).isZero();
    }

    @AfterEach
    void close() throws IOException {
        if (files != null) {
            files.close();
        }
        first.close();
        second.close();
    }

    private int table(String... arguments) {
        return table(new ByteArrayOutputStream(), arguments);
    }

    private int table(ByteArrayOutputStream output, String... arguments) {
        List<String> all = new ArrayList<>(List.of("table"));
        all.addAll(Arrays.asList(arguments));
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        return TrefoilMain.run(conf, out, out, all.toArray(new String[0]));
    }

    private void hash() throws IOException {
        assertThat(table("hash", folder, "ns1,ns2")).isZero();
        files = FileSystem.newInstance(CLUSTER, conf);
    }

    private Path in(String name) {
        return new Path(folder, name);
    }

    private static void write(FileSystem fileSystem, Path path) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(path)) {
            out.writeUTF(path.getName());
        }
    }

    private static void assertReads(FileSystem fileSystem, Path path, String text) throws IOException {
        try (FSDataInputStream in = fileSystem.open(path)) {
            assertThat(in.readUTF()).isEqualTo(text);
        }
    }

    private List<String> names(FileSystem fileSystem, Path path) throws IOException {
        List<String> names = new ArrayList<>();
        for (FileStatus one : fileSystem.listStatus(path)) {
            assertThat(one.getPath().getParent()).isEqualTo(fileSystem.makeQualified(path));
            names.add(one.getPath().getName());
        }
        RemoteIterator<FileStatus> each = fileSystem.listStatusIterator(path);
        for (String one : names) {
            assertThat(each.next().getPath()).isEqualTo(new Path(fileSystem.makeQualified(path), one));
        }
        return names;
    }

    /** A name that goes to a group. */
    private String nameOf(int group, String prefix) {
        int number = 0;
        while (layout.homeOf("/" + prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    @Test
    void hashCreatesPartsInEachNameservice() throws IOException {
        hash();

        for (DistributedFileSystem one : List.of(first, second)) {
            FileStatus part = one.getFileStatus(new Path(HashedLayout.rootOf(folder)));
            assertThat(part.getPermission().toShort()).isEqualTo((short) 0750);
        }
        assertThat(SubtreePath.parse(folder).part()).hasToString(HashedLayout.rootOf(folder));
        assertThat(SubtreePath.parse(folder).renames()).hasToString(HashedLayout.renamesOf(folder));
        assertThat(files.getFileStatus(new Path(folder)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertThat(table("hash", folder + "/in", "ns1,ns2")).isEqualTo(1);
        assertThat(table("add", "/hashed" + tables, "ns2")).isEqualTo(1);
        assertThat(table("remove", folder)).isEqualTo(1);
    }

    @Test
    void filesAreSpreadAndSeenOnce() throws IOException {
        hash();
        TreeSet<String> wanted = new TreeSet<>();
        for (int i = 0; i < 20; i++) {
            write(files, in("day/file" + i));
            wanted.add("file" + i);
        }

        assertThat(names(files, in("day"))).containsExactlyElementsOf(wanted);
        assertThat(names(files, new Path(folder))).containsExactly("day");
        for (String one : wanted) {
            assertReads(files, in("day/" + one), one);
        }
        for (int group = 0; group < 2; group++) {
            DistributedFileSystem one = group == 0 ? first : second;
            assertThat(one.getContentSummary(new Path(layout.contents(group, "/day")))
                            .getFileCount())
                    .isBetween(4L, 16L);
        }
        assertThat(files.getContentSummary(new Path(folder)).getFileCount()).isEqualTo(20);
        assertThat(files.getContentSummary(new Path(folder)).getDirectoryCount())
                .isEqualTo(2);
        RemoteIterator<LocatedFileStatus> located = files.listFiles(new Path(folder), true);
        assertThat(located.next().getBlockLocations()).hasSize(1);
    }

    @Test
    void nameDenotesOneFileOrDirectory() throws IOException {
        hash();
        for (int group = 0; group < 2; group++) {
            String name = nameOf(group, "one");
            write(files, in(name));
            assertThatThrownBy(() -> files.mkdirs(in(name))).isInstanceOf(FileAlreadyExistsException.class);
            assertThatThrownBy(() -> files.mkdirs(in(name + "/below"))).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(in(name + "/below"), false)).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> files.create(in(name), false)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files.delete(in(name), false)).isTrue();
            assertThat(files.delete(in(name), false)).isFalse();
            assertThat(files.mkdirs(in(name))).isTrue();
            assertThat(files.mkdirs(in(name))).isTrue();
            assertThatThrownBy(() -> files.create(in(name), true)).isInstanceOf(FileAlreadyExistsException.class);
            assertThat(files.getFileStatus(in(name)).isDirectory()).isTrue();
        }
        assertThatThrownBy(() -> files.open(in("missing"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.listStatus(in("missing"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.mkdirs(in(".trefoil-mine"))).hasMessageContaining("do not begin");
    }

    /** HDFS tells users below a file that access is denied, unless they create something. */
    @Test
    void refusesCreationAndLookupBelowFileForAnyUser() throws Exception {
        first.setPermission(new Path(folder), everything());
        hash();
        try (FileSystem alice = as("alice")) {
            assertNothingIsBelowFiles(alice);
            assertNothingIsBelowFiles(files);
        }
        assertNothingIsLeft();
    }

    private void assertNothingIsBelowFiles(FileSystem user) throws IOException {
        Path inHdfs = new Path("/tmp" + tables + "/file");
        write(first, inHdfs);
        for (int group = 0; group < 2; group++) {
            Path file = in(nameOf(group, "file"));
            write(user, file);
            assertThat(user.listStatus(file)).hasSize(1);
            for (int home = 0; home < 2; home++) {
                Path below = new Path(file, nameOf(home, "below"));
                Path deeper = new Path(below, nameOf(home, "deeper"));
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
                    assertThat(user.rename(one, in("new"))).isFalse();
                    assertThatThrownBy(() -> user.rename(file, one)).isInstanceOf(ParentNotDirectoryException.class);
                }
                assertThatThrownBy(() -> user.createNonRecursive(below, true, 4096, (short) 1, 1 << 20, null))
                        .isInstanceOf(ParentNotDirectoryException.class);
            }
            assertThat(user.delete(file, false)).isTrue();
        }
    }

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

    private void assertNothingIsLeft() throws IOException {
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(one.listStatus(new Path(HashedLayout.rootOf(folder)))).isEmpty();
            assertThat(one.listStatus(new Path(HashedLayout.renamesOf(folder)))).isEmpty();
        }
    }

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

    /** Whoever may write in a directory may rename, replace and delete what others have renamed. */
    @Test
    void usersShareFilesThatWereRenamed() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 0777));
        hash();
        String old = nameOf(0, "old");
        String renamed = nameOf(1, "new");
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            for (String last : new String[] {nameOf(0, "last"), nameOf(1, "last")}) {
                write(alice, in(old));
                assertThat(alice.rename(in(old), in(renamed))).isTrue();
                assertReads(bob, in(renamed), old);
                assertThat(names(bob, new Path(folder))).containsExactly(renamed);
                assertThat(bob.rename(in(renamed), in(last))).isTrue();
                assertReads(alice, in(last), old);
                assertThat(bob.delete(in(last), false)).isTrue();
            }
        }
        assertNothingIsLeft();
    }

    /** There its room would be in the way of all but its owner, or everybody could delete it. */
    @Test
    void stickyDirectoryRefusesGuestFile() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 01777));
        hash();
        String old = nameOf(0, "old");
        String another = nameOf(1, "another");
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            write(alice, in(old));
            for (FileSystem one : List.of(alice, files)) {
                assertThatThrownBy(() -> one.rename(in(old), in(another)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("sticky bit")
                        .hasMessageContaining("copy it and delete it");
            }
            assertThat(names(alice, new Path(folder))).containsExactly(old);
            assertThat(second.listStatus(new Path(HashedLayout.rootOf(folder)))).isEmpty();
            assertThat(alice.rename(in(old), in(old + ".tmp"))).isTrue();
            assertThatThrownBy(() -> bob.rename(in(old + ".tmp"), in(old))).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> bob.delete(in(old + ".tmp"), false)).isInstanceOf(AccessControlException.class);

            // Where only she writes there is no need for the bit.
            alice.mkdirs(in("hers"));
            assertThatThrownBy(() -> bob.rename(in(old + ".tmp"), in("hers/" + another)))
                    .isInstanceOf(AccessControlException.class);
            assertThat(alice.rename(in(old + ".tmp"), in("hers/" + another))).isTrue();
            assertReads(bob, in("hers/" + another), old);
            assertThatThrownBy(() -> alice.rename(in("hers/" + another), in(another)))
                    .hasMessageContaining("sticky bit");
            assertThat(alice.rename(in("hers/" + another), in(old))).isTrue();
            assertThatThrownBy(() -> bob.delete(in("hers"), true)).isInstanceOf(AccessControlException.class);
            assertThat(alice.delete(in("hers"), false)).isTrue();
            assertThat(alice.delete(in(old), false)).isTrue();
        }
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

    /** What is refused when a part of it is done is undone, by the one who asked for it. */
    @Test
    void refusesDirectoryRenameWithoutWritePermissionAtTarget() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 0777));
        hash();
        files.mkdirs(in("closed"));
        try (FileSystem alice = as("alice")) {
            for (int home = 0; home < 4; home++) {
                String old = nameOf(home % 2, "old");
                String renamed = "closed/" + nameOf(home / 2, "new");
                write(alice, in(old + "/" + nameOf(0, "file")));
                write(alice, in(old + "/" + nameOf(1, "file")));
                alice.mkdirs(in(old + "/sub"));

                assertThatThrownBy(() -> alice.rename(in(old), in(renamed))).isInstanceOf(AccessControlException.class);

                assertThat(stations()).isEmpty();
                assertFull(old);
                assertThat(names(files, in("closed"))).isEmpty();
                assertThat(alice.delete(in(old), true)).isTrue();
            }
        }
        files.delete(in("closed"), false);
        assertNothingIsLeft();
    }

    private List<FileStatus> stations() throws IOException {
        List<FileStatus> stations = new ArrayList<>();
        for (DistributedFileSystem one : List.of(first, second)) {
            stations.addAll(Arrays.asList(one.listStatus(new Path(HashedLayout.renamesOf(folder)))));
        }
        return stations;
    }

    @Test
    void refusesDirectoryDeleteWithoutPermissionOnContents() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 0777));
        hash();
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            for (int group = 0; group < 2; group++) {
                String dir = nameOf(group, "dir");
                files.mkdirs(in(dir));
                openToAll(dir);
                for (int file = 0; file < 2; file++) {
                    write(bob, in(dir + "/" + nameOf(1 - group, "his") + "/" + nameOf(file, "file")));
                }

                assertThatThrownBy(() -> alice.delete(in(dir), true)).isInstanceOf(AccessControlException.class);

                for (int file = 0; file < 2; file++) {
                    String name = nameOf(file, "file");
                    assertReads(alice, in(dir + "/" + nameOf(1 - group, "his") + "/" + name), name);
                }
                assertThat(one(group).listStatus(new Path(layout.place(group, "/" + dir))))
                        .hasSize(1);
                assertThat(bob.delete(in(dir), true)).isTrue();
            }
        }
        assertNothingIsLeft();
    }

    /** As a program that wants this makes it, whatever the umask of the test. */
    private void openToAll(String dir) throws IOException {
        for (int group = 0; group < 2; group++) {
            one(group).setPermission(new Path(layout.contents(group, "/" + dir)), everything());
            one(group).setPermission(new Path(layout.place(group, "/" + dir)), everything());
        }
    }

    private static FsPermission everything() {
        return new FsPermission((short) 0777);
    }

    private DistributedFileSystem one(int group) {
        return group == 0 ? first : second;
    }

    /** In a directory with the sticky bit everybody may begin, and only the owner may end. */
    @Test
    void refusedDirectoryDeleteLeavesOwnerAccess() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 01777));
        hash();
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            for (int group = 0; group < 2; group++) {
                String dir = nameOf(group, "dir");
                bob.mkdirs(in(dir));
                openToAll(dir);

                assertThatThrownBy(() -> alice.delete(in(dir), true)).isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> alice.delete(in(dir), false)).isInstanceOf(AccessControlException.class);

                write(bob, in(dir + "/file"));
                assertThat(bob.delete(in(dir), true)).isTrue();
            }
        }
        assertNothingIsLeft();
    }

    /** Whoever may write in a directory can write down there what others complete: it must take nothing from elsewhere. */
    @Test
    void forgedGuestSignExposesNoForeignFile() throws Exception {
        first.setPermission(new Path(folder), everything());
        hash();
        Path precious = new Path("/precious" + tables);
        Path file = new Path(precious, "file");
        write(first, file);
        String bait = nameOf(0, "bait");
        String sign = nameOf(0, "sign");
        String part = HashedLayout.rootOf(folder);
        String stations = HashedLayout.renamesOf(folder);
        try (FileSystem alice = as("alice");
                DistributedFileSystem ofFirst = as("alice", "ns1");
                DistributedFileSystem ofSecond = as("alice", "ns2")) {
            alice.mkdirs(in(bait));
            String name = layout.place(0, "/" + bait);
            for (DistributedFileSystem one : List.of(ofFirst, ofSecond)) {
                one.mkdirs(new Path(stations + "/op1"));
                one.mkdirs(new Path(stations + "/op2"));
            }
            // It says what its old name was, and that this is to be removed.
            ofFirst.mkdirs(new Path(name + "/.trefoil-arrival-op1.0." + number(precious)));
            ofFirst.rename(new Path(name + "/contents"), new Path(stations + "/op1/part"));
            assertThat(names(files, in(bait))).isEmpty();
            assertReads(first, file, "file");

            // It says what its parts are, and that they are to be moved.
            ofFirst.mkdirs(new Path(part + "/.trefoil-moved-op2"));
            ofFirst.mkdirs(new Path(name + "/.trefoil-rename-" + digest("/" + bait) + ".op2.0."
                    + number(new Path(part + "/.trefoil-moved-op2")) + "." + number(new Path(part)) + "."
                    + number(precious) + "." + number(precious)));
            ofFirst.rename(new Path(name + "/contents"), new Path(stations + "/op2/hidden"));
            assertThatThrownBy(() -> names(files, in(bait))).hasMessageContaining("damaged");
            assertReads(first, file, "file");

            // It says where its room is, and that this is empty.
            ofFirst.mkdirs(new Path(layout.place(0, "/" + sign) + "/.trefoil-held-op3"));
            ofFirst.mkdirs(new Path(
                    layout.place(0, "/" + sign) + "/.trefoil-guest-op3.0." + number(file) + "." + digest(sign)));
            assertThatThrownBy(() -> write(files, in(sign))).hasMessageContaining("damaged");
            assertReads(first, file, "file");
        }
    }

    private static DistributedFileSystem as(String user, String nameservice) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<DistributedFileSystem>) () -> federation.fileSystem(nameservice));
    }

    /** Of an inode of the first nameservice, as it is written down. */
    private String number(Path path) throws IOException {
        return Long.toString(first.getClient().getFileInfo(path.toString()).getFileId(), 36);
    }

    private static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
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

    @Test
    void operationRefusedByQuotaLeavesNothing() throws IOException {
        // A quota of one name may be that of a seal, so each refusal is looked into for as long.
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        hash();
        Path part = new Path(HashedLayout.rootOf(folder));
        for (int group = 0; group < 2; group++) {
            for (int room = 1; room < 3; room++) {
                one(group).setQuota(part, room, HdfsConstants.QUOTA_DONT_SET);
                for (int home = 0; home < 2; home++) {
                    Path dir = in(nameOf(home, "dir"));
                    if (home == group || room == 1) {
                        assertThatThrownBy(() -> files.mkdirs(dir)).isInstanceOf(NSQuotaExceededException.class);
                    }
                }
                assertNothingIsLeft();
            }
            one(group).setQuota(part, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
        }
    }

    /** With a file in each nameservice, and a directory. */
    private void fill(String path) throws IOException {
        write(files, in(path + "/" + nameOf(0, "file")));
        write(files, in(path + "/" + nameOf(1, "file")));
        files.mkdirs(in(path + "/sub"));
    }

    private void assertFull(String path) throws IOException {
        List<String> wanted = List.of(nameOf(0, "file"), nameOf(1, "file"));
        for (String name : wanted) {
            assertReads(files, in(path + "/" + name), name);
        }
        assertThat(names(files, in(path))).containsAll(wanted).contains("sub").hasSize(3);
        assertThat(names(files, in(path + "/sub"))).isEmpty();
    }

    /** As those of HDFS, of which each page is of one moment: jobs list what others rename and delete meanwhile. */
    @Test
    void openListingWithBlocksSurvivesRenameAndDelete() throws IOException {
        hash();
        for (int group = 0; group < 2; group++) {
            String deleted = nameOf(group, "deleted");
            String old = nameOf(group, "old");
            String home = nameOf(1 - group, "home");
            String guest = nameOf(group, "guest");
            Path dir = in("dir");
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
            assertThat(files.rename(dir, in("renamed"))).isTrue();
            assertListed(again, dir, guest, "new", "sub");
            assertThat(files.delete(in("renamed"), true)).isTrue();
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
        hash();
        for (int group = 0; group < 2; group++) {
            Path file = in(nameOf(group, "file"));
            Path guest = in(nameOf(1 - group, "guest"));
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

    private FileSystem as(String user) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    @Test
    void usersRenameWhatIsTheirsAndNothingElse() throws Exception {
        first.setPermission(new Path(folder), new FsPermission((short) 0777));
        hash();
        String old = nameOf(0, "old");
        String renamed = nameOf(1, "new");
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            for (int group = 0; group < 2; group++) {
                alice.create(in(old + "/" + nameOf(group, "file"))).close();
            }
            assertThatThrownBy(() -> bob.rename(in(old), in(renamed))).isInstanceOf(AccessControlException.class);
            assertThat(names(bob, in(old))).hasSize(2);
            assertThat(bob.exists(in(renamed))).isFalse();

            assertThat(alice.rename(in(old), in(renamed))).isTrue();
            assertThat(names(bob, in(renamed))).hasSize(2);
            assertThat(bob.getFileStatus(in(renamed)).getOwner()).isEqualTo("alice");
            assertThat(alice.delete(in(renamed), true)).isTrue();
        }
        assertNothingIsLeft();
    }

    @Test
    void refusesDirectoryRenameWithoutRenamesFolder() throws IOException {
        hash();
        fill("dir");
        second.delete(new Path(HashedLayout.renamesOf(folder)), true);

        assertThatThrownBy(() -> files.rename(in("dir"), in("new"))).hasMessageContaining("with mode 1733");
        assertFull("dir");
        second.mkdirs(new Path(HashedLayout.renamesOf(folder)));
        assertThat(files.rename(in("dir"), in("new"))).isTrue();
        assertFull("new");
    }

    @Test
    void supportsFileOperationsAndRefusesWholeDirectoryOperations() throws IOException {
        hash();
        write(files, in("dir/file"));
        try (FSDataOutputStream out = files.append(in("dir/file"))) {
            out.writeUTF("more");
        }
        files.setPermission(in("dir/file"), new FsPermission((short) 0600));
        assertThat(files.setReplication(in("dir/file"), (short) 1)).isTrue();
        assertThat(files.getFileStatus(in("dir/file")).getPermission().toShort())
                .isEqualTo((short) 0600);
        assertThat(files.getFileChecksum(in("dir/file"))).isNotNull();
        assertThatThrownBy(() -> files.setPermission(in("dir"), new FsPermission((short) 0577)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the owner of a directory must be allowed to write and to enter it");
        assertThatThrownBy(() -> files.setAcl(in("dir"), AclEntry.parseAclSpec(READ_ONLY, true)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("the owner of a directory must be allowed to write and to enter it");
        assertThatThrownBy(() -> files.setXAttr(in("dir"), "trusted.name", new byte[0]))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("only attributes that begin with user.");
        assertThatThrownBy(() -> files.setStoragePolicy(in("dir"), "COLD"))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("In a hashed directory no storage policy can be set");
        assertThatThrownBy(() -> files.createSnapshot(new Path(folder)))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> files.delete(new Path(folder), true)).isInstanceOf(IOException.class);
    }

    /** What decides in each nameservice who gets at the files. */
    private void assertAlike(String dir) throws IOException {
        FileStatus seen = files.getFileStatus(dir.isEmpty() ? new Path(folder) : in(dir));
        AclStatus acl = files.getAclStatus(seen.getPath());
        String path = dir.isEmpty() ? "" : "/" + dir;
        for (int group = 0; group < 2; group++) {
            for (String place : List.of(layout.place(group, path), layout.contents(group, path))) {
                FileStatus part = one(group).getFileStatus(new Path(place));
                assertThat(part.getOwner()).as(place).isEqualTo(seen.getOwner());
                assertThat(part.getGroup()).as(place).isEqualTo(seen.getGroup());
                assertThat(part.getPermission()).as(place).isEqualTo(seen.getPermission());
                assertThat(one(group).getAclStatus(new Path(place)).getEntries())
                        .as(place)
                        .isEqualTo(acl.getEntries());
            }
        }
    }

    private void assertNoMarks(String path) throws IOException {
        for (int group = 0; group < 2; group++) {
            for (FileStatus one : one(group).listStatus(new Path(layout.contents(group, path)))) {
                assertThat(HashedLayout.isReserved(one.getPath().getName())).isFalse();
            }
        }
    }

    private static short mode(FileSystem fileSystem, Path path) throws IOException {
        return fileSystem.getFileStatus(path).getPermission().toShort();
    }

    @Test
    void setPermissionAppliesInAllNameservices() throws Exception {
        hash();
        files.setPermission(new Path(folder), new FsPermission((short) 0777));
        assertThat(mode(files, new Path(folder))).isEqualTo((short) 0777);
        assertAlike("");
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob")) {
            for (int home = 0; home < 2; home++) {
                String dir = nameOf(home, "dir");
                alice.mkdirs(in(dir));
                alice.setPermission(in(dir), new FsPermission((short) 0700));
                assertThat(mode(bob, in(dir))).isEqualTo((short) 0700);
                assertAlike(dir);
                for (int group = 0; group < 2; group++) {
                    Path file = in(dir + "/" + nameOf(group, "file"));
                    write(alice, file);
                    assertThatThrownBy(() -> bob.open(file)).isInstanceOf(AccessControlException.class);
                }
                assertThatThrownBy(() -> bob.setPermission(in(dir), everything()))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> alice.setOwner(in(dir), "bob", null))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> bob.access(in(dir), FsAction.READ)).isInstanceOf(AccessControlException.class);
                assertAlike(dir);

                alice.setAcl(in(dir), AclEntry.parseAclSpec(SHARED, true));
                assertAlike(dir);
                bob.access(in(dir), FsAction.ALL);
                for (int group = 0; group < 2; group++) {
                    Path file = in(dir + "/" + nameOf(group, "his"));
                    write(bob, file);
                    assertThat(files.getAclStatus(file).getEntries().toString()).contains("user:bob:rwx");
                    assertReads(bob, in(dir + "/" + nameOf(group, "file")), nameOf(group, "file"));
                    bob.mkdirs(in(dir + "/" + nameOf(group, "sub")));
                    assertAlike(dir + "/" + nameOf(group, "sub"));
                }
                String renamed = nameOf(1 - home, "renamed");
                assertThat(alice.rename(in(dir), in(renamed))).isTrue();
                assertThat(files.getAclStatus(in(renamed)).getEntries().toString())
                        .contains("user:bob:rwx");
                assertAlike(renamed);
                alice.removeAclEntries(in(renamed), AclEntry.parseAclSpec("user:bob,default:user:bob", false));
                alice.removeDefaultAcl(in(renamed));
                assertAlike(renamed);
                assertThatThrownBy(() -> bob.listStatus(in(renamed))).isInstanceOf(AccessControlException.class);

                files.setOwner(in(renamed), "bob", "guests");
                assertThat(files.getFileStatus(in(renamed)).getOwner()).isEqualTo("bob");
                files.removeAcl(in(renamed));
                assertAlike(renamed);
                bob.setPermission(in(renamed), everything());
                assertAlike(renamed);
                assertNoMarks("/" + renamed);
            }
        }
        assertNoMarks("");
        assertThatThrownBy(() -> files.setPermission(in("missing"), everything()))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.getAclStatus(in("missing"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void timesAndXattrsFollowName() throws IOException {
        hash();
        for (int home = 0; home < 2; home++) {
            String dir = nameOf(home, "dir");
            String renamed = nameOf(1 - home, "renamed");
            for (String one : List.of("", dir, dir + "/file")) {
                Path path = one.isEmpty() ? new Path(folder) : in(one);
                if (one.endsWith("file")) {
                    write(files, path);
                }
                files.mkdirs(in(dir));
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
            assertThat(files.rename(in(dir), in(renamed))).isTrue();
            assertThat(files.getXAttr(in(renamed), "user.name")).containsExactly(1, 2);
            files.removeXAttr(in(renamed), "user.name");
            assertThat(files.listXAttrs(in(renamed))).containsExactly("user.empty");
            assertThat(files.listXAttrs(in(renamed + "/file"))).hasSize(2);
            assertThat(files.delete(in(renamed), true)).isTrue();
        }
        assertNothingIsLeft();
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

    /** Who only lists must not be made to give it to another one. */
    @Test
    void foreignDirectoryInPlaceOfPartStaysUnchanged() throws IOException {
        hash();
        files.setPermission(new Path(folder), everything());
        String dir = nameOf(0, "dir");
        files.mkdirs(in(dir));
        files.setPermission(in(dir), everything());
        Path place = new Path(layout.place(1, "/" + dir));
        assertThat(second.rename(place, new Path(place.getParent(), ".trefoil-new-aside")))
                .isTrue();
        second.mkdirs(place, new FsPermission((short) 0700));
        first.mkdirs(new Path(layout.contents(0, "/" + dir), ".trefoil-change-mine"));

        assertThat(names(files, in(dir))).isEmpty();

        assertThat(mode(second, place)).isEqualTo((short) 0700);
        second.mkdirs(new Path(place, ".trefoil-change-mine"));
        assertThat(names(files, in(dir))).isEmpty();
        assertThat(mode(second, place)).isEqualTo((short) 0777);
    }

    @Test
    void marksAreTakenAwayWhenTheirMakersHaveEnded() throws IOException {
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

    @Test
    void refusesStickyBitThatCannotProtectGuestFiles() throws IOException {
        hash();
        files.mkdirs(in("dir"));
        files.setPermission(in("dir"), new FsPermission((short) 01777));
        assertAlike("dir");
        files.setPermission(in("dir"), everything());
        write(files, in("dir/" + nameOf(0, "old")));
        assertThat(files.rename(in("dir/" + nameOf(0, "old")), in("dir/" + nameOf(1, "new"))))
                .isTrue();
        assertThatThrownBy(() -> files.setPermission(in("dir"), new FsPermission((short) 01777)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("copy these files, delete them, and set it then");
        assertThat(mode(files, in("dir"))).isEqualTo((short) 0777);
    }

    @Test
    void fileContextBehavesLikeFileSystem() throws IOException {
        hash();
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        context.mkdir(in("dir"), FsPermission.getDirDefault(), false);
        assertThatThrownBy(() -> context.mkdir(in("no/dir"), FsPermission.getDirDefault(), false))
                .isInstanceOf(IOException.class);
        try (FSDataOutputStream out =
                context.create(in("dir/sub/file"), EnumSet.of(CreateFlag.CREATE), Options.CreateOpts.createParent())) {
            out.writeUTF("text");
        }
        try (FSDataOutputStream out = context.create(in("dir/file"), EnumSet.of(CreateFlag.CREATE))) {
            out.writeUTF("text");
        }
        assertThat(names(files, in("dir"))).containsExactly("file", "sub");
        assertReads(files, in("dir/sub/file"), "text");
        context.setPermission(in("dir"), new FsPermission((short) 0711));
        context.setAcl(in("dir/sub"), AclEntry.parseAclSpec(SHARED, true));
        assertThat(context.getAclStatus(in("dir/sub")).getEntries()).isNotEmpty();
        assertAlike("dir");
        assertAlike("dir/sub");
        context.rename(in("dir/file"), in("file"));
        assertThat(context.util().exists(in("file"))).isTrue();
    }

    @Test
    void staleClientsFollowHashingAndStockClientsAreRefused() throws IOException {
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf);
                ViewDistributedFileSystem stock = new ViewDistributedFileSystem()) {
            assertThat(stale.exists(new Path(folder))).isTrue();
            hash();

            write(stale, in("by-stale"));
            stock.initialize(CLUSTER, new Configuration(conf));
            assertThatThrownBy(() -> write(stock, in("by-stock"))).isInstanceOf(NSQuotaExceededException.class);
            write(stock, new Path("/stock" + tables));
            assertThat(names(files, new Path(folder))).containsExactly("by-stale");
            assertThat(files.exists(new Path("/stock" + tables))).isTrue();
        }
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
    void filesAreCreatedOrAppendedToWhenFlagsSaySo() throws IOException {
        hash();
        EnumSet<CreateFlag> either = EnumSet.of(CreateFlag.CREATE, CreateFlag.APPEND);
        FileContext context = FileContext.getFileContext(CLUSTER, conf);
        for (int group = 0; group < 2; group++) {
            Path file = in(nameOf(group, "either"));
            for (int i = 1; i <= 2; i++) {
                try (FSDataOutputStream out = context.create(file, either)) {
                    out.write(i);
                }
                assertThat(files.getFileStatus(file).getLen()).isEqualTo(i);
            }
        }
        assertThatThrownBy(() -> context.create(in("absent"), EnumSet.of(CreateFlag.APPEND)))
                .isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void recoversLeaseOfDeadWriter() throws Exception {
        hash();
        DistributedFileSystem hdfs = (DistributedFileSystem) files;
        for (int group = 0; group < 2; group++) {
            Path file = in(nameOf(group, "open"));
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
    void capabilitiesAreThoseOfHashedDirectories() throws IOException {
        hash();
        write(files, in("file"));
        for (String one : List.of(
                CommonPathCapabilities.FS_APPEND,
                CommonPathCapabilities.FS_TRUNCATE,
                CommonPathCapabilities.LEASE_RECOVERABLE,
                CommonPathCapabilities.FS_ACLS)) {
            assertThat(files.hasPathCapability(in("file"), one)).as(one).isTrue();
        }
        for (String one : List.of(CommonPathCapabilities.FS_CONCAT, CommonPathCapabilities.FS_SNAPSHOTS)) {
            assertThat(files.hasPathCapability(in("file"), one)).as(one).isFalse();
        }
        assertThatThrownBy(() -> files.concat(in("file"), new Path[] {in("file")}))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("files are not joined");
    }

    @Test
    void buildersCreateFilesInTheirNameservice() throws IOException {
        hash();
        DistributedFileSystem hdfs = (DistributedFileSystem) files;
        for (int group = 0; group < 2; group++) {
            String name = nameOf(group, "built");
            Path file = in("day" + group + "/" + name);
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
            assertThat(owner.exists(new Path(layout.place(group, "/day" + group + "/" + name))))
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
            assertThatThrownBy(() -> hdfs.appendFile(in("missing")).build()).isInstanceOf(FileNotFoundException.class);
            try (FSDataOutputStream out = hdfs.createFile(file).overwrite(true).build()) {
                out.write(3);
            }
            assertThat(files.getFileStatus(file).getLen()).isEqualTo(1);
            files.delete(file.getParent(), true);
        }
        assertNothingIsLeft();
    }

    @Test
    void createPassesFlagsAndChecksumsToNameservice() throws IOException {
        hash();
        Options.ChecksumOpt sums = new Options.ChecksumOpt(DataChecksum.Type.CRC32, 1024);
        EnumSet<CreateFlag> flags = EnumSet.of(CreateFlag.CREATE);
        Path beside = new Path("/beside" + tables);
        for (Path file : List.of(in("file"), beside)) {
            files.create(file, FsPermission.getFileDefault(), flags, 4096, (short) 1, 1 << 20, null, sums)
                    .close();
            try (FSDataOutputStream out = files.append(file)) {
                out.write(1);
            }
            assertThatThrownBy(() -> files.create(
                            in("missing"),
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
        assertThat(files.getFileLinkStatus(in("file"))).isEqualTo(files.getFileStatus(in("file")));
        assertThat(files.getFileLinkStatus(beside).getPath()).isEqualTo(files.makeQualified(beside));
        assertThat(files.getEnclosingRoot(in("day/file"))).isEqualTo(files.makeQualified(new Path(folder)));
        assertThat(files.getEnclosingRoot(beside)).isEqualTo(files.makeQualified(new Path("/")));
    }

    @Test
    void refusesRemovalOfPartsAndTableThroughFederation() throws IOException {
        hash();
        write(files, in("file"));
        for (String one : List.of("/.trefoil", HashedLayout.rootOf(folder), "/.trefoil/hashing" + tables)) {
            Path path = new Path(one);
            assertThatThrownBy(() -> files.delete(path, true)).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> files.rename(path, new Path("/away" + tables)))
                    .isInstanceOf(AccessControlException.class)
                    .hasMessageContaining("name the nameservice");
        }
        assertReads(files, in("file"), "file");
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

    /** What HDFS's client has that is not one of a hashed directory. */
    private static final Set<String> REFUSED = Set.of(
            "allowSnapshot",
            "concat",
            "createEncryptionZone",
            "createMultipartUploader",
            "createSnapshot",
            "createSymlink",
            "deleteSnapshot",
            "disallowSnapshot",
            "getLinkTarget",
            "getSnapshotDiffReport",
            "getSnapshotDiffReportListing",
            "getSnapshotListing",
            "listCorruptFileBlocks",
            "provisionEZTrash",
            "provisionSnapshotTrash",
            "reencryptEncryptionZone",
            "renameSnapshot",
            "satisfyStoragePolicy",
            "setErasureCodingPolicy",
            "setQuota",
            "setQuotaByStorageType",
            "setStoragePolicy",
            "snapshotDiffReportListingRemoteIterator",
            "unsetErasureCodingPolicy",
            "unsetStoragePolicy");

    /** Each method of HDFS's client with a path is called: it is done, or the refusal says why, and nothing else happens. */
    @Test
    void eachMethodWorksOrIsRefusedInHashedDirectory() throws Exception {
        hash();
        Set<String> refused = new TreeSet<>();
        List<String> astray = new ArrayList<>();
        int number = 0;
        for (Method method : DistributedFileSystem.class.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            boolean isOfPath = Arrays.stream(types).anyMatch(type -> type == Path.class || type == Path[].class);
            boolean isOfLocal = method.getName().contains("Local");
            if (!isOfPath || isOfLocal || Modifier.isStatic(method.getModifiers()) || method.isBridge()) {
                continue;
            }
            number++;
            Path file = in("walk" + number + "/file");
            write(files, file);
            if (!method.getName().equals("setXAttr")) {
                files.setXAttr(file, "user.one", new byte[] {1});
            }
            Object[] arguments = new Object[types.length];
            for (int i = 0; i < types.length; i++) {
                boolean isSecond = Arrays.asList(types).subList(0, i).contains(Path.class)
                        || method.getName().startsWith("mkdir");
                arguments[i] = argument(method.getName(), types[i], isSecond ? in("walk" + number + "/other") : file);
            }
            String name = method.getName() + Arrays.toString(types);
            try {
                method.invoke(files, arguments);
            } catch (InvocationTargetException e) {
                Throwable cause = e.getCause();
                if (cause instanceof UnsupportedOperationException) {
                    refused.add(method.getName());
                    if (!cause.getMessage().contains("a hashed directory")) {
                        astray.add(name + ": " + cause);
                    }
                } else {
                    astray.add(
                            name + ": " + cause.toString().lines().findFirst().orElse(""));
                }
            }
        }

        assertThat(astray).isEmpty();
        assertThat(refused).containsExactlyInAnyOrderElementsOf(REFUSED);
    }

    private static Object argument(String method, Class<?> type, Path path) {
        if (type == Path.class) {
            return path;
        }
        if (type == Path[].class) {
            return new Path[] {path};
        }
        if (type == boolean.class) {
            return true;
        }
        if (type == int.class) {
            return 4096;
        }
        if (type == long.class) {
            return method.equals("truncate") ? 1L : 1L << 20;
        }
        if (type == short.class) {
            return (short) 1;
        }
        if (type == String.class) {
            return "user.one";
        }
        if (type == byte[].class) {
            return new byte[] {1};
        }
        if (type == EnumSet.class) {
            return method.equals("append")
                    ? EnumSet.of(CreateFlag.APPEND)
                    : method.equals("setXAttr")
                            ? EnumSet.of(XAttrSetFlag.CREATE)
                            : EnumSet.of(CreateFlag.CREATE, CreateFlag.OVERWRITE);
        }
        if (type == FsPermission.class) {
            return FsPermission.getDirDefault();
        }
        if (type == FsAction.class) {
            return FsAction.READ;
        }
        if (type == PathFilter.class) {
            return (PathFilter) one -> true;
        }
        if (type == List.class) {
            return method.equals("getXAttrs")
                    ? List.of("user.one")
                    : AclEntry.parseAclSpec(
                            (method.equals("setAcl") ? READ_ONLY + "," : "") + "user:bob:r--,mask::r--", true);
        }
        if (type == StorageType.class) {
            return StorageType.DISK;
        }
        if (type == Options.Rename[].class) {
            return new Options.Rename[] {Options.Rename.NONE};
        }
        return null;
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
    void snapshotsOfWhatIsAboveChangeNothing() throws Exception {
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

    /** As when the directory is given up or hashed again, or when the command that does it has ended in the middle. */
    @Test
    void writerWaitsWhilePartIsSealed() throws Exception {
        hash();
        SubtreePath part = SubtreePath.parse(folder).part();
        ExecutorService other = Executors.newSingleThreadExecutor();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                String nameservice = "ns" + (group + 1);
                Path file = in(nameOf(group, "file"));
                store.seal(nameservice, part);

                long looks = looks();
                Future<Void> written = other.submit(() -> {
                    write(files, file);
                    return null;
                });
                await().until(() -> looks() > looks + 1 || written.isDone());
                assertThat(written).isNotDone();
                store.unseal(nameservice, part);
                written.get();
                assertThat(files.delete(file, false)).isTrue();
            }
        } finally {
            other.shutdown();
        }
    }

    /** How often this process has looked for a newer table. */
    private static long looks() {
        StorageStatistics statistics = GlobalStorageStatistics.INSTANCE.get("TrefoilSubtrees");
        return statistics == null ? 0 : statistics.getLong("checks");
    }

    @Test
    void writerFailsWhenPartStaysSealed() throws IOException {
        conf.set("trefoil.client.failover.timeout.cluster", "1s");
        hash();
        SubtreePath part = SubtreePath.parse(folder).part();
        try (HdfsTableStore store = new HdfsTableStore(conf, conf.get("fs.viewfs.mounttable.path"))) {
            for (int group = 0; group < 2; group++) {
                store.seal("ns" + (group + 1), part);
                Path name = in(nameOf(group, "name"));
                assertThatThrownBy(() -> write(files, name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> files.mkdirs(name)).isInstanceOf(NSQuotaExceededException.class);
                assertThatThrownBy(() -> write(files, new Path(name, "file")))
                        .isInstanceOf(NSQuotaExceededException.class);
                store.unseal("ns" + (group + 1), part);
            }
        }
        assertNothingIsLeft();
    }

    /** Also where parts have snapshots: those of a seal, or of an operator. */
    @Test
    void nothingIsCalledAsHdfsCallsSnapshots() throws IOException {
        hash();
        Path part = new Path(HashedLayout.rootOf(folder));
        for (int group = 0; group < 2; group++) {
            assertHasNoSnapshots();
            one(group).allowSnapshot(part);
            one(group).createSnapshot(part, "trefoil-sealed");
            assertHasNoSnapshots();
        }
        for (int group = 0; group < 2; group++) {
            one(group).deleteSnapshot(part, "trefoil-sealed");
            one(group).disallowSnapshot(part);
        }
        assertNothingIsLeft();
    }

    private void assertHasNoSnapshots() throws IOException {
        write(files, in("file"));
        for (String one : List.of(".snapshot", ".snapshot/trefoil-sealed", ".snapshot/trefoil-sealed/file")) {
            assertThat(files.exists(in(one))).isFalse();
            assertThatThrownBy(() -> files.listStatus(in(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.open(in(one))).isInstanceOf(FileNotFoundException.class);
            assertThatThrownBy(() -> files.mkdirs(in(one))).hasMessageContaining("has no snapshots");
            assertThatThrownBy(() -> files.create(in(one))).hasMessageContaining("has no snapshots");
            assertThat(files.delete(in(one), true)).isFalse();
            assertThat(files.rename(in(one), in("new"))).isFalse();
            assertThat(files.rename(in("file"), in(one))).isFalse();
        }
        assertThat(files.delete(in("file"), false)).isTrue();
    }

    @Test
    void unhashReturnsEmptyDirectoryToOwnerAndClientsFollow() throws IOException {
        hash();
        write(files, in("file"));
        assertThat(table("unhash", folder)).isEqualTo(1);
        assertReads(files, in("file"), "file");
        files.delete(in("file"), false);

        assertThat(table("unhash", folder, "--dry-run")).isZero();
        try (FileSystem stale = FileSystem.newInstance(CLUSTER, conf)) {
            assertThat(table("unhash", folder)).isZero();
            stale.setPermission(new Path(folder), new FsPermission((short) 0751));
            assertThat(mode(first, new Path(folder))).isEqualTo((short) 0751);
        }
        first.setPermission(new Path(folder), new FsPermission((short) 0750));
        write(files, in("by-stale"));
        assertThat(first.exists(in("by-stale"))).isTrue();
        assertThat(first.getFileStatus(new Path(folder)).getPermission().toShort())
                .isEqualTo((short) 0750);
        assertNothingIsLeft();

        first.delete(in("by-stale"), false);
        assertThat(table("hash", folder, "ns2,ns1")).isEqualTo(1);
        assertThat(table("hash", folder, "ns1,ns2")).isZero();
        write(files, in("hashed-again"));
        assertThat(first.exists(in("hashed-again"))).isFalse();
        assertThat(names(files, new Path(folder))).containsExactly("hashed-again");
    }

    /** All but the copying itself, which needs MapReduce. */
    @Test
    void copyCommandsForHashedDirectoryReturnItToOwner() throws Exception {
        hash();
        files.mkdirs(in("day"));
        for (int group = 0; group < 2; group++) {
            write(files, in("day/" + nameOf(group, "file")));
            write(files, in(nameOf(group, "old")));
            assertThat(files.rename(in(nameOf(group, "old")), in("day/" + nameOf(1 - group, "new"))))
                    .isTrue();
        }
        FSDataOutputStream open = files.create(in("open"));
        ByteArrayOutputStream output = new ByteArrayOutputStream();

        assertThat(table(output, "unhash", folder)).isEqualTo(1);

        // Who may write above it would make another folder as soon as there is none.
        first.setPermission(new Path(folder).getParent(), new FsPermission((short) 0777));
        boolean isClosed = false;
        for (String line : output.toString(StandardCharsets.UTF_8).lines().toList()) {
            if (line.startsWith("When you have looked at it")) {
                isClosed = false;
            }
            if (isClosed) {
                assertClosed();
            }
            if (line.contains("-update")) {
                open.writeUTF("open");
                open.close();
            }
            if (line.startsWith("  ")) {
                type(line.trim().split(" "));
            }
            isClosed |= line.contains("-chmod 000 hdfs://ns2");
        }
        assertThat(names(first, new Path(folder))).containsExactly("day", "open");
        assertThat(names(first, in("day")))
                .containsExactlyInAnyOrder(nameOf(0, "file"), nameOf(1, "file"), nameOf(0, "new"), nameOf(1, "new"));
        assertReads(files, in("open"), "open");
        assertReads(files, in("day/" + nameOf(0, "new")), nameOf(1, "old"));
        write(files, in("later"));
        assertThat(first.exists(in("later"))).isTrue();
        for (DistributedFileSystem one : List.of(first, second)) {
            assertThat(names(one, new Path(HashedLayout.rootOf(folder)).getParent()))
                    .containsExactly("events");
            assertThat(names(one, new Path(HashedLayout.rootOf(folder)))).isEmpty();
        }
    }

    private void assertClosed() throws Exception {
        UserGroupInformation.createUserForTesting("alice", new String[] {"staff"})
                .doAs((PrivilegedExceptionAction<Void>) () -> {
                    try (FileSystem others = FileSystem.newInstance(CLUSTER, conf)) {
                        assertThatThrownBy(() -> others.create(in("more"), false))
                                .isInstanceOf(IOException.class);
                        assertThatThrownBy(() -> others.mkdirs(in("more"))).isInstanceOf(IOException.class);
                    }
                    return null;
                });
    }

    private void type(String... words) throws Exception {
        String[] arguments = Arrays.copyOfRange(words, 2, words.length);
        String command = words[0] + " " + words[1];
        if (command.equals("hadoop distcp")) {
            Path copy = new Path(words[words.length - 1]);
            first.delete(copy, true);
            assertThat(FileUtil.copy(files, new Path(words[words.length - 2]), first, copy, false, conf))
                    .isTrue();
            return;
        }
        PrintStream standardError = System.err;
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
        int exitCode;
        try {
            exitCode = command.equals("hdfs trefoil")
                    ? table(Arrays.copyOfRange(arguments, 1, arguments.length))
                    : ToolRunner.run(command.equals("hdfs dfs") ? new FsShell(conf) : new DFSAdmin(conf), arguments);
        } finally {
            System.setErr(standardError);
        }
        assertThat(exitCode)
                .as("%s: %s", String.join(" ", words), said.toString(StandardCharsets.UTF_8))
                .isZero();
    }

    @Test
    void hashedSchemeIsReservedForTables() {
        assertThatThrownBy(() -> FileSystem.newInstance(URI.create(HashedFileSystem.SCHEME + "://cluster"), conf))
                .isInstanceOf(IOException.class);
    }
}
