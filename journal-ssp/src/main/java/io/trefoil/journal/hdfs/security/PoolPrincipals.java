/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import com.google.auto.value.AutoValue;
import io.trefoil.foundation.names.HostResolver;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.access.HostNames;
import io.trefoil.journal.transport.access.PermittedWriters;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.apache.hadoop.security.SecurityUtil;

/**
 * The principals of a cluster as configured, such as {@code nn/_HOST@REALM}. Immutable.
 *
 * <p>Uses {@code SecurityUtil.getServerPrincipal}.
 */
@AutoValue
public abstract class PoolPrincipals {

    private static final String ANY_HOST = "/_HOST@";

    /**
     * @param nodes the principal of pool nodes
     * @param nameNodes the principals of NameNodes, one or more
     */
    public static PoolPrincipals of(String nodes, Collection<String> nameNodes) {
        return new AutoValue_PoolPrincipals(
                nodes,
                Collections.unmodifiableSet(new LinkedHashSet<>(nameNodes)),
                PermittedWriters.UNKNOWN,
                Collections.<JournalId, Set<String>>emptyMap());
    }

    /**
     * A copy with journals that only the NameNodes on some hosts may write.
     *
     * @param ofNameNodes the principals of these NameNodes, as patterns; for journals that are not in the map, any
     *     NameNode's
     */
    public final PoolPrincipals withWriters(PermittedWriters writers, Map<JournalId, Set<String>> ofNameNodes) {
        return new AutoValue_PoolPrincipals(
                nodePrincipal(),
                nameNodePrincipals(),
                writers,
                Collections.unmodifiableMap(new LinkedHashMap<>(ofNameNodes)));
    }

    /**
     * The principal that a pattern stands for on a host, by the host's canonical name, as callers of that host see it.
     * Where no name is known to be canonical, as while names do not resolve, it is the name by which the address was
     * found.
     */
    public static String resolveForHost(InetAddress host, String pattern) throws IOException {
        String canonical = host.getCanonicalHostName();
        return SecurityUtil.getServerPrincipal(
                pattern, HostResolver.isAddress(canonical) ? host.getHostName() : canonical);
    }

    /** The principal that pool nodes must prove to their callers. */
    abstract String nodePrincipal();

    abstract Set<String> nameNodePrincipals();

    abstract PermittedWriters writers();

    abstract Map<JournalId, Set<String>> writerPatterns();

    /** Whether it is the principal of a NameNode that may write a journal; compares the names of hosts as configured. */
    final boolean isWriter(String principal, JournalId journal) {
        return isWriter(principal, journal, (pattern, host) -> Optional.of(substituteHost(pattern, host)));
    }

    /**
     * Whether it is the principal of a NameNode that may write a journal.
     *
     * @param resolved the principal that a pattern stands for on a host; empty if it cannot be found. May block
     */
    final boolean isWriter(String principal, JournalId journal, BiFunction<String, String, Optional<String>> resolved) {
        Optional<Set<String>> hosts = writers().hostsOf(journal);
        return writerPatterns().getOrDefault(journal, nameNodePrincipals()).stream()
                .filter(pattern -> matches(principal, pattern))
                .anyMatch(pattern -> !hosts.isPresent()
                        || !pattern.contains(ANY_HOST)
                        || hosts.get().stream()
                                .anyMatch(host -> resolved.apply(pattern, host).equals(Optional.of(principal))));
    }

    private static String substituteHost(String pattern, String host) {
        return pattern.replace(ANY_HOST, "/" + HostNames.normalize(host) + "@");
    }

    final boolean isNameNode(String principal) {
        return nameNodePrincipals().stream().anyMatch(pattern -> matches(principal, pattern));
    }

    final boolean isNode(String principal) {
        return matches(principal, nodePrincipal());
    }

    /** Whether the principal matches the pattern, in which {@code _HOST} stands for any host. */
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
