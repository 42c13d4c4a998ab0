/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Who may do what in a hashed directory. */
class HashedPermissionsTest extends HashedDirectoryFixture {
    /** A user who may write in a directory may rename, replace and delete what others have renamed. */
    @Test
    void usersMayModifyFilesRenamedByOthers() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 0777));
        hashDirectory();
        String old = nameInGroup(0, "old");
        String renamed = nameInGroup(1, "new");
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            for (String last : new String[] {nameInGroup(0, "last"), nameInGroup(1, "last")}) {
                write(alice, pathOf(old));
                assertThat(alice.rename(pathOf(old), pathOf(renamed))).isTrue();
                assertReads(bob, pathOf(renamed), old);
                assertThat(listNames(bob, new Path(directory))).containsExactly(renamed);
                assertThat(bob.rename(pathOf(renamed), pathOf(last))).isTrue();
                assertReads(alice, pathOf(last), old);
                assertThat(bob.delete(pathOf(last), false)).isTrue();
            }
        }
        assertNoLeftovers();
    }

    /** There its room would be in the way of all but its owner, or every user could delete it. */
    @Test
    void stickyDirectoryRefusesGuestFile() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 01777));
        hashDirectory();
        String old = nameInGroup(0, "old");
        String another = nameInGroup(1, "another");
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            write(alice, pathOf(old));
            for (FileSystem one : List.of(alice, files)) {
                assertThatThrownBy(() -> one.rename(pathOf(old), pathOf(another)))
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("sticky bit")
                        .hasMessageContaining("copy it and delete it");
            }
            assertThat(listNames(alice, new Path(directory))).containsExactly(old);
            assertThat(second.listStatus(new Path(HashedLayout.rootOf(directory))))
                    .isEmpty();
            assertThat(alice.rename(pathOf(old), pathOf(old + ".tmp"))).isTrue();
            assertThatThrownBy(() -> bob.rename(pathOf(old + ".tmp"), pathOf(old)))
                    .isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> bob.delete(pathOf(old + ".tmp"), false))
                    .isInstanceOf(AccessControlException.class);

            // Where only she writes there is no need for the bit.
            alice.mkdirs(pathOf("hers"));
            assertThatThrownBy(() -> bob.rename(pathOf(old + ".tmp"), pathOf("hers/" + another)))
                    .isInstanceOf(AccessControlException.class);
            assertThat(alice.rename(pathOf(old + ".tmp"), pathOf("hers/" + another)))
                    .isTrue();
            assertReads(bob, pathOf("hers/" + another), old);
            assertThatThrownBy(() -> alice.rename(pathOf("hers/" + another), pathOf(another)))
                    .hasMessageContaining("sticky bit");
            assertThat(alice.rename(pathOf("hers/" + another), pathOf(old))).isTrue();
            assertThatThrownBy(() -> bob.delete(pathOf("hers"), true)).isInstanceOf(AccessControlException.class);
            assertThat(alice.delete(pathOf("hers"), false)).isTrue();
            assertThat(alice.delete(pathOf(old), false)).isTrue();
        }
        assertNoLeftovers();
    }

    /** What is refused when a part of it is done is undone, by the one who asked for it. */
    @Test
    void refusesDirectoryRenameWithoutWritePermissionAtTarget() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 0777));
        hashDirectory();
        files.mkdirs(pathOf("closed"));
        try (FileSystem alice = clientAs("alice")) {
            for (int home = 0; home < 4; home++) {
                String old = nameInGroup(home % 2, "old");
                String renamed = "closed/" + nameInGroup(home / 2, "new");
                write(alice, pathOf(old + "/" + nameInGroup(0, "file")));
                write(alice, pathOf(old + "/" + nameInGroup(1, "file")));
                alice.mkdirs(pathOf(old + "/sub"));

                assertThatThrownBy(() -> alice.rename(pathOf(old), pathOf(renamed)))
                        .isInstanceOf(AccessControlException.class);

                assertThat(stations()).isEmpty();
                assertFilledDirectory(old);
                assertThat(listNames(files, pathOf("closed"))).isEmpty();
                assertThat(alice.delete(pathOf(old), true)).isTrue();
            }
        }
        files.delete(pathOf("closed"), false);
        assertNoLeftovers();
    }

    @Test
    void refusesDirectoryDeleteWithoutPermissionOnContents() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 0777));
        hashDirectory();
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            for (int group = 0; group < 2; group++) {
                String dir = nameInGroup(group, "dir");
                files.mkdirs(pathOf(dir));
                makeWorldWritable(dir);
                for (int file = 0; file < 2; file++) {
                    write(bob, pathOf(dir + "/" + nameInGroup(1 - group, "his") + "/" + nameInGroup(file, "file")));
                }

                assertThatThrownBy(() -> alice.delete(pathOf(dir), true)).isInstanceOf(AccessControlException.class);

                for (int file = 0; file < 2; file++) {
                    String name = nameInGroup(file, "file");
                    assertReads(alice, pathOf(dir + "/" + nameInGroup(1 - group, "his") + "/" + name), name);
                }
                assertThat(clientOfGroup(group).listStatus(new Path(layout.placePath(group, "/" + dir))))
                        .hasSize(1);
                assertThat(bob.delete(pathOf(dir), true)).isTrue();
            }
        }
        assertNoLeftovers();
    }

    /** As a program that wants this makes it, whatever the umask of the test. */
    private void makeWorldWritable(String dir) throws IOException {
        for (int group = 0; group < 2; group++) {
            clientOfGroup(group).setPermission(new Path(layout.contentsPath(group, "/" + dir)), allPermissions());
            clientOfGroup(group).setPermission(new Path(layout.placePath(group, "/" + dir)), allPermissions());
        }
    }

    /** In a directory with the sticky bit every user may begin, and only the owner may end. */
    @Test
    void refusedDirectoryDeleteLeavesOwnerAccess() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 01777));
        hashDirectory();
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            for (int group = 0; group < 2; group++) {
                String dir = nameInGroup(group, "dir");
                bob.mkdirs(pathOf(dir));
                makeWorldWritable(dir);

                assertThatThrownBy(() -> alice.delete(pathOf(dir), true)).isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> alice.delete(pathOf(dir), false)).isInstanceOf(AccessControlException.class);

                write(bob, pathOf(dir + "/file"));
                assertThat(bob.delete(pathOf(dir), true)).isTrue();
            }
        }
        assertNoLeftovers();
    }

    /** A user who may write in a directory can write down there what others complete: it must take nothing from elsewhere. */
    @Test
    void forgedGuestMarkerDoesNotExposeForeignFile() throws Exception {
        first.setPermission(new Path(directory), allPermissions());
        hashDirectory();
        Path precious = new Path("/precious" + tables);
        Path file = new Path(precious, "file");
        write(first, file);
        String bait = nameInGroup(0, "bait");
        String sign = nameInGroup(0, "sign");
        String part = HashedLayout.rootOf(directory);
        String stations = HashedLayout.renamesOf(directory);
        try (FileSystem alice = clientAs("alice");
                DistributedFileSystem ofFirst = clientAs("alice", "ns1");
                DistributedFileSystem ofSecond = clientAs("alice", "ns2")) {
            alice.mkdirs(pathOf(bait));
            String name = layout.placePath(0, "/" + bait);
            for (DistributedFileSystem one : List.of(ofFirst, ofSecond)) {
                one.mkdirs(new Path(stations + "/op1"));
                one.mkdirs(new Path(stations + "/op2"));
            }
            // It says what its old name was, and that this is to be removed.
            ofFirst.mkdirs(new Path(name + "/.trefoil-arrival-op1.0." + inodeId(precious)));
            ofFirst.rename(new Path(name + "/contents"), new Path(stations + "/op1/part"));
            assertThat(listNames(files, pathOf(bait))).isEmpty();
            assertReads(first, file, "file");

            // It says what its parts are, and that they are to be moved.
            ofFirst.mkdirs(new Path(part + "/.trefoil-moved-op2"));
            ofFirst.mkdirs(new Path(name + "/.trefoil-rename-" + digest("/" + bait) + ".op2.0."
                    + inodeId(new Path(part + "/.trefoil-moved-op2")) + "." + inodeId(new Path(part)) + "."
                    + inodeId(precious) + "." + inodeId(precious)));
            ofFirst.rename(new Path(name + "/contents"), new Path(stations + "/op2/hidden"));
            assertThatThrownBy(() -> listNames(files, pathOf(bait))).hasMessageContaining("damaged");
            assertReads(first, file, "file");

            // It says where its room is, and that this is empty.
            ofFirst.mkdirs(new Path(layout.placePath(0, "/" + sign) + "/.trefoil-held-op3"));
            ofFirst.mkdirs(new Path(
                    layout.placePath(0, "/" + sign) + "/.trefoil-guest-op3.0." + inodeId(file) + "." + digest(sign)));
            assertThatThrownBy(() -> write(files, pathOf(sign))).hasMessageContaining("damaged");
            assertReads(first, file, "file");
        }
    }

    /** Of an inode of the first nameservice, as it is written down. */
    private String inodeId(Path path) throws IOException {
        return Long.toString(first.getClient().getFileInfo(path.toString()).getFileId(), 36);
    }

    private static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }

    @Test
    void usersRenameOnlyOwnFiles() throws Exception {
        first.setPermission(new Path(directory), new FsPermission((short) 0777));
        hashDirectory();
        String old = nameInGroup(0, "old");
        String renamed = nameInGroup(1, "new");
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            for (int group = 0; group < 2; group++) {
                alice.create(pathOf(old + "/" + nameInGroup(group, "file"))).close();
            }
            assertThatThrownBy(() -> bob.rename(pathOf(old), pathOf(renamed)))
                    .isInstanceOf(AccessControlException.class);
            assertThat(listNames(bob, pathOf(old))).hasSize(2);
            assertThat(bob.exists(pathOf(renamed))).isFalse();

            assertThat(alice.rename(pathOf(old), pathOf(renamed))).isTrue();
            assertThat(listNames(bob, pathOf(renamed))).hasSize(2);
            assertThat(bob.getFileStatus(pathOf(renamed)).getOwner()).isEqualTo("alice");
            assertThat(alice.delete(pathOf(renamed), true)).isTrue();
        }
        assertNoLeftovers();
    }

    @Test
    void setPermissionAppliesInAllNameservices() throws Exception {
        hashDirectory();
        files.setPermission(new Path(directory), new FsPermission((short) 0777));
        assertThat(mode(files, new Path(directory))).isEqualTo((short) 0777);
        assertSameAccess("");
        try (FileSystem alice = clientAs("alice");
                FileSystem bob = clientAs("bob")) {
            for (int home = 0; home < 2; home++) {
                String dir = nameInGroup(home, "dir");
                alice.mkdirs(pathOf(dir));
                alice.setPermission(pathOf(dir), new FsPermission((short) 0700));
                assertThat(mode(bob, pathOf(dir))).isEqualTo((short) 0700);
                assertSameAccess(dir);
                for (int group = 0; group < 2; group++) {
                    Path file = pathOf(dir + "/" + nameInGroup(group, "file"));
                    write(alice, file);
                    assertThatThrownBy(() -> bob.open(file)).isInstanceOf(AccessControlException.class);
                }
                assertThatThrownBy(() -> bob.setPermission(pathOf(dir), allPermissions()))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> alice.setOwner(pathOf(dir), "bob", null))
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> bob.access(pathOf(dir), FsAction.READ))
                        .isInstanceOf(AccessControlException.class);
                assertSameAccess(dir);

                alice.setAcl(pathOf(dir), AclEntry.parseAclSpec(SHARED, true));
                assertSameAccess(dir);
                bob.access(pathOf(dir), FsAction.ALL);
                for (int group = 0; group < 2; group++) {
                    Path file = pathOf(dir + "/" + nameInGroup(group, "his"));
                    write(bob, file);
                    assertThat(files.getAclStatus(file).getEntries().toString()).contains("user:bob:rwx");
                    assertReads(bob, pathOf(dir + "/" + nameInGroup(group, "file")), nameInGroup(group, "file"));
                    bob.mkdirs(pathOf(dir + "/" + nameInGroup(group, "sub")));
                    assertSameAccess(dir + "/" + nameInGroup(group, "sub"));
                }
                String renamed = nameInGroup(1 - home, "renamed");
                assertThat(alice.rename(pathOf(dir), pathOf(renamed))).isTrue();
                assertThat(files.getAclStatus(pathOf(renamed)).getEntries().toString())
                        .contains("user:bob:rwx");
                assertSameAccess(renamed);
                alice.removeAclEntries(pathOf(renamed), AclEntry.parseAclSpec("user:bob,default:user:bob", false));
                alice.removeDefaultAcl(pathOf(renamed));
                assertSameAccess(renamed);
                assertThatThrownBy(() -> bob.listStatus(pathOf(renamed))).isInstanceOf(AccessControlException.class);

                files.setOwner(pathOf(renamed), "bob", "guests");
                assertThat(files.getFileStatus(pathOf(renamed)).getOwner()).isEqualTo("bob");
                files.removeAcl(pathOf(renamed));
                assertSameAccess(renamed);
                bob.setPermission(pathOf(renamed), allPermissions());
                assertSameAccess(renamed);
                assertNoMarks("/" + renamed);
            }
        }
        assertNoMarks("");
        assertThatThrownBy(() -> files.setPermission(pathOf("missing"), allPermissions()))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.getAclStatus(pathOf("missing"))).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void refusesStickyBitThatCannotProtectGuestFiles() throws IOException {
        hashDirectory();
        files.mkdirs(pathOf("dir"));
        files.setPermission(pathOf("dir"), new FsPermission((short) 01777));
        assertSameAccess("dir");
        files.setPermission(pathOf("dir"), allPermissions());
        write(files, pathOf("dir/" + nameInGroup(0, "old")));
        assertThat(files.rename(pathOf("dir/" + nameInGroup(0, "old")), pathOf("dir/" + nameInGroup(1, "new"))))
                .isTrue();
        assertThatThrownBy(() -> files.setPermission(pathOf("dir"), new FsPermission((short) 01777)))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("copy these files, delete them, and set it then");
        assertThat(mode(files, pathOf("dir"))).isEqualTo((short) 0777);
    }
}
