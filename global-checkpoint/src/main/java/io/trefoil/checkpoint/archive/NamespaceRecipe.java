/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.TxRange;
import java.util.List;
import java.util.Optional;

/** An image, and which of the transactions after it make a namespace of the past. Immutable. */
@AutoValue
public abstract class NamespaceRecipe {

    static NamespaceRecipe of(ArchivedImage image, ChunkSequence stretch, NamespaceTarget target) {
        return new AutoValue_NamespaceRecipe(
                image,
                stretch.parts(image.txId(), target),
                stretch.voids(),
                target,
                Optional.<Barrier>empty(),
                Optional.<CommitMark>empty(),
                Optional.<CommitMark>empty(),
                Optional.<Long>empty());
    }

    /** A copy that says between which marks its instant is, and up to when it has everything. */
    final NamespaceRecipe withMarks(CommitMark mark, Optional<CommitMark> next, Optional<Long> completeMillis) {
        return new AutoValue_NamespaceRecipe(
                image(), parts(), voids(), target(), barrier(), Optional.of(mark), next, completeMillis);
    }

    /** A copy that says whose cut it is. */
    final NamespaceRecipe withBarrier(Barrier barrier) {
        return new AutoValue_NamespaceRecipe(
                image(), parts(), voids(), target(), Optional.of(barrier), mark(), nextMark(), completeMillis());
    }

    public abstract ArchivedImage image();

    /** The chunks to be read, in their order. */
    public abstract List<ChunkSequence.Part> parts();

    abstract List<VoidPoint> voids();

    public abstract NamespaceTarget target();

    /** The barrier of the requested checkpoint; empty if a time or a transaction was requested. */
    public abstract Optional<Barrier> barrier();

    /** The mark by which all of it was committed; empty unless a time was requested. */
    public abstract Optional<CommitMark> mark();

    /**
     * The mark by which the next entries, which it lacks, were committed; empty if there are none or no time was
     * requested.
     */
    public abstract Optional<CommitMark> nextMark();

    /**
     * A time by which nothing was known to be committed that it lacks, in milliseconds since 1970; empty if the writer of the next mark did
     * not know any, there is no next mark, or no time was requested.
     */
    public abstract Optional<Long> completeMillis();

    /** The transactions of an entry that belong to it; may be none. */
    public final TxRange transactionsOf(Entry entry) {
        boolean isWanted = entry.kind() == EntryKind.EDITS
                && entry.sn() <= target().sn()
                && voids().stream()
                        .noneMatch(
                                point -> point.isVoid(entry.sn(), entry.txIds().first(), target().sn()));
        long first = Math.max(entry.txIds().first(), image().txId() + 1);
        long last = Math.min(entry.txIds().last(), target().txId());
        return isWanted && first <= last ? TxRange.of(first, last) : TxRange.NONE;
    }
}
