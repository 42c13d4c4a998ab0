/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.access.HostNames;
import io.trefoil.journal.transport.access.JournalWriters;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/** The principals of a cluster as its configuration has them, such as {@code nn/_HOST@REALM}. Immutable. */
@AutoValue
public abstract class PoolPrincipals {

    private static final String ANY_HOST = "/_HOST@";

    /**
     * @param nodes of pool nodes
     * @param nameNodes of NameNodes, one or more
     */
    public static PoolPrincipals of(String nodes, Collection<String> nameNodes) {
        return new AutoValue_PoolPrincipals(
                nodes,
                Collections.unmodifiableSet(new LinkedHashSet<>(nameNodes)),
                JournalWriters.UNKNOWN,
                Collections.<JournalId, Set<String>>emptyMap());
    }

    /**
     * The same, with journals that only the NameNodes of some hosts write.
     *
     * @param ofNameNodes the principals of these, as patterns; any NameNode's for journals that do not stand there
     */
    public final PoolPrincipals withWriters(JournalWriters writers, Map<JournalId, Set<String>> ofNameNodes) {
        return new AutoValue_PoolPrincipals(
                nodes(), nameNodes(), writers, Collections.unmodifiableMap(new LinkedHashMap<>(ofNameNodes)));
    }

    /** What pool nodes have to prove to those who call them. */
    abstract String nodes();

    abstract Set<String> nameNodes();

    abstract JournalWriters writers();

    abstract Map<JournalId, Set<String>> writerPatterns();

    /** Whether it is the principal of a NameNode that may write a journal, by the names of the hosts as they stand there. */
    final boolean isWriter(String principal, JournalId journal) {
        return isWriter(principal, journal, (pattern, host) -> Optional.of(onHost(pattern, host)));
    }

    /**
     * Whether it is the principal of a NameNode that may write a journal.
     *
     * @param resolved what a pattern comes to on a host; empty if that cannot be found out. May block
     */
    final boolean isWriter(String principal, JournalId journal, BiFunction<String, String, Optional<String>> resolved) {
        Optional<Set<String>> hosts = writers().of(journal);
        return writerPatterns().getOrDefault(journal, nameNodes()).stream()
                .filter(pattern -> matches(principal, pattern))
                .anyMatch(pattern -> !hosts.isPresent()
                        || !pattern.contains(ANY_HOST)
                        || hosts.get().stream()
                                .anyMatch(host -> resolved.apply(pattern, host).equals(Optional.of(principal))));
    }

    private static String onHost(String pattern, String host) {
        return pattern.replace(ANY_HOST, "/" + HostNames.plain(host) + "@");
    }

    final boolean isNameNode(String principal) {
        return nameNodes().stream().anyMatch(pattern -> matches(principal, pattern));
    }

    final boolean isNode(String principal) {
        return matches(principal, nodes());
    }

    /** Whether it is the one configured, on some host where that says any. */
    private static boolean matches(String principal, String pattern) {
        int slash = pattern.indexOf(ANY_HOST);
        if (slash < 0) {
            return principal.equals(pattern);
        }
        String service = pattern.substring(0, slash + 1);
        String realm = pattern.substring(slash + ANY_HOST.length() - 1);
        int hostLength = principal.length() - service.length() - realm.length();
        return hostLength > 0
                && principal.startsWith(service)
                && principal.endsWith(realm)
                && principal.indexOf('/', service.length()) < 0
                && principal.indexOf('@') == principal.length() - realm.length();
    }
}
