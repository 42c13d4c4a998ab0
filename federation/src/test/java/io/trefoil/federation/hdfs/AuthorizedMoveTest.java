/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMove.SourceCleanup;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.journal.hdfs.AllowingAuthorizer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Moves between NameNodes with an authorizer that lets everybody do everything, whatever the bits of files and folders are. */
class AuthorizedMoveTest extends SubtreeMoveFixture {

    private final List<String> refusals = new ArrayList<>();

    @BeforeAll
    static void restartWithAuthorizer() throws IOException {
        federation.close();
        federation = StockFederation.start(
                directory.resolve("authorized"),
                1,
                Map.of(DFSConfigKeys.DFS_NAMENODE_INODE_ATTRIBUTES_PROVIDER_KEY, AllowingAuthorizer.class.getName()));
    }

    @Test
    void moveIsRefusedWhenNameNodesHaveNoGates() throws Exception {
        makeTree();
        federation.gate("ns1");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("NameNode nn1 of ns2 has dfs.namenode.inode.attributes.provider.class ")
                .hasMessageContaining("set trefoil.federation.gate at all NameNodes of ns2");
        federation.ungate();
        federation.gate("ns2");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("NameNode nn1 of ns1 has");
        assertThat(second.exists(in(""))).isFalse();
        assertThat(read(first, "/small")).isEqualTo("small");
    }

    /** Its folder would be closed by its bits alone, for clients whom the authorizer lets in. */
    @Test
    void moveEndsWhenNameNodeHasLostItsGate() throws Exception {
        gateBoth();
        makeTree();
        assertThatThrownBy(() -> moves.connect(record(), new Limits(), 2, line -> {
                            if (line.startsWith("Round")) {
                                federation.hideSetting("ns1");
                            }
                        })
                        .run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("NameNode nn1 of ns1 has dfs.namenode.inode.attributes.provider.class ");
        as("mallory", () -> append("/small"));
        moves.connect(record(), new Limits(), 2, progress::add).abort();
        assertThat(read(first, "/small")).isEqualTo("small change");
    }

    @Test
    void refusesMoveWhenAuthorizerPresentsOtherPermissions() throws Exception {
        gateBoth();
        makeTree();
        AllowingAuthorizer.present(true);
        try {
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                    .hasMessageContaining("authorizer presents them")
                    .hasMessageContaining("dfs.namenode.inode.attributes.provider.bypass.users");
        } finally {
            AllowingAuthorizer.present(false);
        }
        moves.connect(record(), new Limits(), 2, progress::add).abort();
        assertThat(second.exists(in(""))).isFalse();
        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(first.getFileStatus(in("")).getPermission().toShort()).isEqualTo((short) 0755);
    }

    /** Mallory is no superuser. What he does in the folder that is being filled would be acknowledged, and deleted with the next attempt. */
    private void intrude(String line) {
        try {
            as("mallory", () -> {
                assertThatThrownBy(() -> write(second, "/by-mallory", "x"))
                        .as(line)
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> second.listStatus(in(""))).isInstanceOf(AccessControlException.class);
                refusals.add(line);
            });
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    private void gateBoth() throws IOException {
        federation.gate("ns1");
        federation.gate("ns2");
    }

    @Test
    void targetIsClosedUntilItOwnsSubtree() throws Exception {
        gateBoth();
        makeTree();

        moves.connect(record(), new Limits(), 2, line -> {
                    if (line.startsWith("Round") || line.startsWith("Last round") || line.startsWith("Version")) {
                        intrude(line);
                    }
                })
                .run(SourceCleanup.DELETE_SOURCE);

        assertThat(refusals).hasSizeGreaterThanOrEqualTo(3).anyMatch(line -> line.startsWith("Version"));
        as("mallory", () -> write(second, "/by-mallory", "x"));
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void keptSourceStaysClosed() throws Exception {
        gateBoth();
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        as("mallory", () -> {
            assertThatThrownBy(() -> append("/small")).hasMessageContaining("ns2");
            assertThatThrownBy(() -> first.delete(in("/small"), false)).hasMessageContaining("ns2");
        });
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    private void append(String inside) throws IOException {
        try (FSDataOutputStream out = first.append(in(inside))) {
            out.write(bytes(" change"));
        }
    }

    /** Nobody was told of the version, and the time of the freeze is over. */
    @Test
    void sourceStaysClosedWhenMoverDiedAtVersion() throws Exception {
        gateBoth();
        makeTree();
        MoveRecord record = record();
        try (SubtreeMoves dying = movesWith(tableWhere(
                "append",
                made -> {
                    throw new IllegalStateException("The process ends");
                },
                () -> {}))) {
            assertThatThrownBy(() -> dying.connect(record, new Limits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        federation.endFreezes();
        as("mallory", () -> {
            assertThatThrownBy(() -> append("/small")).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> write(second, "/by-mallory", "x")).isInstanceOf(AccessControlException.class);
        });

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(second.getFileStatus(in("")).getOwner()).isEqualTo("alice");
    }

    @Test
    void abortedMoveLeavesNoDirectoryClosed() throws Exception {
        gateBoth();
        makeTree();
        second.mkdirs(in(""));
        MoveRecord record = record();
        try (SubtreeMoves dying = movesWith(tableWhere("append", made -> made, () -> {
            throw new IllegalStateException("The process ends");
        }))) {
            assertThatThrownBy(() -> dying.connect(record, new Limits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        moves.connect(record(), new Limits(), 2, progress::add).abort();
        as("mallory", () -> {
            append("/small");
            write(second, "/by-mallory", "x");
        });
        assertThat(first.delete(in(""), true)).isTrue();
        assertThat(second.delete(in(""), true)).isTrue();
    }
}
