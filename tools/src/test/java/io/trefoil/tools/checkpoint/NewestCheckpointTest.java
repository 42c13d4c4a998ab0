/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trefoil.checkpoint.CheckpointJson;
import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.model.Agreement;
import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.retention.RetentionPolicy;
import io.trefoil.tools.TrefoilCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which checkpoint is the newest: an operator who checks last night's must not be told about another one. */
class NewestCheckpointTest {
    private static final Manifest FIRST = manifest("first", 2_000, 10, "ns1");
    /** Made later, by a clock that was behind. */
    private static final Manifest SECOND = manifest("second", 1_000, 20, "ns1");

    private final List<String> asked = new ArrayList<>();

    private static Manifest manifest(String name, long timeMillis, long txId, String... nameservices) {
        return Manifest.of(
                Agreement.of(CheckpointId.of(name, "00000001"), timeMillis, 0, "ns1", List.of(nameservices)),
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
    void newestCheckpointHasHighestTransactionRegardlessOfClocks() {
        assertThat(run(0, checkpointsAnswering(List.of(List.of(FIRST, SECOND))), "verify"))
                .contains("checkpoint second.00000001");
        assertThat(run(0, checkpointsAnswering(List.of(List.of(SECOND, FIRST))), "verify"))
                .contains("checkpoint second.00000001");
    }

    @Test
    void skipsIncompleteNewestCheckpoint() {
        Manifest half = manifest("half", 3_000, 30, "ns1", "ns2");

        assertThat(run(1, checkpointsAnswering(List.of(List.of(FIRST, half))), "verify"))
                .contains("half.00000001", "ns2: no barrier", "it cannot be relied on");
    }

    @Test
    void verifyWithoutCheckpointSuggestsCreate() {
        assertThat(run(1, checkpointsAnswering(List.of(List.of())), "verify"))
                .contains("There is no checkpoint", "checkpoint create");
    }

    @Test
    void createEndsWhenJournalsReportCheckpoint() {
        assertThat(run(
                        0,
                        checkpointsAnswering(List.of(List.of(FIRST), List.of(FIRST), List.of(FIRST, SECOND))),
                        "create"))
                .contains("checkpoint second.00000001: complete");
        assertThat(asked).containsExactly("create", "manifests", "manifests", "manifests");
    }

    /** A federation of one nameservice; the journals' answers in turn, the last one for ever. */
    private Checkpoints checkpointsAnswering(List<List<Manifest>> answers) {
        Deque<List<Manifest>> left = new ArrayDeque<>(answers);
        return (Checkpoints) Proxy.newProxyInstance(
                Checkpoints.class.getClassLoader(),
                new Class<?>[] {Checkpoints.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "nameservices" -> Set.of("ns1");
                    case "retention" -> RetentionPolicy.of(Optional.empty(), Optional.empty(), Duration.ofMinutes(10));
                    case "verify" -> List.of();
                    case "manifests" -> {
                        asked.add("manifests");
                        yield left.size() > 1 ? left.pop() : left.peek();
                    }
                    case "create" -> {
                        asked.add("create");
                        ObjectNode made = CheckpointJson.object().put("outcome", "COMPLETE");
                        made.putArray("manifests").add(CheckpointJson.toJson(SECOND));
                        yield made;
                    }
                    default -> throw new AssertionError(method);
                });
    }

    private static String run(int exitCode, Checkpoints checkpoints, String... arguments) {
        StringWriter out = new StringWriter();
        int code = TrefoilCommand.execute(
                CheckpointCommand.newCommandLine(() -> checkpoints, new FakeMoveHistory()),
                new PrintWriter(out),
                new PrintWriter(out),
                arguments);
        assertThat(code).as(out.toString()).isEqualTo(exitCode);
        return out.toString();
    }
}
