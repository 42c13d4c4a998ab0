/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.journal.model.JournalId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;

/**
 * Tells which of the nameservices in a configuration are this cluster's. Others may be in {@code dfs.nameservices} as well, so
 * that a client finds them, as for distcp; their NameNodes have no business in this cluster's pool.
 *
 * <p>{@code dfs.internal.nameservices} says it, where it is set. Where not, those are this cluster's whose journal the
 * configuration says: a client needs to know where NameNodes are, and never where their edits are. A nameservice of a
 * federation has that under its own suffix, since no two can use one journal; without a suffix it belongs to one, be it
 * the only one, this NameNode's, or the one that the journal is named after.
 */
final class LocalNameserviceFinder {

    private LocalNameserviceFinder() {}

    /** The names of this cluster's nameservices, in the order of the configuration. */
    static Set<String> of(Configuration conf) {
        Collection<String> all = DFSUtilClient.getNameServiceIds(conf);
        Collection<String> internal = conf.getTrimmedStringCollection(DFSConfigKeys.DFS_INTERNAL_NAMESERVICES_KEY);
        Set<String> own = new LinkedHashSet<>(all);
        if (!internal.isEmpty()) {
            own.retainAll(internal);
        } else if (all.size() > 1) {
            Set<String> here = localNameservices(conf, all);
            own.removeIf(nameservice ->
                    !here.contains(nameservice) && !ConfiguredJournals.hasExplicitJournal(nameservice, conf));
        }
        return Collections.unmodifiableSet(own);
    }

    /** The nameservice of this NameNode, and the one that uses the journal without a suffix, as far as each is known. */
    private static Set<String> localNameservices(Configuration conf, Collection<String> all) {
        Set<String> here = new LinkedHashSet<>();
        String named = conf.getTrimmed(DFSConfigKeys.DFS_NAMESERVICE_ID, "");
        if (!named.isEmpty()) {
            here.add(named);
            return here;
        }
        Optional<JournalId> journal = ConfiguredJournals.unsuffixedJournal(conf);
        if (journal.isPresent() && all.contains(journal.get().text())) {
            here.add(journal.get().text());
        } else if (journal.isPresent()) {
            NodeConfiguration.suffixedForThisHost(conf).nameservice().ifPresent(here::add);
        }
        return here;
    }
}
