/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.scenario.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.client.hashed.HashedLayout;
import io.trefoil.client.hdfs.subtrees.SubtreeFileSystem;
import io.trefoil.it.cluster.FederatedClusters;
import io.trefoil.it.cluster.HaCluster;
import io.trefoil.it.cluster.HaClusterBuilder;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who may do what in a hashed directory is changed by the commands that users know, for the files of all its nameservices. */
class HashedDirectoryIT {
    private static final String TABLE = "hdfs://ns1/.trefoil/subtrees";
    private static final URI CLUSTER = URI.create("hdfs://cluster");
    private static final String FOLDER = "/warehouse/events";
    private static final HashedLayout LAYOUT = new HashedLayout(FOLDER, 2);
    private static final String DAY = nameOf(0, "/day");
    private static final FsPermission FOR_ALL = new FsPermission((short) 0777);

    private HaCluster first;
    private HaCluster second;
    private Configuration conf;
    private FileSystem files;

    private static String nameOf(int group, String prefix) {
        int number = 0;
        while (LAYOUT.homeOf(prefix + number) != group) {
            number++;
        }
        return prefix + number;
    }

    @BeforeEach
    void start() throws IOException {
        first = nameservice("ns1").dataNodes(1).create();
        second = nameservice("ns2").create();
        FederatedClusters.startOnSharedDataNodes(List.of(first, second));
        first.setProperty("fs.viewfs.mounttable.path", TABLE);
        first.setProperty("fs.hdfs.impl", SubtreeFileSystem.class.getName());
        conf = first.clientConfiguration();
        try (DistributedFileSystem owner = first.newFileSystem()) {
            owner.mkdirs(new Path(FOLDER));
        }
        first.trefoil("table", "create", "cluster", "--table", TABLE).expectSuccess();
        first.trefoil("table", "hash", FOLDER, "ns1,ns2", "--table", TABLE).expectSuccess();
        files = FileSystem.newInstance(CLUSTER, conf);
    }

    private static HaClusterBuilder nameservice(String name) {
        return FederatedClusters.lone("hashed", name).property("dfs.replication", "1");
    }

    @AfterEach
    void stop() throws IOException {
        if (files != null) {
            files.close();
        }
        second.close();
        first.close();
    }

    @Test
    void usersChangeWhoMayDoWhat() throws Exception {
        shell("-mkdir", CLUSTER + FOLDER + DAY);
        for (int group = 0; group < 2; group++) {
            create(files, "file", group);
        }
        shell("-chmod", "711", CLUSTER + FOLDER);
        shell("-chmod", "-R", "750", CLUSTER + FOLDER + DAY);
        shell("-chown", "alice:staff", CLUSTER + FOLDER + DAY);
        shell("-setfacl", "-m", "user:bob:rwx,default:user:bob:rwx", CLUSTER + FOLDER + DAY);
        shell("-setfattr", "-n", "user.kept", "-v", "a-year", CLUSTER + FOLDER + DAY);
        assertAlike("");
        assertAlike(DAY);
        try (FileSystem alice = as("alice");
                FileSystem bob = as("bob");
                FileSystem carol = as("carol")) {
            for (int group = 0; group < 2; group++) {
                create(alice, "of-alice", group);
                create(bob, "of-bob", group);
                int there = group;
                assertThatThrownBy(() -> create(carol, "of-carol", there)).isInstanceOf(AccessControlException.class);
            }

            changeNothingWithoutOne(alice);

            alice.setPermission(new Path(FOLDER + DAY), FOR_ALL);
            assertAlike(DAY);
            for (int group = 0; group < 2; group++) {
                create(carol, "of-carol", group);
            }
        }
        String renamed = nameOf(1, "/renamed");
        shell("-mv", CLUSTER + FOLDER + DAY, CLUSTER + FOLDER + renamed);
        assertAlike(renamed);
        assertThat(shell("-getfacl", CLUSTER + FOLDER + renamed))
                .contains("# owner: alice", "user:bob:rwx", "default:user:bob:rwx");
        assertThat(shell("-getfattr", "-d", CLUSTER + FOLDER + renamed)).contains("user.kept=\"a-year\"");
        assertThat(files.listStatus(new Path(FOLDER + renamed))).hasSize(8);
        first.succeeded();
        second.succeeded();
    }

    /** What it may have left half done is completed by a look, or was not done. */
    private void changeNothingWithoutOne(FileSystem alice) throws Exception {
        FsPermission before = alice.getFileStatus(new Path(FOLDER + DAY)).getPermission();
        second.nameNode(1).kill9();
        Configuration impatient = new Configuration(conf);
        impatient.setInt("dfs.client.failover.max.attempts", 1);
        impatient.setInt("dfs.client.retry.max.attempts", 1);
        try (FileSystem hasty = as("alice", impatient)) {
            assertThatThrownBy(() -> hasty.setPermission(new Path(FOLDER + DAY), FOR_ALL))
                    .isInstanceOf(IOException.class);
        }
        second.nameNode(1).start();
        FederatedClusters.awaitDataNodes(second, 1);
        alice.listStatus(new Path(FOLDER + DAY));
        assertThat(alice.getFileStatus(new Path(FOLDER + DAY)).getPermission()).isEqualTo(before);
        assertAlike(DAY);
    }

    private String shell(String... arguments) {
        return first.tool("org.apache.hadoop.fs.FsShell", arguments)
                .expectSuccess()
                .output();
    }

    private FileSystem as(String user) throws Exception {
        return as(user, conf);
    }

    private static FileSystem as(String user, Configuration conf) throws Exception {
        return UserGroupInformation.createRemoteUser(user)
                .doAs((PrivilegedExceptionAction<FileSystem>) () -> FileSystem.newInstance(CLUSTER, conf));
    }

    private static void create(FileSystem fileSystem, String prefix, int group) throws IOException {
        fileSystem
                .create(new Path(FOLDER + DAY + nameOf(group, "/" + prefix)), false)
                .close();
    }

    /** What decides in each nameservice who gets at the files. */
    private void assertAlike(String path) throws IOException {
        FileStatus seen = files.getFileStatus(new Path(FOLDER + path));
        for (int group = 0; group < 2; group++) {
            try (DistributedFileSystem nameservice =
                    List.of(first, second).get(group).newFileSystem()) {
                for (String place : List.of(LAYOUT.place(group, path), LAYOUT.contents(group, path))) {
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
