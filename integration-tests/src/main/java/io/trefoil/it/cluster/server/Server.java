/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.cluster.server;

import io.trefoil.it.cluster.layout.ClusterLayout;
import io.trefoil.it.cluster.layout.ServerSpec;
import io.trefoil.it.process.Await;
import io.trefoil.it.process.ProcessExit;
import io.trefoil.it.process.ServerLog;
import io.trefoil.it.process.SupervisedProcess;
import io.trefoil.it.process.ToolResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;

/** A server of the cluster: one JVM that runs a stock main class, and is restarted when it exits on its own. */
public class Server implements AutoCloseable {
    private static final int LINES_OF_LOG = 40;

    private final ServerSpec spec;
    private final Launcher launcher;
    private final ClusterLayout layout;
    private final SupervisedProcess process;
    private final AtomicReference<List<String>> argumentsOfNextRun = new AtomicReference<>(List.of());

    public Server(ServerSpec spec, Launcher launcher, ClusterLayout layout) {
        this.spec = spec;
        this.launcher = launcher;
        this.layout = layout;
        this.process = new SupervisedProcess(
                spec.name(),
                () -> {
                    prepareStart();
                    List<String> arguments = argumentsOf(spec);
                    ProcessBuilder run = launcher.server(
                            spec.name(),
                            spec.mainClass(),
                            spec.properties().get(),
                            spec.jvmOptions(),
                            arguments,
                            spec.environment());
                    // As in Hadoop's scripts: what starts with an argument is not kept.
                    return arguments.isEmpty() ? withKeeper(run, launcher) : run;
                },
                spec.supervised());
    }

    /** Runs before each start of the process, whatever starts it; nothing else happens to the process in the meantime. */
    void prepareStart() {}

    /** The command of a run, through a keeper if this server has one. */
    ProcessBuilder withKeeper(ProcessBuilder run, Launcher launcher) {
        return run;
    }

    private List<String> argumentsOf(ServerSpec server) {
        List<String> all = new ArrayList<>(server.arguments());
        all.addAll(argumentsOfNextRun.getAndSet(List.of()));
        return all;
    }

    public final String name() {
        return spec.name();
    }

    /** Rewrites the configuration like a start; the process rereads it only when ordered to. */
    public final void rewriteConfiguration() {
        launcher.configure(spec.name(), spec.properties().get());
    }

    /** Starts the process; does not wait until it serves. */
    public final void start() {
        process.start();
    }

    /** Starts with arguments for the main class; later starts, including those by supervision, do not use them. */
    public final void startWith(String... arguments) {
        argumentsOfNextRun.set(List.of(arguments));
        process.start();
    }

    /** Terminates the process with SIGTERM; it stays down. */
    public final void stop() {
        process.stop();
    }

    /** Stops and starts. */
    public final void restart() {
        stop();
        start();
    }

    /** Kills with -9. A supervised server comes back. */
    public final void kill9() {
        process.kill9();
    }

    /** Kills with -9; the server stays down until {@link #start}. */
    public final void kill9ForGood() {
        process.kill9ForGood();
    }

    /** Freezes the process (SIGSTOP). */
    public final void pause() {
        process.pause();
    }

    /** Resumes the frozen process (SIGCONT). */
    public final void resume() {
        process.resume();
    }

    /** Switches supervision, that is, the restart after the process exits on its own, on or off. */
    public final void setSupervised(boolean supervised) {
        process.setSupervised(supervised);
    }

    /** Waits until one of its services accepts connections. */
    public final void awaitListening(String service) {
        await("listens", Await.TIMEOUT, () -> Endpoints.isListening(address(service)));
    }

    /** Whether the process exists; a frozen one does. */
    public final boolean isAlive() {
        return process.isAlive();
    }

    public final long pid() {
        return process.pid();
    }

    /** Returns how often the process was started, by whatever means. */
    public final int startCount() {
        return process.startCount();
    }

    /** The exits of all runs so far, oldest first. */
    public final List<ProcessExit> exits() {
        return process.exits();
    }

    /** Returns the server's log, over all its runs. */
    public final ServerLog log() {
        return new ServerLog(launcher.logOf(name()));
    }

    /** Returns the server's output, over all its runs. */
    public final ServerLog console() {
        return new ServerLog(launcher.consoleOf(name()));
    }

    /** Returns where the server keeps its data. */
    public final Path dataDirectory() {
        return layout.dataDirectory(name());
    }

    /** Returns where the server keeps its replica of the journal, if it has one. */
    public final Path journalDirectory() {
        return layout.journalDirectory(name());
    }

    /** The address of one of the server's services, as {@code host:port}. */
    public final String address(String service) {
        return layout.address(name(), service);
    }

    /**
     * Runs a command to completion like an operator on this server's host: with its configuration and its network, but in a separate JVM,
     * with its own log.
     */
    public final ToolResult tool(String mainClass, String... arguments) {
        return toolWithAnswer("", mainClass, arguments);
    }

    /** Like {@link #tool}, as the user named in environment variables. */
    public final ToolResult toolAs(Map<String, String> environment, String mainClass, String... arguments) {
        return launcher.tool(
                name(), name() + "-tool", mainClass, spec.properties().get(), environment, "", List.of(arguments));
    }

    /**
     * Runs a command that prompts the operator.
     *
     * @param answer what the operator types, without the line end
     */
    public final ToolResult toolWithAnswer(String answer, String mainClass, String... arguments) {
        return launcher.tool(
                name(), name() + "-tool", mainClass, spec.properties().get(), answer, List.of(arguments));
    }

    /** Waits until the process has exited more often than the given number of times. */
    public final void awaitExit(int exitsBefore, Duration limit) {
        await("has ended", limit, () -> exits().size() > exitsBefore);
    }

    /**
     * Waits for a condition of this server.
     *
     * @throws AssertionError after the limit, with the end of the server's log
     */
    public final void await(String condition, Duration limit, Callable<Boolean> check) {
        Await.until(name() + " " + condition, limit, check, this::describe);
    }

    /** State, starts, ends and the last lines of the log, for a message. */
    public final String describe() {
        return "%s: alive=%s starts=%d exits=%s\n--- end of %s\n%s\n--- end of its console\n%s"
                .formatted(
                        name(),
                        isAlive(),
                        startCount(),
                        exits(),
                        log().file(),
                        log().tail(LINES_OF_LOG),
                        console().tail(LINES_OF_LOG));
    }

    @Override
    public void close() {
        process.close();
    }

    @Override
    public final String toString() {
        return name();
    }
}
