/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.it.cluster.FederationOperations;
import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.Server;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ToolResult;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Checkpoints that keep data, before, during and after a move of a subtree, and restores to them. */
@Tag("long")
class ProtectedMoveIT {
    private static final Path ROOT = new Path("/");
    private static final Path SUBTREE = new Path("/data/logs");
    private static final Path GIVEN = new Path("/given");
    private static final Path OLD = new Path(SUBTREE, "folder/old");
    private static final Path NEW = new Path(SUBTREE, "new");
    private static final List<String> OWNERS = List.of(MovingFederation.KEEPER, MovingFederation.OTHER);

    private MovingFederation federation;
    private FederationOperations operations;

    @Test
    void restoredSubtreeKeepsDataAfterMoves() throws Exception {
        try (MovingFederation started = new MovingFederation(ProtectedMoveIT::withCheckpoints)) {
            federation = started;
            operations = new FederationOperations(
                    OWNERS.stream().map(federation::cluster).toList());
            DistributedFileSystem source = federation.clientOfNameservice(MovingFederation.KEEPER);
            DistributedFileSystem target = federation.clientOfNameservice(MovingFederation.OTHER);
            source.mkdirs(SUBTREE);
            source.setOwner(SUBTREE, "alice", "staff");
            LogWriter.write(source, OLD);
            // One owner allows it when it has a seal, and both before the move that counts.
            source.mkdirs(GIVEN);
            target.mkdirs(GIVEN);
            federation
                    .cluster(MovingFederation.KEEPER)
                    .trefoil(
                            "table", "add", GIVEN.toString(), MovingFederation.OTHER, "--table", MovingFederation.TABLE)
                    .expectSuccess();
            source.allowSnapshot(ROOT);
            target.allowSnapshot(ROOT);
            checkpoint("before");

            move("--keep-source");
            checkpoint("during");
            move();
            LogWriter.write(target, NEW);
            checkpoint("after");
            assertThat(source.listStatus(SUBTREE)).isEmpty();
            assertThat(target.delete(OLD, false)).isTrue();

            assertThat(planRestore("during")).contains("subtrees moved since: 0");
            restore("during");
            assertReads(MovingFederation.OTHER);
            assertThat(federation.recordedPhase()).hasValue("OPENED");
            move();
            assertReads(MovingFederation.OTHER);

            assertThat(planRestore("before"))
                    .contains("/data/logs from " + MovingFederation.KEEPER + " to " + MovingFederation.OTHER)
                    .contains("back in " + MovingFederation.KEEPER + ", as the checkpoint has it");
            restore("before");
            assertReads(MovingFederation.KEEPER);
            assertThat(target.exists(SUBTREE)).isFalse();
            move();
            assertReads(MovingFederation.OTHER);
            federation.markSucceeded();
        }
    }

    private static HaClusterBuilder withCheckpoints(HaClusterBuilder builder) {
        return builder.nameNodes(2)
                .nameNodePlugin("io.trefoil.checkpoint.hdfs.CheckpointPlugin")
                // However busy the machine is, no checkpoint fails.
                .property("trefoil.checkpoint.freeze.timeout", "30s");
    }

    private void checkpoint(String name) {
        operations.checkpoint("create", "--name", name, "--protect-data").expectSuccess();
        Await.until(
                "every NameNode has its image of " + name,
                Await.TIMEOUT,
                () -> operations.checkpoint("verify", name).exitCode() == 0,
                federation::describe);
    }

    private void move(String... more) {
        String[] words = {"move", SUBTREE.toString(), "--to", MovingFederation.OTHER};
        federation.start(more.length == 0 ? words : new String[] {words[0], words[1], words[2], words[3], more[0]});
        assertThat(federation.exitCode()).as(federation.commandOutput()).isZero();
    }

    private String planRestore(String checkpoint) {
        ToolResult plan = federation
                .cluster(MovingFederation.KEEPER)
                .nameNode(1)
                .trefoil("checkpoint", "restore", checkpoint, "--table", MovingFederation.TABLE);
        return plan.output();
    }

    private void restore(String checkpoint) throws IOException {
        operations.stopNameNodes();
        federation.dataNodes().forEach(Server::stop);
        operations.restore(checkpoint);
        federation.awaitHealthy();
        federation.dataNodes().forEach(Server::start);
        federation.awaitDataNodes();
    }

    private void assertReads(String owner) throws Exception {
        DistributedFileSystem files = federation.clientOfNameservice(owner);
        Await.until("out of safe mode", Await.TIMEOUT, () -> !files.isInSafeMode(), federation::describe);
        assertThat(LogWriter.read(files, OLD)).isEqualTo(OLD.getName());
        try (DistributedFileSystem alice = federation.clientOf("alice")) {
            assertThat(LogWriter.read(alice, OLD)).as("by the table").isEqualTo(OLD.getName());
        }
    }
}
