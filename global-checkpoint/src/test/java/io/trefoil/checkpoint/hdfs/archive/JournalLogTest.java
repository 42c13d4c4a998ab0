/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.storage.PurgedException;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An archive goes on while nodes are down, and says that something is gone only if no node has it. */
class JournalLogTest {

    private final Journal journal = mock(Journal.class);
    private final JournalLog log = new JournalLog(journal);

    @BeforeEach
    void commitTenEntries() throws IOException {
        when(journal.committedPosition()).thenReturn(LogPosition.of(Epoch.of(1), 10));
        when(journal.lastShownIncarnation()).thenReturn(Incarnation.of(1, 2));
        assertThat(log.incarnation()).isEqualTo(Incarnation.of(1, 2));
    }

    @Test
    void endIsEmptyWhenSomeNodeIsDown() throws IOException {
        when(journal.read(anyLong(), anyInt())).thenThrow(new IOException("Connection refused"));

        assertThat(log.read(11, 100)).isEmpty();
        assertThatThrownBy(() -> log.read(10, 100)).hasMessage("Connection refused");
    }

    @Test
    void reportsPurgedEntriesDespiteOtherFailures() throws IOException {
        IOException failure = new IOException("Connection refused");
        failure.addSuppressed(new PurgedException(3, LogSummary.ORIGIN));
        when(journal.read(anyLong(), anyInt())).thenThrow(failure);

        assertThatThrownBy(() -> log.read(3, 100)).isInstanceOf(PurgedException.class);
    }
}
