/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import com.google.auto.value.AutoValue;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Who knocks: where he calls from, and who he has been proven to be so far. Immutable. */
@AutoValue
public abstract class Visitor {

    /** Somebody of whom nothing is known but where he calls from. */
    public static Visitor from(InetAddress address) {
        return new AutoValue_Visitor(address, Collections.<Identity>emptyList());
    }

    /** The same with one proof more. */
    public final Visitor proven(Identity identity) {
        List<Identity> more = new ArrayList<>(identities());
        more.add(identity);
        return new AutoValue_Visitor(address(), Collections.unmodifiableList(more));
    }

    public abstract InetAddress address();

    /** What was proven, in the order of the proofs. */
    public abstract List<Identity> identities();

    /** Who he is by a proof of that kind. */
    public final Optional<Identity> identity(Identity.Kind kind) {
        return identities().stream().filter(one -> one.kind() == kind).findFirst();
    }
}
