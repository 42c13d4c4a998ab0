/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

import java.util.Random;

/** What everything in a simulation shares: one clock, one order of events, one source of chance. */
public interface World {

    long nowNanos();

    Random random();

    /** Lets something happen after a while, whatever becomes of whoever asked for it. */
    void after(long nanos, Object what, Runnable happening);

    /** Puts a word into the trace. */
    void note(Object what);

    /** A number that was not given before. */
    long nextNumber();

    /** The threads of all processes. */
    Fibers fibers();
}
