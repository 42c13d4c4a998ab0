/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process.jvm;

/**
 * The clocks of a host that run at a different speed than all others, from the start of its process on. {@link ClockedJars}
 * has our classes read these instead of the JDK's. Thread-safe; uses nothing but the JDK, as {@link ExitWithParent} does.
 */
public final class DriftingClock {
    /** The system property that holds the speed; 1, the default, is correct. */
    public static final String SPEED = "trefoil.it.clock.speed";

    private static final double PACE = Double.parseDouble(System.getProperty(SPEED, "1"));
    private static final long BEGAN_NANOS = System.nanoTime();
    private static final long BEGAN_MILLIS = System.currentTimeMillis();

    private DriftingClock() {}

    /** Replaces {@link System#nanoTime()}. */
    public static long nanoTime() {
        return BEGAN_NANOS + (long) ((System.nanoTime() - BEGAN_NANOS) * PACE);
    }

    /** Replaces {@link System#currentTimeMillis()}, at the same speed, as a host has one oscillator. */
    public static long currentTimeMillis() {
        return BEGAN_MILLIS + (long) ((System.currentTimeMillis() - BEGAN_MILLIS) * PACE);
    }
}
