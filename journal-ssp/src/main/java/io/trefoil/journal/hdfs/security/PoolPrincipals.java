/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import com.google.auto.value.AutoValue;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The principals of a cluster as its configuration has them, such as {@code nn/_HOST@REALM}. Immutable. */
@AutoValue
public abstract class PoolPrincipals {

    private static final String ANY_HOST = "/_HOST@";

    /**
     * @param nodes of pool nodes
     * @param nameNodes of NameNodes, one or more
     */
    public static PoolPrincipals of(String nodes, Collection<String> nameNodes) {
        return new AutoValue_PoolPrincipals(nodes, Collections.unmodifiableSet(new LinkedHashSet<>(nameNodes)));
    }

    /** What pool nodes have to prove to those who call them. */
    abstract String nodes();

    abstract Set<String> nameNodes();

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
