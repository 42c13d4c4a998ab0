/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.agent;

import com.google.auto.value.AutoValue;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import java.util.Optional;

/**
 * When a member that is behind pins the journal, and when it lets go of it (paper §4.2.3). A pin expires by itself, and
 * only a member that has made progress pins again: one that is dead, or hangs, keeps nothing for ever. Immutable.
 */
@AutoValue
public abstract class JuniorPin {

    /** What is to be asked of the active. */
    public enum Order {
        NOTHING,
        PIN,
        RELEASE
    }

    /** So much later it has come so far that older transactions may go. */
    static final long AGAIN_MILLIS = 600_000;

    /** After an order that nobody took. */
    static final long RETRY_MILLIS = 10_000;

    /** A process begins with what was pinned for it before it started. */
    public static JuniorPin begin(long nowMillis) {
        return new AutoValue_JuniorPin(Optional.<Long>empty(), true, nowMillis, nowMillis);
    }

    /** Behind which it had something pinned; empty if it had not, since it was no junior. */
    abstract Optional<Long> pinnedTxId();

    abstract boolean mayBePinned();

    /** Nothing is asked before: it was asked in vain. */
    abstract long notBeforeMillis();

    /** Nothing is pinned before: what is pinned is new enough. */
    abstract long pinNotBeforeMillis();

    /** What is due. */
    public final Order due(MemberRecord self, long maxLag, long nowMillis) {
        if (nowMillis < notBeforeMillis()) {
            return Order.NOTHING;
        }
        if (self.state() != MemberState.JUNIOR) {
            return mayBePinned() ? Order.RELEASE : Order.NOTHING;
        }
        boolean further =
                !pinnedTxId().isPresent() || self.appliedTxId() > pinnedTxId().get();
        boolean due = further && nowMillis >= pinNotBeforeMillis();
        return self.lag() > maxLag && due ? Order.PIN : Order.NOTHING;
    }

    /** The active has pinned what is behind a transaction. */
    public final JuniorPin pinned(long txId, long nowMillis) {
        return new AutoValue_JuniorPin(Optional.of(txId), true, nowMillis, nowMillis + AGAIN_MILLIS);
    }

    /** The active keeps nothing for it any more. */
    public final JuniorPin released(long nowMillis) {
        return new AutoValue_JuniorPin(Optional.<Long>empty(), false, nowMillis, nowMillis);
    }

    /** Nobody took the order. */
    public final JuniorPin failed(long nowMillis) {
        return new AutoValue_JuniorPin(pinnedTxId(), mayBePinned(), nowMillis + RETRY_MILLIS, pinNotBeforeMillis());
    }
}
