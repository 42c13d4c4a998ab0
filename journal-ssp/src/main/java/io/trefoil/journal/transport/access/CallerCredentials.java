/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** A caller that is not admitted yet: its address, and the identities it has proved so far. Immutable. */
@AutoValue
public abstract class CallerCredentials {

    /** Creates the credentials of a caller known only by its address. */
    public static CallerCredentials from(InetAddress address) {
        return new AutoValue_CallerCredentials(address, Collections.<Identity>emptyList());
    }

    /** A copy with one more proof. */
    public final CallerCredentials withIdentity(Identity identity) {
        List<Identity> more = new ArrayList<>(identities());
        more.add(identity);
        return new AutoValue_CallerCredentials(address(), Collections.unmodifiableList(more));
    }

    public abstract InetAddress address();

    /** The proven identities, in the order of the proofs. */
    public abstract List<Identity> identities();

    /** The identity established by a proof of that kind. */
    public final Optional<Identity> identity(Identity.Kind kind) {
        return identities().stream().filter(identity -> identity.kind() == kind).findFirst();
    }
}
