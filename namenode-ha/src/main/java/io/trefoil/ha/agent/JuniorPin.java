/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/**
 * The pin of a member that is behind: when the member pins the journal, and when it releases the pin (paper §4.2.3). A
 * pin expires by itself, and only a member that has made progress pins again: a dead or hanging member retains no edits
 * forever. Immutable.
 */
@AutoValue
public abstract class JuniorPin {

    /** The request to make of the active. */
    public enum Order {
        NOTHING,
        PIN,
        RELEASE
    }

    /** The time after which the member has progressed enough that older transactions may be purged. */
    static final long AGAIN_MILLIS = 600_000;

    /** The pause after a request that no NameNode accepted. */
    static final long RETRY_MILLIS = 10_000;

    /** Begins with the pin that was set for this process before it started. */
    public static JuniorPin begin(long nowMillis) {
        return new AutoValue_JuniorPin(Optional.<Long>empty(), true, nowMillis, nowMillis);
    }

    /** The transaction after which edits are pinned; empty if none are, as when the member was no junior. */
    abstract Optional<Long> pinnedTxId();

    abstract boolean mayBePinned();

    /** The time before which it sends no request, because the last one failed. */
    abstract long nextRequestMillis();

    /** The time before which it sets no pin, because the current one is recent enough. */
    abstract long nextPinMillis();

    /** The request that is due. */
    public final Order dueOrder(MemberRecord self, long maxLag, long nowMillis) {
        if (nowMillis < nextRequestMillis()) {
            return Order.NOTHING;
        }
        if (self.state() != MemberState.JUNIOR) {
            return mayBePinned() ? Order.RELEASE : Order.NOTHING;
        }
        boolean further =
                !pinnedTxId().isPresent() || self.appliedTxId() > pinnedTxId().get();
        boolean due = further && nowMillis >= nextPinMillis();
        return self.lag() > maxLag && due ? Order.PIN : Order.NOTHING;
    }

    /** A copy after the active has pinned everything after a transaction. */
    public final JuniorPin afterPin(long txId, long nowMillis) {
        return new AutoValue_JuniorPin(Optional.of(txId), true, nowMillis, nowMillis + AGAIN_MILLIS);
    }

    /** A copy after the active has stopped retaining anything for this member. */
    public final JuniorPin afterRelease(long nowMillis) {
        return new AutoValue_JuniorPin(Optional.<Long>empty(), false, nowMillis, nowMillis);
    }

    /** A copy after a request that no NameNode accepted. */
    public final JuniorPin afterFailure(long nowMillis) {
        return new AutoValue_JuniorPin(pinnedTxId(), mayBePinned(), nowMillis + RETRY_MILLIS, nextPinMillis());
    }
}
