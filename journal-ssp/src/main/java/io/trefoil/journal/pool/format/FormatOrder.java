/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** An operator's order to format a journal, with what this host knows of an earlier one. Immutable. */
@AutoValue
public abstract class FormatOrder {

    /** An order that is refused if a node holds data of the journal. */
    public static FormatOrder of(NamespaceId namespace, StorageRecord.Version version) {
        return new AutoValue_FormatOrder(
                namespace, version, false, Collections.<Incarnation>emptySet(), Collections.<Incarnation>emptySet());
    }

    public abstract NamespaceId namespace();

    public abstract StorageRecord.Version version();

    public abstract boolean force();

    /** The incarnations that the namespace on this host was made from. */
    public abstract Set<Incarnation> knownIncarnations();

    /** The incarnations that the operator declares void, although they may be in use. */
    public abstract Set<Incarnation> voidedIncarnations();

    /** A copy that formats even where nodes hold a journal already: they move it aside. */
    public final FormatOrder withForce() {
        return new AutoValue_FormatOrder(namespace(), version(), true, knownIncarnations(), voidedIncarnations());
    }

    public final FormatOrder withKnownIncarnations(Collection<Incarnation> known) {
        return new AutoValue_FormatOrder(namespace(), version(), force(), sort(known), voidedIncarnations());
    }

    public final FormatOrder withVoidedIncarnations(Collection<Incarnation> voided) {
        return new AutoValue_FormatOrder(namespace(), version(), force(), knownIncarnations(), sort(voided));
    }

    private static Set<Incarnation> sort(Collection<Incarnation> incarnations) {
        return Collections.unmodifiableSet(new TreeSet<>(incarnations));
    }
}
