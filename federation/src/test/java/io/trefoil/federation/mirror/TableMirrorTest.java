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
    void first() {
        version(1, Map.of("/", "ns1"));
    }

    private void version(int number, Map<String, String> owners) {
        SubtreeTable table = Tables.of(number, owners);
        store.records.add(TableRecord.of(table, "of the test", "alice", Instant.EPOCH));
    }

    @Test
    void allRoutersFollow() throws IOException {
        version(2, Map.of("/", "ns1", "/a", "ns2"));

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.changes()).extracting(MountChange::path).containsExactly("/a", "/");
        assertThat(outcome.behind()).isEmpty();
        assertThat(FakeRouters.owner(routers.stored, "/a/x")).isEqualTo("ns2");
        assertThat(mirror.run().changes()).isEmpty();
    }

    @Test
    void namesDownRouterWhileOthersFollow() throws IOException {
        routers.down.add("r1:8111");

        assertThat(mirror.run().behind()).containsExactly(Map.entry("r1:8111", "connection refused"));
    }

    private void mirroredBefore() throws IOException {
        version(2, Map.of("/", "ns1", "/a", "ns2", "/b", "ns2"));
        mirror.run();
        version(3, Map.of("/", "ns1", "/b", "ns1"));
        routers.unreadable.add("/a");
    }

    /** A State Store in ZooKeeper leaves out what it cannot read, and says nothing. */
    @Test
    void reportsUnreadEntryUntilNextRunRemovesIt() throws IOException {
        mirroredBefore();

        assertThat(mirror.dryRun().unseen()).containsExactly(Map.entry("/a", "ns2"));
        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.unseen()).containsExactly(Map.entry("/a", "ns2"));
        assertThat(outcome.behind()).isEmpty();
        routers.unreadable.clear();
        assertThat(mirror.run().changes()).extracting(MountChange::kind).contains(MountChange.Kind.REMOVE);
        assertThat(routers.stored).containsOnlyKeys("/", "/b");
        assertThat(mirror.run().unseen()).isEmpty();
    }

    @Test
    void namesRouterReadingEntryMissedByFirst() throws IOException {
        mirroredBefore();
        routers.beforeRefresh = () -> routers.unreadable.clear();

        assertThat(mirror.run().behind())
                .containsOnlyKeys("r1:8111", "r2:8111")
                .hasEntrySatisfying("r1:8111", why -> assertThat(why).contains("as that of /a; run this again"));
    }

    @Test
    void entryFoundBySecondReadingIsRemovedSilently() throws IOException {
        mirroredBefore();
        routers.beforeChange = () -> routers.unreadable.clear();

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.unseen()).isEmpty();
        assertThat(outcome.behind()).isEmpty();
        assertThat(routers.stored).containsOnlyKeys("/", "/b");
    }

    /** Both have read version 1; the other makes version 2, mirrors it, and ends before this one writes. */
    @Test
    void lateRunWithOlderVersionEndsAtNewestVersion() throws IOException {
        mirror.run();
        version(2, Map.of("/", "ns1", "/a", "ns2"));
        mirror.run();
        version(3, Map.of("/", "ns1", "/a", "ns3"));
        routers.beforeChange = () -> {
            version(4, Map.of("/", "ns1", "/a", "ns2"));
            runOther();
        };

        MirrorOutcome outcome = mirror.run();

        assertThat(outcome.table().version()).isEqualTo(4);
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns2");
    }

    /** Its last write comes after a newer version was mirrored, and it ends before it reads the table again. */
    @Test
    void nextRunRepairsLateWriteOfDeadRun() throws IOException {
        version(2, Map.of("/", "ns1", "/a", "ns2"));
        mirror.run();
        version(3, Map.of("/", "ns1", "/a", "ns3"));
        // The root's mark is its first change.
        routers.beforeChange = () -> routers.beforeChange = () -> {
            version(4, Map.of("/", "ns1", "/a", "ns1", "/b", "ns2"));
            runOther();
            routers.beforeReading = () -> {
                throw new IllegalStateException("killed");
            };
        };
        assertThatThrownBy(mirror::run).hasMessage("killed");
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns3");

        routers.beforeReading = () -> {};
        assertThat(mirror.run().behind()).isEmpty();
        assertThat(FakeRouters.owner(routers.stored, "/a")).isEqualTo("ns1");
        assertThat(mirror.run().changes()).isEmpty();
    }

    private void runOther() {
        try {
            new TableMirror(store, routers, EnumSet.noneOf(Consent.class)).run();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void stopsWhenChangesAreRepeatedlyUndone() {
        routers.beforeReading = routers.stored::clear;

        assertThatThrownBy(mirror::run).hasMessageContaining("Somebody else is changing the Routers' mount table");
    }
}
