/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.JournalWriters;
import io.trefoil.journal.transport.access.Networks;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Whom a pool node trusts by address, by the configuration. */
final class NodeAccess {

    private NodeAccess() {}

    /** @param addresses the pool nodes that URIs name */
    static AccessSettings read(Configuration conf, SuffixedConfiguration suffixed, Collection<NodeAddress> addresses) {
        Set<String> hosts = new LinkedHashSet<>();
        addresses.forEach(address -> hosts.add(address.host()));
        hosts.addAll(ConfiguredJournals.nameNodeHosts(conf));
        Networks nodes = SspKeys.ANY_ADDRESS.get(suffixed)
                ? Networks.EVERYWHERE
                : SspKeys.NODE_NETWORKS.find(suffixed).orElse(Networks.NONE);
        return AccessSettings.of(
                        hosts, nodes, SspKeys.OPERATOR_NETWORKS.find(suffixed).orElse(Networks.NONE))
                .withCertificates(
                        SspKeys.NODE_CERTIFICATES.find(suffixed).orElse(Collections.<String>emptySet()),
                        SspKeys.OPERATOR_CERTIFICATES.find(suffixed).orElse(Collections.<String>emptySet()))
                .withWriters(keptApart(conf, suffixed));
    }

    /**
     * Who writes what, by addresses and certificates: those say at which host somebody is, by one of its names, and a host may have another
     * name for clients than for the pool. So nobody is kept from a journal without need: if it is the only one, there is nobody else.
     */
    private static JournalWriters keptApart(Configuration conf, SuffixedConfiguration suffixed) {
        boolean isAlone = ConfiguredJournals.of(conf).stream()
                                .map(PoolUri::journal)
                                .distinct()
                                .count()
                        < 2
                && !SspKeys.WRITERS.find(suffixed).isPresent();
        return isAlone ? JournalWriters.UNKNOWN : writers(conf, suffixed);
    }

    /** Who is set to write a journal, and for the others the NameNodes that have it as their shared edits. */
    static JournalWriters writers(Configuration conf, SuffixedConfiguration suffixed) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>(ConfiguredJournals.writers(conf));
        SspKeys.WRITERS.find(suffixed).ifPresent(writers::putAll);
        writers.values().removeIf(hosts -> hosts.contains(SspKeys.ANY_WRITER));
        return JournalWriters.of(writers);
    }

    /** The principals of those NameNodes, for the journals whose writers are not set by hand. */
    static Map<JournalId, Set<String>> writerPrincipals(Configuration conf, SuffixedConfiguration suffixed) {
        Map<JournalId, Set<String>> principals = new LinkedHashMap<>(ConfiguredJournals.writerPrincipals(conf));
        SspKeys.WRITERS.find(suffixed).ifPresent(set -> principals.keySet().removeAll(set.keySet()));
        return principals;
    }
}
