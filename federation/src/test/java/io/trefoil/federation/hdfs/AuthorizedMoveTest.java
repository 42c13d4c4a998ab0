/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
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

/** Moves between NameNodes with an authorizer that lets every user do everything, whatever the bits of files and directories are. */
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
    void refusesMoveWhenNameNodesHaveNoGates() throws Exception {
        makeTree();
        federation.enableGate("ns1");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("NameNode nn1 of ns2 has dfs.namenode.inode.attributes.provider.class ")
                .hasMessageContaining("set trefoil.federation.gate at all NameNodes of ns2");
        federation.disableGates();
        federation.enableGate("ns2");
        assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE)).hasMessageContaining("NameNode nn1 of ns1 has");
        assertThat(second.exists(pathOf(""))).isFalse();
        assertThat(read(first, "/small")).isEqualTo("small");
    }

    /** Its directory would be closed by its bits alone, for clients whom the authorizer lets in. */
    @Test
    void moveFailsWhenNameNodeLosesItsGate() throws Exception {
        enableBothGates();
        makeTree();
        assertThatThrownBy(() -> moves.connect(record(), new SingleQueryLimits(), 2, line -> {
                            if (line.startsWith("Round")) {
                                federation.hideSetting("ns1");
                            }
                        })
                        .run(SourceCleanup.DELETE_SOURCE))
                .hasMessageContaining("NameNode nn1 of ns1 has dfs.namenode.inode.attributes.provider.class ");
        runAs("mallory", () -> append("/small"));
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        assertThat(read(first, "/small")).isEqualTo("small change");
    }

    @Test
    void refusesMoveWhenAuthorizerPresentsOtherPermissions() throws Exception {
        enableBothGates();
        makeTree();
        AllowingAuthorizer.presentOwnAttributes(true);
        try {
            assertThatThrownBy(() -> run(SourceCleanup.DELETE_SOURCE))
                    .hasMessageContaining("authorizer presents them")
                    .hasMessageContaining("dfs.namenode.inode.attributes.provider.bypass.users");
        } finally {
            AllowingAuthorizer.presentOwnAttributes(false);
        }
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        assertThat(second.exists(pathOf(""))).isFalse();
        assertThat(read(first, "/small")).isEqualTo("small");
        assertThat(first.getFileStatus(pathOf("")).getPermission().toShort()).isEqualTo((short) 0755);
    }

    /** Mallory is no superuser. What he does in the directory that is being filled would be acknowledged, and deleted with the next attempt. */
    private void writeAsIntruder(String line) {
        try {
            runAs("mallory", () -> {
                assertThatThrownBy(() -> write(second, "/by-mallory", "x"))
                        .as(line)
                        .isInstanceOf(AccessControlException.class);
                assertThatThrownBy(() -> second.listStatus(pathOf(""))).isInstanceOf(AccessControlException.class);
                refusals.add(line);
            });
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    private void enableBothGates() throws IOException {
        federation.enableGate("ns1");
        federation.enableGate("ns2");
    }

    @Test
    void targetIsClosedUntilItOwnsSubtree() throws Exception {
        enableBothGates();
        makeTree();

        moves.connect(record(), new SingleQueryLimits(), 2, line -> {
                    if (line.startsWith("Round") || line.startsWith("Last round") || line.startsWith("Version")) {
                        writeAsIntruder(line);
                    }
                })
                .run(SourceCleanup.DELETE_SOURCE);

        assertThat(refusals).hasSizeGreaterThanOrEqualTo(3).anyMatch(line -> line.startsWith("Version"));
        runAs("mallory", () -> write(second, "/by-mallory", "x"));
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    @Test
    void keptSourceStaysClosed() throws Exception {
        enableBothGates();
        makeTree();
        run(SourceCleanup.KEEP_SOURCE);
        runAs("mallory", () -> {
            assertThatThrownBy(() -> append("/small")).hasMessageContaining("ns2");
            assertThatThrownBy(() -> first.delete(pathOf("/small"), false)).hasMessageContaining("ns2");
        });
        run(SourceCleanup.DELETE_SOURCE);
        assertThat(read(second, "/small")).isEqualTo("small");
    }

    private void append(String relativePath) throws IOException {
        try (FSDataOutputStream out = first.append(pathOf(relativePath))) {
            out.write(bytes(" change"));
        }
    }

    /** No client was told of the version, and the time of the freeze is over. */
    @Test
    void sourceStaysClosedWhenMoverDiedAtVersion() throws Exception {
        enableBothGates();
        makeTree();
        MoveRecord record = record();
        try (SubtreeMoves dying = movesWithTable(interceptingTable(
                "append",
                made -> {
                    throw new IllegalStateException("The process ends");
                },
                () -> {}))) {
            assertThatThrownBy(() -> dying.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        federation.expireFreezes();
        runAs("mallory", () -> {
            assertThatThrownBy(() -> append("/small")).isInstanceOf(AccessControlException.class);
            assertThatThrownBy(() -> write(second, "/by-mallory", "x")).isInstanceOf(AccessControlException.class);
        });

        run(SourceCleanup.DELETE_SOURCE);

        assertThat(read(second, "/small")).isEqualTo("small");
        assertThat(second.getFileStatus(pathOf("")).getOwner()).isEqualTo("alice");
    }

    @Test
    void abortedMoveReopensAllDirectories() throws Exception {
        enableBothGates();
        makeTree();
        second.mkdirs(pathOf(""));
        MoveRecord record = record();
        try (SubtreeMoves dying = movesWithTable(interceptingTable("append", made -> made, () -> {
            throw new IllegalStateException("The process ends");
        }))) {
            assertThatThrownBy(() -> dying.connect(record, new SingleQueryLimits(), 2, progress::add)
                            .run(SourceCleanup.DELETE_SOURCE))
                    .hasMessage("The process ends");
        }
        moves.connect(record(), new SingleQueryLimits(), 2, progress::add).abort();
        runAs("mallory", () -> {
            append("/small");
            write(second, "/by-mallory", "x");
        });
        assertThat(first.delete(pathOf(""), true)).isTrue();
        assertThat(second.delete(pathOf(""), true)).isTrue();
    }
}
