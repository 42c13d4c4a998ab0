/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import com.google.auto.value.AutoValue;

/**
 * Tells whether a member gets anything written. One that does not lets others try, and tries again later. Times are of any
 * one clock. Immutable.
 */
@AutoValue
public abstract class ArchiverHealth {

    /** How long nothing may succeed, longer than an object store that throttles takes to give way. */
    public static final long TIMEOUT_MILLIS = 30_000;

    /** How long another has the first try; long enough for each of a group's members. */
    public static final long REST_MILLIS = 4 * TIMEOUT_MILLIS;

    /** Returns the health of a member that has not tried yet. */
    public static ArchiverHealth begin(long nowMillis) {
        return new AutoValue_ArchiverHealth(nowMillis, nowMillis);
    }

    abstract long lastSuccessMillis();

    abstract long backoffUntilMillis();

    /** Returns the state of one that was chosen, and tries from now on. */
    public final ArchiverHealth startTrying(long nowMillis) {
        return new AutoValue_ArchiverHealth(nowMillis, backoffUntilMillis());
    }

    /** Returns the state after a success. */
    public final ArchiverHealth recordSuccess(long nowMillis) {
        return begin(nowMillis);
    }

    /** Returns the state of one that is still trying. */
    public final ArchiverHealth update(long nowMillis) {
        return nowMillis - lastSuccessMillis() > TIMEOUT_MILLIS
                ? new AutoValue_ArchiverHealth(lastSuccessMillis(), nowMillis + REST_MILLIS)
                : this;
    }

    public final boolean isFailing(long nowMillis) {
        return nowMillis < backoffUntilMillis();
    }
}
