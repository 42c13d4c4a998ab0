/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim;

/** A machine with one process: it runs, stands still for a while, or is down. What it was about to do dies with it. */
final class SimHost {

    private final Simulation simulation;
    private final String name;
    private boolean up = true;
    private int incarnation;
    private long pausedUntilNanos;

    SimHost(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
    }

    String name() {
        return name;
    }

    boolean isUp() {
        return up;
    }

    /** Counts its starts. */
    int incarnation() {
        return incarnation;
    }

    void goDown() {
        up = false;
        incarnation++;
        pausedUntilNanos = 0;
    }

    void comeUp() {
        up = true;
    }

    void pauseUntil(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, nanos);
    }

    void resume() {
        pausedUntilNanos = 0;
    }

    /** Does something after a while, or when the process runs again; never if it dies before. */
    void after(long nanos, Object what, Runnable happening) {
        int own = incarnation;
        simulation.after(nanos, what, () -> runIfAlive(own, what, happening));
    }

    private void runIfAlive(int own, Object what, Runnable happening) {
        if (!up || incarnation != own) {
            return;
        }
        long pauseNanos = pausedUntilNanos - simulation.nowNanos();
        if (pauseNanos > 0) {
            simulation.after(pauseNanos, what, () -> runIfAlive(own, what, happening));
        } else {
            happening.run();
        }
    }
}
