/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.format;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.VoidRange;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** An operator's order to format a journal, with what this host knows of an earlier one. Immutable. */
@AutoValue
public abstract class FormatOrder {

    /** Creates an order for a new namespace, which is refused if a node holds data of the journal. */
    public static FormatOrder of(NamespaceId namespace, StorageRecord.Version version) {
        return new AutoValue_FormatOrder.Builder()
                .namespace(namespace)
                .version(version)
                .force(false)
                .knownIncarnations(Collections.<Incarnation>emptySet())
                .voidedIncarnations(Collections.<Incarnation>emptySet())
                .continuesNamespace(false)
                .lostRanges(Collections.<VoidRange>emptyList())
                .newestImage(Optional.<NewestImage>empty())
                .build();
    }

    public abstract NamespaceId namespace();

    public abstract StorageRecord.Version version();

    public abstract boolean force();

    /** The incarnations that the namespace on this host was made from. */
    public abstract Set<Incarnation> knownIncarnations();

    /** The incarnations that the operator declares void, although they may be in use. */
    public abstract Set<Incarnation> voidedIncarnations();

    /** Whether the journal is for the namespace on this host, not for a new one. */
    public abstract boolean continuesNamespace();

    /** The void ranges: images in them belong to a timeline that the restore to an instant ended. */
    public abstract List<VoidRange> lostRanges();

    /** The newest image of the namespace on this host; empty if there is none, or the journal is for a new one. */
    public abstract Optional<NewestImage> newestImage();

    abstract Builder toBuilder();

    /** A copy that formats even where nodes hold a journal already: they move it aside. */
    public final FormatOrder withForce() {
        return toBuilder().force(true).build();
    }

    public final FormatOrder withKnownIncarnations(Collection<Incarnation> known) {
        return toBuilder().knownIncarnations(sort(known)).build();
    }

    public final FormatOrder withVoidedIncarnations(Collection<Incarnation> voidedIncarnations) {
        return toBuilder().voidedIncarnations(sort(voidedIncarnations)).build();
    }

    /**
     * A copy for the namespace on this host.
     *
     * @param lostRanges images that have other transactions; empty if it did not go back
     */
    public final FormatOrder withContinuedNamespace(Collection<VoidRange> lostRanges) {
        return toBuilder()
                .continuesNamespace(true)
                .lostRanges(Collections.unmodifiableList(new ArrayList<>(lostRanges)))
                .build();
    }

    /** A copy for a namespace of which this is the newest image. */
    public final FormatOrder withNewestImage(NewestImage image) {
        return toBuilder().newestImage(Optional.of(image)).build();
    }

    /**
     * Returns the new journal's list of members before it has any; it names the earlier incarnations and their void ranges.
     *
     * @param ends the ends of the logs that exist, one for each incarnation
     */
    public final Members inheritedFrom(Collection<LogSummary> ends) {
        Set<Incarnation> replaced = new TreeSet<>(knownIncarnations());
        replaced.addAll(voidedIncarnations());
        List<VoidRange> lostRanges = new ArrayList<>(lostRanges());
        for (LogSummary end : ends) {
            replaced.add(end.incarnation());
            replaced.addAll(end.members().replacedIncarnations());
            for (VoidRange range : end.members().lostRanges()) {
                if (continuesNamespace() && isContinued(end.incarnation(), range)) {
                    lostRanges.add(range);
                }
            }
        }
        return Members.NONE.withReplacedIncarnations(replaced).withLostRanges(lostRanges);
    }

    /** Whether the namespace was made from an incarnation after it had lost this: a directory without a mark may be of any. */
    private boolean isContinued(Incarnation earlier, VoidRange lostRange) {
        return knownIncarnations().contains(earlier)
                || newestImage().filter(image -> image.isBehind(lostRange)).isPresent();
    }

    /**
     * Returns what an incarnation lost that the namespace here may have, so that a journal for it would have to repeat that or
     * must not begin; empty if that is clear. A namespace that an archive took back says itself what is void.
     */
    public final Optional<VoidRange> unclearRange(LogSummary end) {
        if (!continuesNamespace()
                || !lostRanges().isEmpty()
                || voidedIncarnations().contains(end.incarnation())) {
            return Optional.empty();
        }
        return end.members().lostRanges().stream()
                .filter(range -> !isContinued(end.incarnation(), range))
                .findFirst();
    }

    private static Set<Incarnation> sort(Collection<Incarnation> incarnations) {
        return Collections.unmodifiableSet(new TreeSet<>(incarnations));
    }

    @AutoValue.Builder
    abstract static class Builder {
        abstract Builder namespace(NamespaceId namespace);

        abstract Builder version(StorageRecord.Version version);

        abstract Builder force(boolean force);

        abstract Builder knownIncarnations(Set<Incarnation> knownIncarnations);

        abstract Builder voidedIncarnations(Set<Incarnation> voidedIncarnations);

        abstract Builder continuesNamespace(boolean continuesNamespace);

        abstract Builder lostRanges(List<VoidRange> lostRanges);

        abstract Builder newestImage(Optional<NewestImage> image);

        abstract FormatOrder build();
    }
}
