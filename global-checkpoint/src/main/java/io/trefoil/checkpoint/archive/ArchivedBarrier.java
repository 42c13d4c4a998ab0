/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Pin;
import java.util.Base64;
import java.util.Optional;

/** A checkpoint's entry in an archived log. Immutable. */
@AutoValue
public abstract class ArchivedBarrier {

    static ArchivedBarrier of(long sn, Barrier barrier) {
        return new AutoValue_ArchivedBarrier(sn, barrier);
    }

    /** Returns the barrier of a checkpoint that an entry sets; empty for others, and for pins, which mark no instant. */
    static Optional<ArchivedBarrier> of(Entry entry) {
        if (entry.kind() != EntryKind.BARRIER) {
            return Optional.empty();
        }
        Barrier barrier = Barrier.fromPayload(entry.payload());
        return Pin.isPinName(barrier.name()) ? Optional.empty() : Optional.of(of(entry.sn(), barrier));
    }

    public abstract long sn();

    public abstract Barrier barrier();

    @Override
    public final String toString() {
        return sn() + " "
                + Base64.getEncoder().encodeToString(barrier().toPayload().toByteArray());
    }

    /**
     * Parses the result of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static ArchivedBarrier parse(String text) {
        String[] words = text.split(" ", -1);
        if (words.length != 2) {
            throw new IllegalArgumentException("Wanted a serial number and a barrier, found '" + text + "'");
        }
        return of(
                Long.parseLong(words[0]),
                Barrier.fromPayload(Bytes.wrap(Base64.getDecoder().decode(words[1]))));
    }
}
