/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Trash;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Moves of directories with trash in them, which NameNodes empty as superusers, whatever is closed. Those of the tests do not: the tests do it as
 * they would.
 */
class TrashEmptyingTest extends SubtreeMoveFixture {

    private String trash;

    /** What NameNodes do for all users, for this one. */
    private interface TrashOperation {
        void run(Trash trash) throws IOException;
    }

    @BeforeEach
    void makeTrash() throws IOException {
        trash = "/" + UserGroupInformation.getCurrentUser().getShortUserName() + "/.Trash";
        makeTree();
        first.mkdirs(pathOf(trash + "/Current/folder"));
        write(first, trash + "/Current/folder/file", "text");
    }

    private void runAsNameNode(String nameservice, TrashOperation emptying) throws IOException {
        Configuration conf = new Configuration(federation.clientConfiguration());
        conf.set(HdfsClientConfigKeys.DFS_USER_HOME_DIR_PREFIX_KEY, path.text());
        conf.setInt(CommonConfigurationKeysPublic.FS_TRASH_INTERVAL_KEY, 1440);
        try (DistributedFileSystem fileSystem = new DistributedFileSystem()) {
            fileSystem.initialize(URI.create("hdfs://" + nameservice), conf);
            emptying.run(new Trash(fileSystem, conf));
        }
    }

    /** @param trashed the file that was in the trash */
    private void assertMoved(String trashed) throws IOException {
        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(read(second, trashed)).isEqualTo("text");
        assertThat(table.inspect("ns1", path)).isEqualTo(DirectoryState.SEALED);
        assertThat(moves.store().current()).isEmpty();
    }

    private void assertMoved() throws IOException {
        assertMoved(trash + "/Current/folder/file");
    }

    /** Puts the trash aside as NameNodes do before they delete it; returns the directory. */
    private String checkpointTrash() throws IOException {
        runAsNameNode("ns1", Trash::checkpoint);
        FileStatus[] aside = first.listStatus(pathOf(trash));
        assertThat(aside).hasSize(1);
        return trash + "/" + aside[0].getPath().getName();
    }

    @Test
    void keptSourceIsDeletedAfterTrashWasEmptied() throws Exception {
        String aside = checkpointTrash();
        run(SourceCleanup.KEEP_SOURCE);
        runAsNameNode("ns1", Trash::expungeImmediately);
        assertThat(first.listStatus(pathOf(trash))).isEmpty();

        run(SourceCleanup.DELETE_SOURCE);

        assertMoved(aside + "/folder/file");
    }

    /** HDFS keeps it where it is, so nothing has changed. */
    @Test
    void keptSourceRejectsTrashCheckpoint() throws Exception {
        run(SourceCleanup.KEEP_SOURCE);
        assertThatThrownBy(() -> runAsNameNode("ns1", Trash::checkpoint)).isInstanceOf(NSQuotaExceededException.class);

        run(SourceCleanup.DELETE_SOURCE);

        assertMoved();
    }

    @Test
    void otherSuperuserChangesInTrashKeepSource() throws Exception {
        String aside = checkpointTrash();
        run(SourceCleanup.KEEP_SOURCE);
        first.delete(pathOf(aside), true);
        first.setPermission(pathOf(trash).getParent(), new FsPermission((short) 0711));
        first.delete(pathOf("/deep/empty"), false);

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("A superuser changed hdfs://ns1" + path + " although it was closed: [")
                .hasMessageContaining("- ./deep/empty")
                .hasMessageContaining("M ./" + pathOf(trash).getParent().getName())
                .hasMessageNotContaining(".Trash")
                .hasMessageContaining("]. It is kept.")
                .hasMessageContaining("hdfs://ns2" + path + " if it is wanted, delete everything in hdfs://ns1" + path);

        for (FileStatus one : first.listStatus(pathOf(""))) {
            first.delete(one.getPath(), true);
        }
        run(SourceCleanup.DELETE_SOURCE);
        assertMoved(aside + "/folder/file");
    }

    @Test
    void namesSomeOfManyChanges() throws Exception {
        for (int i = 0; i < 13; i++) {
            write(first, "/deep/file" + i, "text");
        }
        run(SourceCleanup.KEEP_SOURCE);
        for (int i = 0; i < 13; i++) {
            first.setPermission(pathOf("/deep/file" + i), new FsPermission((short) 0640));
        }

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("] and 3 more. It is kept");
    }

    @Test
    void fileWrittenInTrashKeepsSource() throws Exception {
        run(SourceCleanup.KEEP_SOURCE);
        try (OutputStream out = first.append(pathOf(trash + "/Current/folder/file"))) {
            out.write(1);
        }

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("A superuser changed");
        assertThat(first.exists(pathOf("/small"))).isTrue();
    }

    /** @param more what clients do when it is emptied */
    private void moveDuringTrashEmptying(Action more) throws IOException {
        MoveRecord record = record();
        moves.connect(record, new SingleQueryLimits(), 2, line -> {
                    if (line.startsWith("Round 1")) {
                        assertThatCode(() -> {
                                    runAsNameNode("ns2", Trash::checkpoint);
                                    more.run();
                                })
                                .doesNotThrowAnyException();
                    }
                })
                .run(SourceCleanup.DELETE_SOURCE);
    }

    @Test
    void emptiedTargetTrashFailsMoveWithAdvice() throws Exception {
        assertThatThrownBy(() -> moveDuringTrashEmptying(() -> {}))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("differs from")
                .hasMessageContaining(
                        "as NameNodes that empty a trash in it do (fs.trash.interval), repeat the command");
        runAs("alice", () -> write(first, "/new", "new"));

        run(SourceCleanup.DELETE_SOURCE);
        assertMoved();
    }

    @Test
    void trashIsEmptiedOnSchedule() throws Exception {
        assertThatThrownBy(() -> moveDuringTrashEmptying(() -> first.mkdirs(pathOf(trash + "/Current/another"))))
                .hasMessageContaining("A superuser changed hdfs://ns2" + path + ", which is closed to others")
                .hasMessageContaining("(fs.trash.interval). Repeat the command, which copies everything again");

        run(SourceCleanup.DELETE_SOURCE);
        assertMoved();
        assertThat(second.exists(pathOf(trash + "/Current/another"))).isTrue();
    }
}
