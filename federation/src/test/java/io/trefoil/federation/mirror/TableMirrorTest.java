/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.Tables;
import java.io.IOException;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TableMirrorTest {

    private final FakeTableStore store = new FakeTableStore();
    private final FakeRouters routers = new FakeRouters();
    private final TableMirror mirror = new TableMirror(store, routers, EnumSet.noneOf(Consent.class));

    @BeforeEach
    void createFirstVersion() {
        appendVersion(1, Map.of("/", "ns1"));
    }

    private void appendVersion(int number, Map<String, String> owners) {
        SubtreeTable table = Tables.tableWith(number, owners);
        store.records.add(TableRecord.of(table, "of the test", "alice", Instant.EPOCH));
    }

    @Test
    void allRoutersFollow() throws IOException {
        appendVersion(2, Map.of("/", "ns1", "/a", "ns2"));

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.changes()).extracting(MountChange::path).containsExactly("/a", "/");
        assertThat(outcome.staleRouters()).isEmpty();
        assertThat(FakeRouters.owner(routers.stored, "/a/x")).isEqualTo("ns2");
        assertThat(mirror.run().changes()).isEmpty();
    }

    @Test
    void reportsStoppedRouterWhileOthersFollow() throws IOException {
        routers.down.add("r1:8111");

        assertThat(mirror.run().staleRouters()).containsExactly(Map.entry("r1:8111", "connection refused"));
    }

    private void setUpEarlierMirror() throws IOException {
        appendVersion(2, Map.of("/", "ns1", "/a", "ns2", "/b", "ns2"));
        mirror.run();
        appendVersion(3, Map.of("/", "ns1", "/b", "ns1"));
        routers.unreadable.add("/a");
    }

    /** A State Store in ZooKeeper leaves out what it cannot read, and says nothing. */
    @Test
    void reportsUnreadEntryUntilNextRunRemovesIt() throws IOException {
        setUpEarlierMirror();

        assertThat(mirror.dryRun().missingEntries()).containsExactly(Map.entry("/a", "ns2"));
        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.missingEntries()).containsExactly(Map.entry("/a", "ns2"));
        assertThat(outcome.staleRouters()).isEmpty();
        routers.unreadable.clear();
        assertThat(mirror.run().changes()).extracting(MountChange::kind).contains(MountChange.Kind.REMOVE);
        assertThat(routers.stored).containsOnlyKeys("/", "/b");
        assertThat(mirror.run().missingEntries()).isEmpty();
    }

    @Test
    void reportsSecondRouterReadingEntryMissedByFirst() throws IOException {
        setUpEarlierMirror();
        routers.beforeRefresh = () -> routers.unreadable.clear();

        assertThat(mirror.run().staleRouters())
                .containsOnlyKeys("r1:8111", "r2:8111")
                .hasEntrySatisfying("r1:8111", reason -> assertThat(reason).contains("as that of /a; run this again"));
    }

    @Test
    void removesEntryFoundBySecondReadSilently() throws IOException {
        setUpEarlierMirror();
        routers.beforeChange = () -> routers.unreadable.clear();

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.missingEntries()).isEmpty();
        assertThat(outcome.staleRouters()).isEmpty();
        assertThat(routers.stored).containsOnlyKeys("/", "/b");
    }

    /** Both have read version 1; the other makes version 2, mirrors it, and ends before this one writes. */
    @Test
    void delayedRunWithOlderVersionEndsAtNewestVersion() throws IOException {
        mirror.run();
        appendVersion(2, Map.of("/", "ns1", "/a", "ns2"));
        mirror.run();
        appendVersion(3, Map.of("/", "ns1", "/a", "ns3"));
        routers.beforeChange = () -> {
            appendVersion(4, Map.of("/", "ns1", "/a", "ns2"));
            runOtherMirror();
        };

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.table().version()).isEqualTo(4);
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns2");
    }

    /** Its last write comes after a newer version was mirrored, and it ends before it reads the table again. */
    @Test
    void nextRunRepairsDelayedWriteOfDeadRun() throws IOException {
        appendVersion(2, Map.of("/", "ns1", "/a", "ns2"));
        mirror.run();
        appendVersion(3, Map.of("/", "ns1", "/a", "ns3"));
        // The root's mark is its first change.
        routers.beforeChange = () -> routers.beforeChange = () -> {
            appendVersion(4, Map.of("/", "ns1", "/a", "ns1", "/b", "ns2"));
            runOtherMirror();
            routers.beforeReading = () -> {
                throw new IllegalStateException("killed");
            };
        };
        assertThatThrownBy(mirror::run).hasMessage("killed");
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns3");

        routers.beforeReading = () -> {};
        assertThat(mirror.run().staleRouters()).isEmpty();
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns1");
        assertThat(mirror.run().changes()).isEmpty();
    }

    private void runOtherMirror() {
        try {
            new TableMirror(store, routers, EnumSet.noneOf(Consent.class)).run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stopsWhenChangesAreRepeatedlyUndone() {
        routers.beforeReading = routers.stored::clear;

        assertThatThrownBy(mirror::run).hasMessageContaining("The Routers' mount table is being changed meanwhile");
    }
}
