/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive.group;

import com.google.auto.value.AutoValue;

/** Whether a member gets anything written. One that does not lets others try, and tries again later. Times are of any one clock. Immutable. */
@AutoValue
public abstract class ArchiverHealth {

    /** How long nothing may succeed, longer than an object store that throttles takes to give way. */
    public static final long PATIENCE_MILLIS = 30_000;

    /** How long another has the first try; long enough for each of a group's members. */
    public static final long REST_MILLIS = 4 * PATIENCE_MILLIS;

    /** A member that has not tried yet. */
    public static ArchiverHealth begin(long nowMillis) {
        return new AutoValue_ArchiverHealth(nowMillis, nowMillis);
    }

    abstract long goodMillis();

    abstract long restsUntilMillis();

    /** It was chosen, and tries from now on. */
    public final ArchiverHealth trying(long nowMillis) {
        return new AutoValue_ArchiverHealth(nowMillis, restsUntilMillis());
    }

    /** Something succeeded. */
    public final ArchiverHealth good(long nowMillis) {
        return begin(nowMillis);
    }

    /** It is still trying. */
    public final ArchiverHealth look(long nowMillis) {
        return nowMillis - goodMillis() > PATIENCE_MILLIS
                ? new AutoValue_ArchiverHealth(goodMillis(), nowMillis + REST_MILLIS)
                : this;
    }

    public final boolean isFailing(long nowMillis) {
        return nowMillis < restsUntilMillis();
    }
}
