/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.config;

import io.trefoil.foundation.hdfs.ConfigKey;
import io.trefoil.foundation.hdfs.SuffixedConfiguration;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.PermittedWriters;
import io.trefoil.journal.transport.tls.TlsPolicy;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** Reads from the configuration whom a pool node trusts by address. */
final class AccessSettingsReader {

    private AccessSettingsReader() {}

    /** @param addresses the pool nodes that URIs name */
    static AccessSettings read(
            Configuration conf, SuffixedConfiguration suffixedConf, Collection<NodeAddress> addresses) {
        Set<String> hosts = new LinkedHashSet<>();
        addresses.forEach(address -> hosts.add(address.host()));
        hosts.addAll(ConfiguredJournals.nameNodeHosts(conf));
        TrustedHosts nodes = readTrustedHosts(SspKeys.NODE_NETWORKS, suffixedConf);
        TrustedHosts operators = readTrustedHosts(SspKeys.OPERATOR_NETWORKS, suffixedConf);
        return AccessSettings.of(hosts, nodes.networks(), operators.networks())
                .withCertificates(nodes.certifiedNames(), operators.certifiedNames())
                .withWriters(readPermittedWriters(conf, suffixedConf));
    }

    private static TrustedHosts readTrustedHosts(ConfigKey<TrustedHosts> key, SuffixedConfiguration conf) {
        TrustedHosts hosts = key.find(conf).orElse(TrustedHosts.NONE);
        if (!hosts.names().isEmpty() && SspKeys.TLS.get(conf) == TlsPolicy.OFF) {
            throw new IllegalArgumentException(conf.property(key.name()) + " lists " + hosts.names()
                    + ", but only certificates are compared with names, and " + SspKeys.TLS.name()
                    + " is off: write the addresses");
        }
        return hosts;
    }

    /**
     * The hosts that may write each journal, by addresses and certificates. Both identify a host by one of its names,
     * and a host may have one name for clients and another for the pool. With a single journal, no host is therefore
     * excluded: there is none to keep out.
     */
    private static PermittedWriters readPermittedWriters(Configuration conf, SuffixedConfiguration suffixedConf) {
        boolean isAlone = ConfiguredJournals.localClusterJournals(conf).stream()
                                .map(PoolUri::journal)
                                .distinct()
                                .count()
                        < 2
                && !SspKeys.WRITERS.find(suffixedConf).isPresent();
        return isAlone ? PermittedWriters.UNKNOWN : readConfiguredWriters(conf, suffixedConf);
    }

    /** The writers that are set for a journal; for other journals, the NameNodes whose shared edits it is. */
    static PermittedWriters readConfiguredWriters(Configuration conf, SuffixedConfiguration suffixedConf) {
        Map<JournalId, Set<String>> writers = new LinkedHashMap<>(ConfiguredJournals.writers(conf));
        SspKeys.WRITERS.find(suffixedConf).ifPresent(writers::putAll);
        writers.values().removeIf(hosts -> hosts.contains(SspKeys.ANY_WRITER));
        return PermittedWriters.of(writers);
    }

    /** The principals of the NameNodes that write each journal whose writers are not set by hand. */
    static Map<JournalId, Set<String>> writerPrincipals(Configuration conf, SuffixedConfiguration suffixedConf) {
        Map<JournalId, Set<String>> principals = new LinkedHashMap<>(ConfiguredJournals.writerPrincipals(conf));
        SspKeys.WRITERS.find(suffixedConf).ifPresent(set -> principals.keySet().removeAll(set.keySet()));
        return principals;
    }
}
