/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.Tables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MirrorPlanTest {

    private static final Set<Consent> NONE = EnumSet.noneOf(Consent.class);

    private final SubtreeTable nested = Tables.tableWith(3, Map.of("/", "ns1", "/a", "ns2", "/a/b", "ns1"));

    private static MountEntry entry(String path, String nameservice, SubtreeTable table) {
        return MountEntry.of(path, List.of(MountEntry.target(nameservice, path)), Optional.of(MirrorMark.of(table)));
    }

    private static MountEntry foreignEntry(String path, String... targets) {
        return MountEntry.of(path, List.of(targets), Optional.empty());
    }

    private static List<String> changes(
            SubtreeTable table, Collection<MountEntry> presentEntries, Set<Consent> consents)
            throws TableRefusedException {
        return MirrorPlan.of(table, presentEntries, consents).changes().stream()
                .map(change -> change.kind().text() + " " + change.path() + " " + change.nameservice())
                .toList();
    }

    private static List<MountEntry> mirroredEntries(SubtreeTable table) {
        List<MountEntry> entries = new ArrayList<>();
        table.owners().forEach((path, owner) -> entries.add(entry(path.text(), owner, table)));
        return entries;
    }

    @Test
    void addsNewEntriesBottomUp() throws TableRefusedException {
        assertThat(changes(nested, List.of(), NONE)).containsExactly("add /a/b ns1", "add /a ns2", "add / ns1");
    }

    @Test
    void retargetsEntriesBeforeRemoval() throws TableRefusedException {
        assertThat(changes(Tables.tableWith(5, Map.of("/", "ns1")), mirroredEntries(nested), NONE))
                .containsExactly("mark / ns1", "set /a ns1", "remove /a ns1", "remove /a/b ns1");
    }

    @Test
    void retargetsEntriesBottomUp() throws TableRefusedException {
        SubtreeTable turned = Tables.tableWith(4, Map.of("/", "ns1", "/a", "ns1", "/a/b", "ns2"));

        assertThat(changes(turned, mirroredEntries(nested), NONE))
                .containsExactly("mark / ns1", "set /a/b ns2", "set /a ns1");
    }

    @Test
    void planHasNoDuplicateSteps() throws TableRefusedException {
        assertThat(changes(nested, mirroredEntries(nested), NONE)).isEmpty();
    }

    @Test
    void marksOnlyRootWhenNothingElseChanged() throws TableRefusedException {
        SubtreeTable next = Tables.tableWith(4, Map.of("/", "ns1", "/a", "ns3", "/a/b", "ns1"));

        assertThat(changes(next, mirroredEntries(nested), NONE)).containsExactly("mark / ns1", "set /a ns3");
    }

    @Test
    void resetsEntryWithSecondDestination() throws TableRefusedException {
        List<MountEntry> present = mirroredEntries(nested);
        present.set(
                1, MountEntry.of("/a", List.of("hdfs://ns2/a", "hdfs://ns3/a"), Optional.of(MirrorMark.of(nested))));

        assertThat(changes(nested, present, NONE)).containsExactly("set /a ns2");
    }

    @Test
    void keepsForeignEntriesAndReportsDivergingOnes() throws TableRefusedException {
        List<MountEntry> present = mirroredEntries(nested);
        MountEntry elsewhere = foreignEntry("/a/data", "hdfs://ns3/x");
        MountEntry odd = foreignEntry("/with blank", "hdfs://ns1/with blank");
        present.addAll(List.of(elsewhere, odd, foreignEntry("/a/b/c", "hdfs://ns1/a/b/c")));

        MirrorPlan plan = MirrorPlan.of(nested, present, NONE);

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.conflictingEntries()).containsExactly(elsewhere, odd);
    }

    @Test
    void foreignEntryAtSamePathIsConflict() {
        assertThatThrownBy(() -> MirrorPlan.of(
                        nested, List.of(foreignEntry("/a", "hdfs://ns3/a"), foreignEntry("/", "hdfs://ns1/")), NONE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("/ leads to hdfs://ns1/: as the table says; --adopt takes it over")
                .hasMessageContaining("/a leads to hdfs://ns3/a: the table has it with ns2; remove it");
    }

    @Test
    void adoptsOnlyEntriesMatchingTable() throws TableRefusedException {
        Set<Consent> adopt = EnumSet.of(Consent.ADOPT);
        SubtreeTable table = Tables.tableWith(1, Map.of("/", "ns1"));

        assertThat(changes(table, List.of(foreignEntry("/", "hdfs://ns1/")), adopt))
                .containsExactly("mark / ns1");
        assertThatThrownBy(() -> changes(table, List.of(foreignEntry("/", "hdfs://ns2/")), adopt))
                .isInstanceOf(TableRefusedException.class);
        assertThatThrownBy(() -> changes(table, List.of(foreignEntry("/", "hdfs://ns1/", "hdfs://ns2/")), adopt))
                .isInstanceOf(TableRefusedException.class);
        MirrorMark other = MirrorMark.read("trefoil", "other:1").orElseThrow();
        assertThatThrownBy(() ->
                        changes(table, List.of(MountEntry.of("/", List.of("hdfs://ns1/"), Optional.of(other))), adopt))
                .hasMessageContaining("by hdfs://other");
    }

    @Test
    void refusesOlderTableWithoutConsent() throws TableRefusedException {
        SubtreeTable older = Tables.tableWith(2, Map.of("/", "ns1", "/a", "ns2"));

        assertThatThrownBy(() -> changes(older, mirroredEntries(nested), NONE))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining("version 3 of hdfs://cluster")
                .hasMessageContaining("--back-to 2");
        // The mark of /a would be newer than the table for ever.
        assertThat(changes(older, mirroredEntries(nested), EnumSet.of(Consent.GO_BACK)))
                .containsExactly("mark / ns1", "mark /a ns2", "set /a/b ns2", "remove /a/b ns2");
    }

    @Test
    void mirrorMarkRoundTripsAndIgnoresForeignOwners() {
        MirrorMark mark = MirrorMark.of(nested);

        assertThat(mark.group()).isEqualTo("cluster:3");
        assertThat(MirrorMark.read(mark.owner(), mark.group())).contains(mark);
        assertThat(MirrorMark.read("alice", mark.group())).isEmpty();
        assertThat(MirrorMark.read(mark.owner(), "trefoil")).isEmpty();
        assertThat(MirrorMark.read(mark.owner(), "cluster:0")).isEmpty();
    }
}
