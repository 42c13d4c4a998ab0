/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.checkpoint.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.CheckpointJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What becomes of a subtree depends on which of its owners go back. */
class MovedSubtreeTextTest {

    private static final Instant NOW = Instant.parse("2026-11-26T08:00:00Z");

    private static String describeRestoreOf(String... nameservices) {
        return describeRestoreOf(Set.of(), nameservices);
    }

    private static String describeRestoreOf(Set<String> keptPaths, String... nameservices) {
        List<Move> moved = List.of(Move.of("/logs", "ns1", "ns2", NOW));
        MovedSubtreeText text = new MovedSubtreeText(Optional.of(moved), Set.of(nameservices), keptPaths);
        var object = CheckpointJson.object();
        text.put(object);
        String effect = object.path("moved").path(0).path("effect").asText();
        assertThat(text.text())
                .isEqualTo("subtrees moved since: 1\n  /logs from ns1 to ns2, 2026-11-26T08:00:00Z: " + effect + "\n");
        return effect;
    }

    @Test
    void reportsLostAndDuplicatedFiles() {
        assertThat(describeRestoreOf("ns1", "ns2"))
                .isEqualTo("lost, unless its source was kept; copy it out of the cluster first");
        assertThat(describeRestoreOf("ns2"))
                .isEqualTo("lost, as ns1 does not go back; copy it out of the cluster first");
        assertThat(describeRestoreOf("ns1"))
                .isEqualTo("there twice, as ns2 does not go back: whole there, and in ns1 without blocks,"
                        + " unless its source was kept");
        assertThat(describeRestoreOf("ns3")).isEqualTo("not touched");
    }

    @Test
    void reportsSubtreeLocationAfterRestoreWithSnapshots() {
        Set<String> keptPaths = Set.of("ns1", "ns2");
        assertThat(describeRestoreOf(keptPaths, "ns1", "ns2"))
                .isEqualTo("back in ns1, as the checkpoint has it; what was changed since is lost");
        assertThat(describeRestoreOf(keptPaths, "ns1"))
                .isEqualTo("there twice, as ns2 does not go back: whole there, and in ns1 as the checkpoint has it");
        assertThat(describeRestoreOf(keptPaths, "ns2")).startsWith("lost, as ns1 does not go back");
        assertThat(describeRestoreOf(Set.of("ns2"), "ns1", "ns2")).startsWith("lost, unless");
        assertThat(describeRestoreOf(keptPaths, "ns3")).isEqualTo("not touched");
    }

    @Test
    void reportsUnknownFacts() {
        MovedSubtreeText text = new MovedSubtreeText(Optional.empty(), Set.of("ns1"), Set.of("ns1"));
        assertThat(text.text()).contains("not known", "ask while its NameNodes run");
        var object = CheckpointJson.object();
        text.put(object);
        assertThat(object.has("moved")).isFalse();
    }
}
