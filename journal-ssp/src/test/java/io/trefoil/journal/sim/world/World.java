/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import java.util.Random;

/** What everything in a simulation shares: one clock, one order of events, one source of randomness. */
public interface World {

    long nowNanos();

    Random random();

    /** Schedules something after a while, whatever happens to the caller. */
    void schedule(long nanos, Object what, Runnable happening);

    /** Adds a line to the trace. */
    void note(Object what);

    /** A number that was not returned before. */
    long nextNumber();

    /** The threads of all processes. */
    Fibers fibers();
}
