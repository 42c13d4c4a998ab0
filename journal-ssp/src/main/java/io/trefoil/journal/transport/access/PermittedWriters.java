/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The hosts whose NameNodes may write a journal, for journals whose writers are known. Immutable. */
@AutoValue
public abstract class PermittedWriters {

    /** No known writers: all NameNodes of the cluster may write all journals. */
    public static final PermittedWriters UNKNOWN = of(Collections.<JournalId, Set<String>>emptyMap());

    /** @param hosts names or addresses, by journal */
    public static PermittedWriters of(Map<JournalId, Set<String>> hosts) {
        Map<JournalId, Set<String>> copy = new LinkedHashMap<>();
        hosts.forEach((journal, names) -> copy.put(journal, Collections.unmodifiableSet(new LinkedHashSet<>(names))));
        return new AutoValue_PermittedWriters(Collections.unmodifiableMap(copy));
    }

    abstract Map<JournalId, Set<String>> hosts();

    /** The hosts of one journal; empty if any of the cluster's own hosts may write it. */
    public final Optional<Set<String>> hostsOf(JournalId journal) {
        return Optional.ofNullable(hosts().get(journal));
    }

    /** The hosts of all journals. */
    final Set<String> allHosts() {
        Set<String> all = new LinkedHashSet<>();
        hosts().values().forEach(all::addAll);
        return all;
    }

    /** Returns why a host that is not among a journal's writers may not write it, for refusals. */
    public final String refusalReason(JournalId journal) {
        return hostsOf(journal)
                .map(names -> "journal " + journal + " is written by the NameNodes of its nameservice, at " + names
                        + ", as dfs.nameservices or trefoil.journal.writers on the pool node's host says")
                .orElse("journal " + journal + " is written by the NameNodes of this cluster");
    }
}
