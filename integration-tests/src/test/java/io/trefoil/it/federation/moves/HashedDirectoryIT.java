/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.client.hashed.HashedLayout;
import io.trefoil.it.cluster.FederatedClusters;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may do what in a hashed directory is changed by the commands that users know, for the files of all its nameservices. */
@Tag("long")
class HashedDirectoryIT {
    private static final String DIRECTORY = HashedFederation.DIRECTORY;
    private static final String ALL = HashedFederation.CLUSTER + DIRECTORY;
    private static final HashedLayout LAYOUT = new HashedLayout(DIRECTORY, 2);
    private static final String DAY = nameInGroup(0, "/day");
    private static final FsPermission WORLD_WRITABLE = new FsPermission((short) 0777);

    private HashedFederation federation;
    private FileSystem files;

    private static String nameInGroup(int group, String prefix) {
        int number = 0;
        while (LAYOUT.homeOf(prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    @BeforeEach
    void start() throws IOException {
        federation = new HashedFederation("hashed", new FsPermission((short) 0755));
        files = federation.client();
    }

    @AfterEach
    void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        if (federation != null) {
            federation.close();
        }
    }

    @Test
    void usersChangeAccessRights() throws Exception {
        runShell("-mkdir", ALL + DAY);
        for (int group = 0; group < 2; group++) {
            create(files, "file", group);
        }
        runShell("-chmod", "711", ALL);
        runShell("-chmod", "-R", "750", ALL + DAY);
        runShell("-chown", "alice:staff", ALL + DAY);
        runShell("-setfacl", "-m", "user:bob:rwx,default:user:bob:rwx", ALL + DAY);
        runShell("-setfattr", "-n", "user.kept", "-v", "a-year", ALL + DAY);
        assertSameAccess("");
        assertSameAccess(DAY);
        try (FileSystem alice = federation.clientOf("alice");
                FileSystem bob = federation.clientOf("bob");
                FileSystem carol = federation.clientOf("carol")) {
            for (int group = 0; group < 2; group++) {
                create(alice, "of-alice", group);
                create(bob, "of-bob", group);
                int there = group;
                assertThatThrownBy(() -> create(carol, "of-carol", there)).isInstanceOf(AccessControlException.class);
            }

            assertChangesFailWithoutOneNameservice(alice);

            alice.setPermission(new Path(DIRECTORY + DAY), WORLD_WRITABLE);
            assertSameAccess(DAY);
            for (int group = 0; group < 2; group++) {
                create(carol, "of-carol", group);
            }
        }
        String renamed = nameInGroup(1, "/renamed");
        runShell("-mv", ALL + DAY, ALL + renamed);
        assertSameAccess(renamed);
        assertThat(runShell("-getfacl", ALL + renamed))
                .contains("# owner: alice", "user:bob:rwx", "default:user:bob:rwx");
        assertThat(runShell("-getfattr", "-d", ALL + renamed)).contains("user.kept=\"a-year\"");
        assertThat(files.listStatus(new Path(DIRECTORY + renamed))).hasSize(8);
        federation.markSucceeded();
    }

    /** What it may have left half done is completed by a look, or was not done. */
    private void assertChangesFailWithoutOneNameservice(FileSystem alice) throws Exception {
        FsPermission before = alice.getFileStatus(new Path(DIRECTORY + DAY)).getPermission();
        federation.second().nameNode(1).kill9();
        try (FileSystem hasty = federation.impatientClientOf("alice")) {
            assertThatThrownBy(() -> hasty.setPermission(new Path(DIRECTORY + DAY), WORLD_WRITABLE))
                    .isInstanceOf(IOException.class);
        }
        federation.second().nameNode(1).start();
        FederatedClusters.awaitDataNodes(federation.second(), 1);
        alice.listStatus(new Path(DIRECTORY + DAY));
        assertThat(alice.getFileStatus(new Path(DIRECTORY + DAY)).getPermission())
                .isEqualTo(before);
        assertSameAccess(DAY);
    }

    private String runShell(String... arguments) {
        return federation
                .first()
                .tool("org.apache.hadoop.fs.FsShell", arguments)
                .expectSuccess()
                .output();
    }

    private static void create(FileSystem fileSystem, String prefix, int group) throws IOException {
        fileSystem
                .create(new Path(DIRECTORY + DAY + nameInGroup(group, "/" + prefix)), false)
                .close();
    }

    /** What decides in each nameservice who gets at the files. */
    private void assertSameAccess(String path) throws IOException {
        FileStatus seen = files.getFileStatus(new Path(DIRECTORY + path));
        for (int group = 0; group < 2; group++) {
            try (DistributedFileSystem nameservice =
                    federation.both().get(group).newFileSystem()) {
                for (String place : List.of(LAYOUT.placePath(group, path), LAYOUT.contentsPath(group, path))) {
                    FileStatus part = nameservice.getFileStatus(new Path(place));
                    assertThat(part.getOwner()).as(place).isEqualTo(seen.getOwner());
                    assertThat(part.getGroup()).as(place).isEqualTo(seen.getGroup());
                    assertThat(part.getPermission()).as(place).isEqualTo(seen.getPermission());
                    assertThat(nameservice.getAclStatus(new Path(place)).getEntries())
                            .as(place)
                            .isEqualTo(files.getAclStatus(seen.getPath()).getEntries());
                }
            }
        }
    }
}
