/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** A proven identity, and the kind of proof. Immutable. */
@AutoValue
public abstract class Identity {

    /** The kind of proof. */
    public enum Kind {
        /** A certificate signed by an authority that the node trusts, and its key. */
        CERTIFICATE,
        /** A Kerberos principal. */
        PRINCIPAL
    }

    /**
     * @param name for logs and refusals, as in the proof: a certificate's subject, a principal
     * @param hosts names and addresses of the hosts that it stands for; may be empty
     */
    public static Identity of(Kind kind, String name, Set<String> hosts) {
        Set<String> plain = new TreeSet<>();
        hosts.forEach(host -> plain.add(HostNames.normalize(host)));
        return new AutoValue_Identity(kind, name, Collections.unmodifiableSet(plain));
    }

    public abstract Kind kind();

    public abstract String name();

    /** Names and addresses of the hosts that it stands for, in {@linkplain HostNames#normalize plain} form. */
    public abstract Set<String> hosts();

    /** Whether the identity stands for the host of this name or address. */
    public final boolean representsHost(String host) {
        return hosts().contains(HostNames.normalize(host));
    }
}
