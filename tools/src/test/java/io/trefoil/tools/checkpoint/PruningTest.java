/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.tools.output.ExitCode;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PruningTest {
    private static final RetentionPolicy ONE =
            RetentionPolicy.of(Optional.of(1), Optional.empty(), Duration.ofMinutes(10));
    private static final Manifest OLD = manifest("old", 10);
    private static final Manifest NEW = manifest("new", 20);

    private static Manifest manifest(String name, long txId) {
        return Manifest.of(
                Agreement.of(CheckpointId.of(name, "00000001"), txId, 0, "ns1", List.of("ns1")),
                Cut.builder()
                        .nameservice("ns1")
                        .nameNode("nn1")
                        .txId(txId)
                        .imageTxId(4)
                        .files(2)
                        .blocks(1)
                        .waitedMicros(1)
                        .cutMicros(1)
                        .frozenMicros(7)
                        .build());
    }

    @Test
    void failedDeletionIsNotReportedAsDeleted() throws Exception {
        CheckpointPruner pruning =
                CheckpointPruner.plan(checkpointsFrom(OLD, NEW), ONE, List.of()).execute();

        assertThat(pruning.text()).isEqualTo("not deleted, run prune again: old.00000001 in ns1: no active\n");
        assertThat(pruning.exitCode()).isEqualTo(ExitCode.FINDING);
    }

    /** A federation of one nameservice, whose pool nodes know of so much, and which no writer can change. */
    private static Checkpoints checkpointsFrom(Manifest... manifests) {
        return (Checkpoints) Proxy.newProxyInstance(
                Checkpoints.class.getClassLoader(),
                new Class<?>[] {Checkpoints.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "nameservices" -> Set.of("ns1");
                    case "snapshots" -> List.of();
                    case "manifests" -> List.of(manifests);
                    case "delete" -> throw new IOException("no active");
                    default -> throw new AssertionError(method);
                });
    }

    @Test
    void countsNewCheckpointThoughUnknownToPoolNodes() throws Exception {
        for (Checkpoints checkpoints : List.of(checkpointsFrom(OLD), checkpointsFrom(OLD, NEW))) {
            assertThat(CheckpointPruner.plan(checkpoints, ONE, List.of(NEW)).text())
                    .isEqualTo("would be deleted: old.00000001 in ns1, there are enough newer ones\n");
        }
        assertThat(CheckpointPruner.plan(checkpointsFrom(OLD), ONE, List.of()).isEmpty())
                .isTrue();
    }
}
