/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.model.JournalId;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/** Finds the journals of one scheme; a store of journals names its provider for {@link ServiceLoader}. */
public interface JournalProvider {

    /** Whether the shared edits of a NameNode are exactly this journal of ours. */
    static boolean isJournal(JournalId wantedJournal, List<URI> sharedEdits, Configuration conf) {
        return of(sharedEdits)
                .filter(one -> one.journalOf(sharedEdits.get(0), conf).equals(wantedJournal))
                .isPresent();
    }

    /** Returns the provider of a NameNode's journal; empty if its shared edits are not one journal of ours. */
    static Optional<JournalProvider> of(List<URI> sharedEdits) {
        if (sharedEdits.size() == 1) {
            for (JournalProvider one :
                    ServiceLoader.load(JournalProvider.class, JournalProvider.class.getClassLoader())) {
                if (one.scheme().equals(sharedEdits.get(0).getScheme())) {
                    return Optional.of(one);
                }
            }
        }
        return Optional.empty();
    }

    /** The scheme of the URIs that name its journals. */
    String scheme();

    /**
     * The journal that a URI names.
     *
     * @throws IllegalArgumentException if it names none
     */
    JournalId journalOf(URI uri, Configuration conf);

    /**
     * Reads the configuration of a journal; opens nothing.
     *
     * @throws IllegalArgumentException if it is wrong; the text names the property
     */
    ConfiguredJournal find(Configuration conf, URI uri, NamespaceInfo namespace);
}
