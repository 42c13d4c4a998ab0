/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.SealMark;
import io.trefoil.journal.hdfs.AllowingAuthorizer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stock NameNodes with gates, and with an authorizer that lets all users in, answer for directories that a seal or a move keeps. */
class SealedDirectoryCallsTest extends GateFixture {
    private static final EnumSet<XAttrSetFlag> CREATED = EnumSet.of(XAttrSetFlag.CREATE);
    private static final byte[] EMPTY = {};

    private ClientProtocol alice;

    @Override
    Map<String, String> settings() {
        return Map.of(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, AllowingAuthorizer.class.getName());
    }

    @BeforeEach
    void makeFolders() throws IOException {
        client(active).mkdirs("/a/b/in", WORLD_WRITABLE, true);
        client(active).mkdirs("/a/beside", WORLD_WRITABLE, true);
        alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
    }

    private void listDirectory(String directory) throws IOException {
        byte[] directories = MovedMark.encodeDirectories(new TreeSet<>(List.of(directory)));
        client(active).setXAttr("/", attribute(SealMark.directoriesAttributeName("1"), directories), CREATED);
    }

    private void seal(String directory) throws IOException {
        listDirectory(directory);
        client(active).setXAttr(directory, attribute(SealMark.NAME, EMPTY), CREATED);
    }

    private String inodeId(String path) throws IOException {
        HdfsFileStatus there = client(active).getFileInfo(path);
        return "/.reserved/.inodes/" + there.getFileId();
    }

    private static void assertRefused(Callable<?> call, String reason) {
        assertThatThrownBy(call::call).isInstanceOf(RemoteException.class).hasMessageContaining(reason);
    }

    private static Callable<?> renameOver(ClientProtocol caller, String sourcePath, String replacedPath) {
        return () -> {
            caller.rename2(sourcePath, replacedPath, Rename.OVERWRITE);
            return true;
        };
    }

    @Test
    void sealedDirectoryCannotBeRemovedByAnyPath() throws Exception {
        seal("/a/b");
        String number = inodeId("/a/b");
        String inside = inodeId("/a/b/in");
        for (ClientProtocol caller : List.of(alice, client(active))) {
            for (String path : List.of(
                    "/a/b", "/a//b/", "/.reserved/raw/a/b", "/a", number, inodeId("/a") + "/b", inside + "/..")) {
                assertRefused(() -> caller.delete(path, true), "/a/b is sealed");
                assertRefused(() -> caller.rename(path, "/trash"), "/a/b is sealed");
                assertRefused(renameOver(caller, path, "/trash"), "/a/b is sealed");
            }
        }
        for (String call : List.of(
                "DELETE /a/b?op=DELETE&recursive=true",
                "DELETE " + number + "?op=DELETE&recursive=true",
                "PUT /a?op=RENAME&destination=/trash")) {
            String[] words = call.split(" ");
            HttpURLConnection connection = connection("alice", words[0], "/webhdfs/v1" + words[1]);
            assertThat(connection.getResponseCode()).as(call).isEqualTo(403);
            assertThat(new String(connection.getErrorStream().readAllBytes(), UTF_8))
                    .as(call)
                    .contains("/a/b is sealed");
        }
        assertThat(exists(active, "/a/b/in")).isTrue();
        assertThat(alice.rename("/a/beside", "/a/b/moved")).isTrue();
        assertThat(alice.delete(inside, true)).isTrue();
    }

    @Test
    void moveMayReplaceSealedDirectory() throws Exception {
        seal("/a/b");
        client(active).delete("/a/b/in", true);
        String replacement = SealMark.replacementPath("/a/b");
        client(active).mkdirs(replacement, WORLD_WRITABLE, true);
        assertRefused(renameOver(client(active), "/a/beside", "/a/b"), "/a/b is not replaced");
        assertRefused(renameOver(alice, replacement, "/a/b"), "/a/b is not replaced");
        assertRefused(renameOver(client(active), "/a/beside", inodeId("/a/b")), "/a/b is not replaced");
        assertThat(requestWebHdfs("PUT", "/a/beside?op=RENAME&renameoptions=OVERWRITE&destination=/a/b"))
                .isEqualTo(403);
        assertThat(renameOver(client(active), replacement, "/a/b").call()).isEqualTo(true);
    }

    @Test
    void listedDirectoryWithoutSealIsRemovable() throws Exception {
        listDirectory("/a/b");
        assertThat(alice.delete("/a/b", true)).isTrue();
    }

    @Test
    void directoryIsSealedOnlyOncePendingRemovalsHaveEnded() throws Exception {
        client(active).mkdirs("/a/slow", WORLD_WRITABLE, true);
        listDirectory("/a/slow");
        String number = inodeId("/a/slow");
        slow = new CountDownLatch(1);
        Future<Boolean> removal = threads.submit(() -> alice.delete("/a/slow", true));
        reached.await();
        Future<Boolean> seal = threads.submit(() -> {
            client(active).setXAttr(number, attribute(SealMark.NAME, EMPTY), CREATED);
            return true;
        });
        while (!client(active).getXAttrs(number, null).toString().contains("sealed")) {
            assertThat(seal.isDone()).as("before the removal has ended").isFalse();
        }
        assertThat(seal.isDone()).as("while the removal is under way").isFalse();
        slow.countDown();
        assertThat(removal.get()).isTrue();
        assertThat(seal.get()).isTrue();
        assertThat(exists(active, "/a/slow")).as("whoever sealed it looks").isFalse();
    }

    @Test
    void closedDirectoryRefusesUsersDespitePermissiveAuthorizer() throws Exception {
        client(active).setPermission("/a/b", new FsPermission((short) 0));
        assertThat(alice.mkdirs("/a/b/in/by-bits-alone", WORLD_WRITABLE, true)).isTrue();
        seal("/a/b");
        String inside = inodeId("/a/b/in");
        for (Callable<?> call : List.<Callable<?>>of(
                () -> alice.mkdirs("/a/b/in/more", WORLD_WRITABLE, true),
                () -> alice.mkdirs(inside + "/more", WORLD_WRITABLE, true),
                () -> alice.delete("/a/b/in", true),
                () -> alice.rename("/a/b/in", "/a/beside"),
                () -> alice.rename("/a/beside", "/a/b/in"),
                () -> alice.getListing("/a/b", EMPTY, false),
                () -> alice.getListing(inside, EMPTY, false),
                () -> alice.getFileInfo("/a/b/in"),
                () -> {
                    alice.setPermission("/a/b", WORLD_WRITABLE);
                    return true;
                })) {
            assertRefused(call, "Permission denied: /a/b is closed");
        }
        assertThat(connection("alice", "GET", "/webhdfs/v1/a/b/in?op=LISTSTATUS")
                        .getResponseCode())
                .isEqualTo(403);
        assertThat(alice.getFileInfo("/a/b").getPermission().toShort()).isZero();
        assertThat(client(active).mkdirs("/a/b/in/more", WORLD_WRITABLE, true)).isTrue();

        client(active).setPermission("/a/b", WORLD_WRITABLE);
        assertThat(alice.getListing("/a/b/in", EMPTY, false).getPartialListing())
                .hasSize(2);
    }
}
