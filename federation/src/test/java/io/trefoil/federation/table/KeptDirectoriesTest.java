/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.table.TableStore.DirectoryState;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Which directories NameNodes are told to keep. */
class KeptDirectoriesTest {
    private static final Instant NOW = Instant.parse("2026-11-24T08:00:00Z");
    private static final SubtreePath LOGS = SubtreePath.parse("/logs");

    private final FakeTableStore store = new FakeTableStore();

    private void run(TableChange change) throws IOException {
        SubtreeHandover.plan(store, store.newest().orElseThrow().table(), change)
                .run(NOW);
    }

    @Test
    void keepsDirectoryAtOwnerWhileEntryExists() throws IOException {
        store.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "of the test", "bob", NOW));
        store.directories.put("ns2/logs", DirectoryState.EMPTY);
        store.directories.put("ns3/logs", DirectoryState.EMPTY);

        run(TableChange.add(LOGS, "ns2"));
        assertThat(store.keptDirectories).containsExactly("ns2/logs");
        run(TableChange.set(LOGS, "ns3"));
        assertThat(store.keptDirectories).containsExactly("ns3/logs");
        run(TableChange.remove(LOGS));
        assertThat(store.keptDirectories).isEmpty();
    }
}
