/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.hdfs.SubtreeMoveFixture;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.tools.hdfs.TrefoilMain;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

/** Who may do what while a subtree moves, and afterwards: owners, permissions and ACLs of what is made at the target. */
class SubtreeAccessTest extends SubtreeMoveFixture {

    @Test
    void keepsSourceChangedBySuperuserAfterItWasClosed() throws Exception {
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        assertThatThrownBy(() -> runAs("alice", () -> write(first, "/small", "stale")))
                .isInstanceOf(AccessControlException.class);
        try (FSDataOutputStream out = first.append(pathOf("/small"))) {
            out.write(bytes(" change"));
        }

        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("superuser changed");

        assertThat(read(first, "/small")).isEqualTo("small change");
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void targetParentKeepsPermissionsOfSourceParent() throws Exception {
        makeTree();
        Path above = pathOf("").getParent();
        first.setOwner(above, "alice", "staff");
        first.setAcl(above, AclEntry.parseAclSpec("user::rwx,user:bob:rwx,group::---,mask::rwx,other::---", true));

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(second.getAclStatus(above).getEntries())
                .isEqualTo(first.getAclStatus(above).getEntries())
                .contains(AclEntry.parseAclEntry("group::---", true));
        assertThat(second.getFileStatus(above).getPermission())
                .isEqualTo(first.getFileStatus(above).getPermission());
        assertThat(second.getFileStatus(above).getOwner()).isEqualTo("alice");
    }

    /** A process ended while it made it, and then another process made the directory. */
    @Test
    void removesLeftoverDraftOfExistingParent() throws Exception {
        makeTree();
        Path above = pathOf("").getParent();
        Path draft = new Path(above.getParent(), ".trefoil-move-" + above.getName());
        second.mkdirs(above);
        second.mkdirs(draft);

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(second.exists(draft)).isFalse();
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    /** HDFS gives each new directory the default ACL of the one around it. */
    @Test
    void targetFilesDoNotInheritDefaultAcl() throws Exception {
        makeTree();
        Path above = pathOf("").getParent();
        first.setAcl(
                pathOf("/deep"), AclEntry.parseAclSpec("user::rwx,user:bob:r-x,group::---,mask::r-x,other::---", true));
        List<AclEntry> wanted = first.getAclStatus(pathOf("/deep")).getEntries();
        FsPermission root = first.getFileStatus(pathOf("")).getPermission();
        second.modifyAclEntries(new Path("/"), AclEntry.parseAclSpec("default:user:eve:rwx", true));
        try {
            run(SourceCleanup.DELETE_SOURCE);

            assertThat(second.getAclStatus(above).getEntries()).isEmpty();
            assertThat(second.getAclStatus(pathOf("")).getEntries()).isEmpty();
            assertThat(second.getFileStatus(pathOf("")).getPermission()).isEqualTo(root);
            assertThat(second.getAclStatus(pathOf("/deep")).getEntries()).isEqualTo(wanted);
            assertThat(second.getFileStatus(pathOf("/small")).hasAcl()).isFalse();
        } finally {
            second.removeDefaultAcl(new Path("/"));
        }
    }

    @Test
    void refusesMoveByNonSuperuser() throws Exception {
        makeTree();
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        for (String command : List.of("move", "status", "abort")) {
            List<String> words = new ArrayList<>(List.of("subtree", command, "--table", describeLocations()));
            if (command.equals("move")) {
                words.addAll(List.of(path.text(), "--to", "ns2"));
            }
            PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
            int code = callAsAlice(
                    () -> TrefoilMain.run(federation.clientConfiguration(), out, out, words.toArray(String[]::new)));
            assertThat(code).as(command + ": " + said).isNotZero();
        }
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("Wanted a superuser of hdfs://ns1, found alice; nothing was changed");
        assertThat(second.exists(pathOf("").getParent())).isFalse();
        assertThat(first.exists(new Path(table.tableDirectory() + "/moves"))).isFalse();
        assertThat(table.history()).hasSize(1);
    }
}
