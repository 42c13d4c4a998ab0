/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.Sample;
import io.trefoil.benchmarks.Usage;
import io.trefoil.foundation.TcpProbe;
import io.trefoil.it.cluster.server.HostCpus;
import io.trefoil.it.process.Await;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A candidate whose processes are up; idle between calls. */
public final class RunningCandidate implements AutoCloseable {
    private final Candidate plan;
    private final HostCpus hosts;
    private final List<Process> nodes = new ArrayList<>();
    private final Map<String, InteractiveJvm> readers = new LinkedHashMap<>();
    private final List<InteractiveJvm> writers = new ArrayList<>();

    private RunningCandidate(Candidate plan, HostCpus hosts) {
        this.plan = plan;
        this.hosts = hosts;
    }

    /** Starts all processes, which share the CPUs, and waits until the writer may write. */
    public static RunningCandidate start(Candidate plan, JvmLauncher jvms) throws IOException {
        return start(plan, jvms, HostCpuPlan.shared());
    }

    /**
     * Like the other {@code start}, on hosts that each have all CPUs until {@link #limitCpus}: starting with a part of one would take
     * minutes.
     */
    public static RunningCandidate start(Candidate plan, JvmLauncher jvms, HostCpuPlan cpus) throws IOException {
        return start(plan, Map.of(), jvms, cpus);
    }

    /**
     * Like the other {@code start}, with additional readers.
     *
     * @param readers by their names in {@link #runReader}; they may hold replicas
     */
    static RunningCandidate start(Candidate plan, Map<String, JvmSpec> readers, JvmLauncher jvms, HostCpuPlan cpus)
            throws IOException {
        RunningCandidate candidate = new RunningCandidate(plan, cpus.newHosts(plan.hosts()));
        try {
            for (Candidate.Node node : plan.nodes()) {
                candidate.nodes.add(jvms.startServer(node.jvm(), candidate.hosts));
            }
            plan.nodes().forEach(RunningCandidate::awaitPort);
            for (Map.Entry<String, JvmSpec> reader : readers.entrySet()) {
                candidate.readers.put(reader.getKey(), InteractiveJvm.start(reader.getValue(), jvms, candidate.hosts));
            }
            candidate.writers.add(InteractiveJvm.start(plan.writer(), jvms, candidate.hosts));
            candidate.writer().awaitReady();
            for (InteractiveJvm reader : candidate.readers.values()) {
                reader.awaitReady();
            }
            return candidate;
        } catch (IOException | RuntimeException | AssertionError e) {
            candidate.close();
            throw e;
        }
    }

    private InteractiveJvm writer() {
        return writers.get(0);
    }

    public String name() {
        return plan.name();
    }

    /** Limits each host to its CPUs from now on. */
    public void limitCpus(HostCpuPlan cpus) {
        cpus.limit(hosts);
    }

    /** Runs a load for some time and measures it. */
    public Sample measure(String load, Duration length) throws IOException {
        List<Long> nodePids = nodes.stream().map(Process::pid).toList();
        List<Long> writerPid = List.of(writer().pid());
        Usage machineBefore = Usage.ofMachine();
        Usage nodesBefore = Usage.of(nodePids);
        Usage writerBefore = Usage.of(writerPid);
        String line = runLoad(load, length);
        Usage writerUsed = Usage.of(writerPid).minus(writerBefore);
        Usage nodesUsed = Usage.of(nodePids).minus(nodesBefore);
        return Sample.of(line, writerUsed, nodesUsed, Usage.ofMachine().minus(machineBefore));
    }

    /** Runs a load during which nodes may exit and start, so that their usage is unknown. Returns what the writer says. */
    public String runLoad(String load, Duration length) throws IOException {
        return writer().query(length.toMillis() + " " + load, length);
    }

    /** The names of the candidate's readers. */
    public Set<String> readers() {
        return readers.keySet();
    }

    /** Makes a reader read, and returns its report. */
    public String runReader(String reader, String command) throws IOException {
        return readers.get(reader).query(command, Duration.ZERO);
    }

    /** The process of one of the nodes other than the writer's, counted from 0. */
    public Process node(int number) {
        return nodes.get(number);
    }

    public int nodeCount() {
        return nodes.size();
    }

    /** Kills one of the nodes; {@link #startNode} restarts it with the data on its disk. */
    public void killNode(int number) {
        nodes.get(number).destroyForcibly().onExit().join();
    }

    public void startNode(int number, JvmLauncher jvms) throws IOException {
        nodes.set(number, jvms.startServer(plan.nodes().get(number).jvm(), hosts));
    }

    /** Ends the segment and lets the journal delete what precedes it. */
    public void rollSegment() throws IOException {
        writer().query("roll", Duration.ZERO);
    }

    private static void awaitPort(Candidate.Node node) {
        Await.until(
                node.jvm().name() + " takes connections",
                InteractiveJvm.TIMEOUT,
                () -> TcpProbe.isListening(new InetSocketAddress("127.0.0.1", node.port()), Duration.ofSeconds(1)),
                () -> "see its log");
    }

    @Override
    public void close() {
        writers.forEach(InteractiveJvm::close);
        readers.values().forEach(InteractiveJvm::close);
        nodes.forEach(Process::destroyForcibly);
        nodes.forEach(node -> node.onExit().join());
        hosts.close();
    }
}
