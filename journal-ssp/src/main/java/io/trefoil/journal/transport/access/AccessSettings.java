/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/** The callers that a pool node trusts by address, besides its own host and the members of its journals. Immutable. */
@AutoValue
public abstract class AccessSettings {

    /** Trusts only its own host and the members. */
    public static final AccessSettings MEMBERS_ONLY = of(Collections.<String>emptySet(), Networks.NONE, Networks.NONE);

    public static AccessSettings of(Set<String> hosts, Networks nodes, Networks operators) {
        return new AutoValue_AccessSettings(
                copyOf(hosts),
                nodes,
                operators,
                Collections.<String>emptySet(),
                Collections.<String>emptySet(),
                PermittedWriters.UNKNOWN);
    }

    private static Set<String> copyOf(Set<String> names) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(names));
    }

    /**
     * A copy with hosts that are trusted by their certificates.
     *
     * @param nodes in addition to the members and {@link #hosts}
     */
    public final AccessSettings withCertificates(Set<String> nodes, Set<String> operators) {
        return new AutoValue_AccessSettings(hosts(), nodes(), operators(), copyOf(nodes), copyOf(operators), writers());
    }

    /** A copy with journals that only some hosts may write. */
    public final AccessSettings withWriters(PermittedWriters writers) {
        return new AutoValue_AccessSettings(
                hosts(), nodes(), operators(), nodeCertificates(), operatorCertificates(), writers);
    }

    /** Names or addresses of the cluster's own hosts: they have all rights, except as {@link #writers} says. */
    public abstract Set<String> hosts();

    /** Networks that count as the cluster's own. */
    public abstract Networks nodes();

    /** Networks whose hosts may read and administer, but not write. */
    public abstract Networks operators();

    /** Names of hosts whose certificates count as the cluster's own, in addition to those of members and {@link #hosts}. */
    public abstract Set<String> nodeCertificates();

    /** Names of hosts whose certificates may read and administer, but not write. */
    public abstract Set<String> operatorCertificates();

    /** Returns which of the cluster's own hosts may write which journal; the others may do everything else with it. */
    public abstract PermittedWriters writers();
}
