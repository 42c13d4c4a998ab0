/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SubtreeTableTest {

    private static final Set<String> NAMESERVICES = Set.of("ns1", "ns2", "ns3");
    private static final SubtreePath KEPT = path("/.trefoil/subtrees");

    private final SubtreeTable first = SubtreeTable.first("cluster", "ns1");

    private static SubtreePath path(String text) {
        return SubtreePath.parse(text);
    }

    private static SubtreeTable applyChange(SubtreeTable table, TableChange change) throws TableRefusedException {
        return change.applyTo(table, NAMESERVICES, KEPT);
    }

    private static void assertRefused(SubtreeTable table, TableChange change, String reason) {
        assertThatThrownBy(() -> applyChange(table, change))
                .isInstanceOf(TableRefusedException.class)
                .hasMessageContaining(reason);
    }

    /** Table 1 of paper 5, and its example. */
    @Test
    void longestMatchingEntryOwnsPath() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/a"), "ns2"));
        table = applyChange(table, TableChange.add(path("/a/c"), "ns3"));
        table = applyChange(table, TableChange.add(path("/a/c/d"), "ns2"));

        assertThat(table.version()).isEqualTo(4);
        assertThat(table.ownerOf(path("/a/c/d/foo.txt"))).isEqualTo("ns2");
        assertThat(table.entryFor(path("/a/c/d/foo.txt"))).isEqualTo(path("/a/c/d"));
        assertThat(table.ownerOf(path("/a/c/e"))).isEqualTo("ns3");
        assertThat(table.ownerOf(path("/a/cd"))).isEqualTo("ns2");
        assertThat(table.ownerOf(path("/b"))).isEqualTo("ns1");
        assertThat(table.ownerOf(path("/"))).isEqualTo("ns1");
    }

    @Test
    void removedEntryReturnsToEnclosingOwner() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/a"), "ns2"));
        table = applyChange(table, TableChange.add(path("/a/c"), "ns3"));
        table = applyChange(table, TableChange.remove(path("/a/c")));

        assertThat(table.ownerOf(path("/a/c"))).isEqualTo("ns2");
        assertThat(table.owners()).containsOnlyKeys(path("/"), path("/a"));
    }

    @Test
    void rootOwnerCannotChange() {
        assertRefused(first, TableChange.set(path("/"), "ns2"), "/ stays with ns1");
        assertRefused(first, TableChange.remove(path("/")), "/ stays with ns1");
    }

    @Test
    void refusesUnknownNameservice() throws TableRefusedException {
        assertRefused(first, TableChange.add(path("/a"), "ns4"), "no nameservice ns4");
        assertRefused(first, TableChange.set(path("/a"), "ns2"), "/a is not an entry");
        assertRefused(first, TableChange.remove(path("/a")), "/a is not an entry");
    }

    @Test
    void refusesOwnerLeadingBackToTable() {
        assertRefused(first, TableChange.add(path("/a"), "cluster"), "would lead back to the table");
    }

    @Test
    void refusesEntryContainingTable() {
        assertRefused(first, TableChange.add(path("/.trefoil"), "ns2"), "would take the table along");
        assertRefused(first, TableChange.add(path("/.trefoil/subtrees/x"), "ns2"), "would take the table along");
    }

    @Test
    void refusesOverlappingEntries() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/a/c"), "ns2"));

        assertRefused(table, TableChange.add(path("/a/c"), "ns3"), "/a/c is an entry already, with ns2");
        assertRefused(table, TableChange.add(path("/a"), "ns3"), "The entry /a/c with ns2 overlaps /a");
        assertThat(applyChange(table, TableChange.add(path("/a/cd"), "ns3")).version())
                .isEqualTo(3);
    }

    /** A table that has one already is read, and only the way back is open. */
    @Test
    void pathDifferingInUriMayOnlyBeRemoved() throws TableRefusedException {
        SubtreeTable table = first.with(path("/a#b"), "ns2").with(path("/[c"), "ns2");

        assertRefused(
                first, TableChange.add(path("/a#b"), "ns2"), "read the table as URIs, in which '/a#b' is another path");
        assertRefused(first, hashChange("/a?b", "ns1", "ns2"), "'/a?b'");
        assertRefused(first, TableChange.assignOwner(first, path("/a/[c"), "ns2"), "'/a/[c'");
        assertRefused(table, TableChange.set(path("/a#b"), "ns3"), "'/a#b'");
        assertThat(applyChange(table, TableChange.remove(path("/a#b"))).owners())
                .doesNotContainKey(path("/a#b"));
        assertThat(applyChange(table, TableChange.remove(path("/[c"))).owners()).doesNotContainKey(path("/[c"));
    }

    @Test
    void refusesNoOpChange() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/a"), "ns2"));

        assertRefused(first, TableChange.add(path("/a"), "ns1"), "/a belongs to ns1 already");
        assertRefused(table, TableChange.set(path("/a"), "ns2"), "/a belongs to ns2 already");
        assertRefused(table, TableChange.set(path("/a"), "ns1"), "use remove");
    }

    private static TableChange hashChange(String path, String... nameservices) {
        return TableChange.hash(path(path), List.of(nameservices));
    }

    @Test
    void hashedDirectoryIsSpreadAndKeepsOwner() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/a"), "ns2"));
        table = applyChange(table, hashChange("/a/c", "ns3", "ns1"));

        assertThat(table.version()).isEqualTo(3);
        assertThat(table.hashedDirectories()).containsExactly(Map.entry(path("/a/c"), List.of("ns3", "ns1")));
        assertThat(table.ownerOf(path("/a/c"))).isEqualTo("ns2");
        assertThat(table.enclosingHashedDirectory(path("/a/c/d/e"))).contains(path("/a/c"));
        assertThat(table.enclosingHashedDirectory(path("/a/cd"))).isEmpty();
        assertThat(applyChange(table, TableChange.add(path("/b"), "ns2")).hashedDirectories())
                .isEqualTo(table.hashedDirectories());
    }

    @Test
    void refusesChangesHiddenByHashedDirectory() throws TableRefusedException {
        SubtreeTable table = applyChange(first, TableChange.add(path("/b"), "ns2"));
        SubtreeTable hashed = applyChange(table, hashChange("/a/c", "ns1", "ns2"));

        assertRefused(hashed, TableChange.add(path("/a"), "ns2"), "/a overlaps /a/c, which is hashed over ns1,ns2");
        assertRefused(hashed, TableChange.add(path("/a/c/d"), "ns2"), "/a/c/d overlaps /a/c");
        assertRefused(hashed, TableChange.remove(path("/a/c")), "/a/c overlaps /a/c");
        assertRefused(hashed, hashChange("/a/c", "ns1"), "/a/c overlaps /a/c");
        assertRefused(table, hashChange("/b", "ns1", "ns2"), "/b is an entry, with ns2");
        assertRefused(table, hashChange("/", "ns1", "ns2"), "/ stays with ns1");
        assertRefused(table, hashChange("/.trefoil/hashed/x", "ns1"), "overlaps /.trefoil/hashed");
        assertRefused(
                applyChange(table, TableChange.add(path("/d/e"), "ns2")),
                hashChange("/d", "ns1"),
                "The entry /d/e with ns2");
        assertRefused(table, hashChange("/a", "ns1", "ns1"), "each once");
        assertRefused(table, hashChange("/a"), "each once");
        assertRefused(table, hashChange("/a", "ns1", "ns9"), "no nameservice ns9");
    }

    @Test
    void refusesNamesThatUrisOrConfigurationsMisread() {
        assertThatThrownBy(() -> SubtreeTable.first("my.cluster", "ns1")).hasMessageContaining("'my.cluster'");
        assertThatThrownBy(() -> SubtreeTable.first("my_cluster", "ns1")).hasMessageContaining("'my_cluster'");
        assertThatThrownBy(() -> SubtreeTable.first("", "ns1")).hasMessageContaining("''");
    }
}
