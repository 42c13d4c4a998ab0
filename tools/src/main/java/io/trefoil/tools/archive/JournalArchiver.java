/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.archive;

import io.trefoil.checkpoint.archive.store.ArchiveIdentity;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.ArchiveWriter;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.security.SecureRandom;

/** Writes the committed entries of a pool to an archive, from the process of a command. */
final class JournalArchiver {

    private final Installation installation;
    private final JournalOptions options;
    private final JournalLocation place;
    private final ArchiveStore store;

    JournalArchiver(Installation installation, JournalOptions options, JournalLocation place, ArchiveStore store) {
        this.installation = installation;
        this.options = options;
        this.place = place;
        this.store = store;
    }

    /** A writer in a run of its own. */
    ArchiveWriter newWriter() throws IOException {
        String run = String.format("%016x", new SecureRandom().nextLong());
        return new ArchiveWriter(
                store, installation.openCommittedLog(place), this::claim, run, System::currentTimeMillis);
    }

    /**
     * Makes the archive that of the journal.
     *
     * @throws IOException if it belongs to another namespace, or no node answers
     */
    void claim() throws IOException {
        try (PoolAdminClient inquiry = options.openAdminClient(place)) {
            PoolStatus status = PoolSurvey.of(place, inquiry, Long.MAX_VALUE);
            if (!status.namespace().isKnown()) {
                throw new IOException(
                        "Wanted a journal of a namespace, found one that was not formatted; nothing was written");
            }
            ArchiveIdentity.claim(store, place.journal(), status.namespace());
        }
    }

    /** Writes all that is committed now. */
    static void writeAll(ArchiveWriter writer) throws IOException {
        while (writer.writeChunk()) {
            // There may be more.
        }
    }
}
