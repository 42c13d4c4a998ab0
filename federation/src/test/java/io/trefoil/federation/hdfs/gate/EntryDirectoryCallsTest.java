/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.MovedMark;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What stock NameNodes with gates answer to those who would delete or rename the directory of an entry. */
class EntryDirectoryCallsTest extends GateFixture {
    private static final String LIST = EntryMark.directoriesAttributeName("1");

    private ClientProtocol alice;

    @BeforeEach
    void makeAliceOwner() throws IOException {
        client(active).setPermission("/", WORLD_WRITABLE);
        client(active).setPermission("/a", WORLD_WRITABLE);
        client(active).mkdirs("/a/b/in", WORLD_WRITABLE, true);
        client(active).mkdirs("/a/beside", WORLD_WRITABLE, true);
        for (String directory : List.of("/a", "/a/b", "/a/b/in", "/a/beside")) {
            client(active).setOwner(directory, "alice", "users");
        }
        alice = clientAs(active, UserGroupInformation.createRemoteUser("alice"));
    }

    private void listEntries(String... directories) throws IOException {
        client(active)
                .setXAttr(
                        "/",
                        attribute(LIST, MovedMark.encodeDirectories(new TreeSet<>(List.of(directories)))),
                        EnumSet.of(XAttrSetFlag.CREATE));
    }

    @Test
    void refusesToRemoveOrRenameDirectoryOfEntry() throws Exception {
        listEntries("/a/b");
        for (ClientProtocol caller : List.of(alice, client(active))) {
            for (Callable<?> call : List.<Callable<?>>of(
                    () -> caller.delete("/a/b", true),
                    () -> caller.delete("/a//b/", true),
                    () -> caller.delete("/.reserved/raw/a/b", true),
                    () -> caller.delete("/a", true),
                    () -> caller.rename("/a/b", "/trash"),
                    () -> caller.rename("/a", "/trash"),
                    () -> {
                        caller.rename2("/a/b", "/trash", Rename.OVERWRITE);
                        return true;
                    })) {
                assertThatThrownBy(call::call)
                        .isInstanceOf(RemoteException.class)
                        .hasMessageContaining("/a/b is an entry of the table of subtrees with this nameservice");
            }
        }
        assertThat(exists(active, "/a/b/in")).isTrue();
    }

    @Test
    void allowsChangesInsideAndNextToEntry() throws Exception {
        listEntries("/a/b");
        assertThat(alice.rename("/a/beside", "/a/b/moved")).isTrue();
        assertThat(alice.rename("/a/b/moved", "/a/beside")).isTrue();
        assertThat(alice.delete("/a/b/in", true)).isTrue();
        assertThat(alice.delete("/a/beside", true)).isTrue();
        assertThat(alice.delete("/a/absent", true)).isFalse();
    }

    @Test
    void formerEntryDirectoryMayBeRemoved() throws Exception {
        listEntries("/a/b");
        assertThatThrownBy(() -> alice.delete("/a/b", true)).hasMessageContaining("is an entry");
        client(active).removeXAttr("/", attribute(LIST, null));
        assertThat(alice.delete("/a/b", true)).isTrue();
    }

    /** There the table of subtrees is, and what is in hashed directories. */
    @Test
    void refusesSuperuserToDeleteOrRenameFederationDirectories() throws Exception {
        ClientProtocol superuser = client(active);
        superuser.mkdirs("/.trefoil/hashed/logs", WORLD_WRITABLE, true);
        for (Callable<?> call : List.<Callable<?>>of(
                () -> superuser.delete("/.trefoil", true),
                () -> superuser.delete("/.trefoil/hashed", true),
                () -> superuser.delete("/.reserved/raw/.trefoil//", true),
                () -> superuser.rename("/.trefoil", "/user/root/.Trash/Current/.trefoil"))) {
            assertThatThrownBy(call::call)
                    .isInstanceOf(RemoteException.class)
                    .hasMessageContaining("neither deleted nor renamed, as the table of subtrees");
        }
        assertThat(superuser.rename("/.trefoil/hashed/logs", "/.trefoil/hashed/logs.old"))
                .isTrue();
        assertThat(superuser.delete("/.trefoil/hashed/logs.old", true)).isTrue();
        assertThat(exists(active, "/.trefoil/hashed")).isTrue();
    }

    @Test
    void refusesWebClientsLikeOthers() throws Exception {
        listEntries("/a/b");
        for (String call : List.of(
                "DELETE /a/b?op=DELETE&recursive=true",
                "DELETE /a?recursive=true&OP=delete",
                "PUT /a/b?op=RENAME&destination=/trash",
                "PUT /a/%62?o%70=RENAME&renameoptions=OVERWRITE&destination=/trash")) {
            String[] words = call.split(" ");
            HttpURLConnection connection = connection("alice", words[0], "/webhdfs/v1" + words[1]);
            assertThat(connection.getResponseCode()).as(call).isEqualTo(403);
            assertThat(new String(connection.getErrorStream().readAllBytes(), UTF_8))
                    .as(call)
                    .contains("/a/b is an entry of the table of subtrees");
        }
        assertThat(exists(active, "/a/b/in")).isTrue();
        for (String call : List.of(
                "PUT /a/b?op=SETPERMISSION&permission=755",
                "PUT /a/beside?op=RENAME&destination=/a/b/moved",
                "DELETE /a/b/in?op=DELETE&recursive=true")) {
            String[] words = call.split(" ");
            assertThat(connection("alice", words[0], "/webhdfs/v1" + words[1]).getResponseCode())
                    .as(call)
                    .isEqualTo(200);
        }
        assertThat(exists(active, "/a/b/in")).isFalse();
    }
}
