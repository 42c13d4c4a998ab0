/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.Usage;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.process.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A candidate whose processes are up; idle between calls. */
public final class RunningCandidate implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Candidate plan;
    private final HostCpus hosts;
    private final List<Process> nodes = new ArrayList<>();
    private Process writer;
    private BufferedReader answers;

    private RunningCandidate(Candidate plan, HostCpus hosts) {
        this.plan = plan;
        this.hosts = hosts;
    }

    /** Starts all processes, which share the CPUs, and waits until the writer may write. */
    public static RunningCandidate start(Candidate plan, Jvms jvms) throws IOException {
        return start(plan, jvms, HostCpuPlan.sharing());
    }

    /** The same on hosts that have all CPUs each until {@link #limit}: a part of one would take minutes for the start. */
    public static RunningCandidate start(Candidate plan, Jvms jvms, HostCpuPlan cpus) throws IOException {
        RunningCandidate candidate = new RunningCandidate(plan, cpus.hostsOf(plan.hosts()));
        try {
            for (Candidate.Node node : plan.nodes()) {
                candidate.nodes.add(jvms.startServer(node.jvm(), candidate.hosts));
            }
            plan.nodes().forEach(RunningCandidate::awaitPort);
            candidate.writer = jvms.startTalking(plan.writer(), candidate.hosts);
            candidate.answers = candidate.writer.inputReader();
            candidate.answer(PATIENCE);
            return candidate;
        } catch (IOException | RuntimeException | AssertionError e) {
            candidate.close();
            throw e;
        }
    }

    public String name() {
        return plan.name();
    }

    /** Gives each host its CPUs, from now on. */
    public void limit(HostCpuPlan cpus) {
        cpus.limit(hosts);
    }

    /** Runs a load for some time and measures it. */
    public Sample measure(String load, Duration length) throws IOException {
        List<Long> nodePids = nodes.stream().map(Process::pid).toList();
        List<Long> writerPid = List.of(writer.pid());
        Usage machineBefore = Usage.ofMachine();
        Usage nodesBefore = Usage.of(nodePids);
        Usage writerBefore = Usage.of(writerPid);
        String line = ask(length.toMillis() + " " + load, length);
        Usage writerUsed = Usage.of(writerPid).minus(writerBefore);
        Usage nodesUsed = Usage.of(nodePids).minus(nodesBefore);
        return Sample.of(line, writerUsed, nodesUsed, Usage.ofMachine().minus(machineBefore));
    }

    /** The process of one of the nodes beside the writer's, counted from 0. */
    public Process node(int number) {
        return nodes.get(number);
    }

    /** Kills one of the nodes; {@link #startNode} restarts it with what is on its disk. */
    public void killNode(int number) {
        nodes.get(number).destroyForcibly().onExit().join();
    }

    public void startNode(int number, Jvms jvms) throws IOException {
        nodes.set(number, jvms.startServer(plan.nodes().get(number).jvm(), hosts));
    }

    /** Ends the segment and lets the journal delete what precedes it. */
    public void roll() throws IOException {
        ask("roll", Duration.ZERO);
    }

    private String ask(String command, Duration length) throws IOException {
        writer.outputWriter().write(command + "\n");
        writer.outputWriter().flush();
        return answer(PATIENCE.plus(length));
    }

    private String answer(Duration limit) throws IOException {
        CompletableFuture<String> line = CompletableFuture.supplyAsync(() -> {
            try {
                return answers.readLine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            String answer = line.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (answer == null) {
                throw new IOException("The writer of " + name() + " ended, see its log");
            }
            return answer;
        } catch (TimeoutException e) {
            throw new IOException("The writer of " + name() + " did not answer within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("The writer of " + name() + " cannot be heard", e);
        }
    }

    private static void awaitPort(Candidate.Node node) {
        Await.until(
                node.jvm().name() + " takes connections",
                PATIENCE,
                () -> {
                    try (Socket socket = new Socket()) {
                        socket.connect(new InetSocketAddress("127.0.0.1", node.port()), 1000);
                        return true;
                    }
                },
                () -> "see its log");
    }

    @Override
    public void close() {
        if (writer != null) {
            writer.destroyForcibly();
        }
        nodes.forEach(Process::destroyForcibly);
        nodes.forEach(node -> node.onExit().join());
        if (writer != null) {
            writer.onExit().join();
        }
        hosts.close();
    }
}
