/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A server process and its operator: it does for a process what systemd does with {@code Restart=always}, and also what tests need.
 *
 * <p>While supervision is on, a process that ends without having been stopped is started again after a short delay,
 * whatever its exit code. All methods are thread-safe: supervision acts on the reaper threads of the JVM while a test
 * acts on its own.
 */
public final class SupervisedProcess implements AutoCloseable {
    /** The default {@code RestartSec} of systemd. */
    private static final Duration RESTART_DELAY = Duration.ofMillis(100);

    private static final Duration TIME_TO_HEAR_OF_AN_END = Duration.ofSeconds(1);

    private final String name;
    private final Supplier<ProcessBuilder> command;
    private final List<ProcessExit> exits = new ArrayList<>();
    private Lifecycle lifecycle = Lifecycle.DOWN;
    private boolean supervised;
    private int startCount;
    private Process process;
    private ProcessPause pause;

    /** The state desired by the operator; the actual state may differ. */
    private enum Lifecycle {
        DOWN,
        UP
    }

    /**
     * @param name for messages
     * @param command supplies the builder of each run; its standard input must be a pipe
     * @param supervised whether the process is started again when it ends by itself
     */
    public SupervisedProcess(String name, Supplier<ProcessBuilder> command, boolean supervised) {
        this.name = name;
        this.command = command;
        this.supervised = supervised;
    }

    /** Starts the process and returns as soon as it exists. Does nothing if it runs. */
    public synchronized void start() {
        if (lifecycle == Lifecycle.UP && isAlive()) {
            return;
        }
        lifecycle = Lifecycle.UP;
        launch();
    }

    /**
     * Terminates the process with SIGTERM and waits for its exit; it stays down.
     *
     * @throws AssertionError if it is still there after {@link Await#TIMEOUT}; it is then killed
     */
    public void stop() {
        Process runningProcess = markDown();
        if (runningProcess == null) {
            return;
        }
        terminate(runningProcess);
        // A frozen process does not see the signal until it is resumed.
        resume();
        if (!awaitEnd(runningProcess, Await.TIMEOUT)) {
            kill(runningProcess);
            throw new AssertionError(name + " ignored SIGTERM for " + Await.TIMEOUT.toSeconds() + " s");
        }
    }

    /**
     * Sends SIGTERM, but not with {@link Process#destroy}, which also closes the leash, so that the process would be gone before its hooks
     * run.
     */
    private static void terminate(Process runningProcess) {
        try {
            Signal.TERM.sendTo(runningProcess);
        } catch (IOException e) {
            if (runningProcess.isAlive()) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Kills with -9 and waits for the exit. Under supervision the process comes back. */
    public void kill9() {
        Process runningProcess;
        synchronized (this) {
            runningProcess = process;
        }
        if (runningProcess != null) {
            kill(runningProcess);
        }
    }

    /** Kills with -9 and waits for the exit; the process stays down until {@link #start}. */
    public void kill9ForGood() {
        Process runningProcess = markDown();
        if (runningProcess != null) {
            kill(runningProcess);
        }
    }

    /**
     * Freezes the process with SIGSTOP.
     *
     * @throws IllegalStateException if no process exists now
     */
    public synchronized void pause() {
        if (pause != null) {
            return;
        }
        try {
            pause = ProcessPause.of(process);
        } catch (IOException e) {
            // The system may know of its end a moment before this JVM does.
            if (awaitEnd(process, TIME_TO_HEAR_OF_AN_END)) {
                throw new IllegalStateException("cannot pause " + name + ": it does not run", e);
            }
            throw new UncheckedIOException("cannot pause " + name, e);
        }
    }

    /** Resumes a frozen process (SIGCONT). */
    public synchronized void resume() {
        if (pause == null) {
            return;
        }
        try {
            pause.end();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot resume " + name, e);
        } finally {
            pause = null;
        }
    }

    /** Switches supervision on or off; applies to future exits. */
    public synchronized void setSupervised(boolean supervised) {
        this.supervised = supervised;
    }

    /** Whether a process exists now; a frozen one does. */
    public synchronized boolean isAlive() {
        return process != null && process.isAlive();
    }

    /** The process id of the current run, or of the last one. */
    public synchronized long pid() {
        if (process == null) {
            throw new IllegalStateException(name + " was never started");
        }
        return process.pid();
    }

    /** Returns how often the process was started, including the first start. */
    public synchronized int startCount() {
        return startCount;
    }

    /** All exits so far, oldest first. */
    public synchronized List<ProcessExit> exits() {
        return List.copyOf(exits);
    }

    /** Kills the process if it runs; it stays down. */
    @Override
    public void close() {
        kill9ForGood();
    }

    private synchronized Process markDown() {
        lifecycle = Lifecycle.DOWN;
        return process;
    }

    private synchronized void launch() {
        try {
            Process started = command.get().start();
            process = started;
            startCount++;
            started.onExit().thenAccept(this::onExit);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + name, e);
        }
    }

    private synchronized void onExit(Process process) {
        exits.add(new ProcessExit(Instant.now(), process.exitValue()));
        if (lifecycle == Lifecycle.UP && supervised) {
            CompletableFuture.delayedExecutor(RESTART_DELAY.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> restartAfter(process));
        }
    }

    private synchronized void restartAfter(Process exitedProcess) {
        // A test may have stopped or started it during the delay.
        if (lifecycle == Lifecycle.UP && process == exitedProcess) {
            launch();
        }
    }

    private void kill(Process runningProcess) {
        runningProcess.destroyForcibly();
        synchronized (this) {
            if (pause != null) {
                pause.forget();
                pause = null;
            }
        }
        if (!awaitEnd(runningProcess, Await.TIMEOUT)) {
            throw new IllegalStateException(name + " survived kill -9, pid " + runningProcess.pid());
        }
    }

    /** Waits for the end of a process; returns false if the time is up before. */
    private static boolean awaitEnd(Process runningProcess, Duration limit) {
        try {
            return runningProcess.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the end of pid " + runningProcess.pid(), e);
        }
    }
}
