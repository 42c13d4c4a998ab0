/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.world;

/** A machine with one process: it runs, is paused, or is down. Scheduled actions die with it. */
public final class SimHost {

    private final World world;
    private final String name;
    private boolean up = true;
    private int incarnation;
    private long pausedUntilNanos;
    private double pace = 1;
    private long clockBeganNanos;
    private long clockShows;
    private long clockStandsUntilNanos;

    public SimHost(World world, String name) {
        this.world = world;
        this.name = name;
    }

    /** From now on its clock runs at another speed. */
    public void setClockRate(double newPace) {
        clockShows = nanoTime();
        clockBeganNanos = Math.max(world.nowNanos(), clockStandsUntilNanos);
        pace = newPace;
    }

    /** Its clock stops for a while: the machine was suspended, or the clock is bad. */
    public void stopClockFor(long nanos) {
        clockShows = nanoTime();
        clockStandsUntilNanos = world.nowNanos() + nanos;
        clockBeganNanos = clockStandsUntilNanos;
    }

    /** What its monotonic clock shows. */
    public long nanoTime() {
        return clockShows + (long) (Math.max(0, world.nowNanos() - clockBeganNanos) * pace);
    }

    public String name() {
        return name;
    }

    public boolean isUp() {
        return up;
    }

    /** The number of its starts. */
    public int incarnation() {
        return incarnation;
    }

    public void goDown() {
        up = false;
        incarnation++;
        pausedUntilNanos = 0;
    }

    public void comeUp() {
        up = true;
    }

    public void pauseUntil(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, nanos);
    }

    public void resume() {
        pausedUntilNanos = 0;
    }

    /** Does something after a while, later if the process is paused; never if the process dies first. */
    public void schedule(long nanos, Object what, Runnable happening) {
        int own = incarnation;
        world.schedule(nanos, what, () -> runIfAlive(own, what, happening));
    }

    private void runIfAlive(int own, Object what, Runnable happening) {
        if (!up || incarnation != own) {
            return;
        }
        long pauseNanos = pausedUntilNanos - world.nowNanos();
        if (pauseNanos > 0) {
            world.schedule(pauseNanos, what, () -> runIfAlive(own, what, happening));
        } else {
            happening.run();
        }
    }
}
