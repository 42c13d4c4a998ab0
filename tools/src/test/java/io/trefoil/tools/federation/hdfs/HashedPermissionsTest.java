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

    /** Of an inode of the first nameservice, as it is written down. */
    private String number(Path path) throws IOException {
        return Long.toString(first.getClient().getFileInfo(path.toString()).getFileId(), 36);
    }

    private static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
    }

    @Test
    void usersRenameOnlyOwnFiles() throws Exception {
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
}
