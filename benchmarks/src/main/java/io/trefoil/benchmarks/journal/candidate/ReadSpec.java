/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import io.trefoil.benchmarks.HostCpuPlan;
import io.trefoil.benchmarks.reader.ReaderMain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The plan of a journal to be read.
 *
 * @param journal what is read
 * @param readers {@link #NEAR} is on the host of the second replica, {@link #FAR} on one without a replica, where there is such a thing
 */
public record ReadSpec(Candidate journal, Map<String, JvmSpec> readers) {
    public static final String NEAR = "local";
    public static final String FAR = "remote";

    /** The names of journals that can be read. */
    public static final List<String> NAMES =
            List.of(Candidate.LOCAL, Candidate.SSP, Candidate.QJM, Candidate.BOOKKEEPER, Candidate.BOOKKEEPER_TUNED);

    /** The journal with this name, one of {@link #NAMES}. */
    public static ReadSpec byName(String name, Path directory, Security security) {
        Candidate journal = Candidate.byName(name, directory, security);
        return switch (name) {
            case Candidate.LOCAL -> newFileSpec(journal);
            case Candidate.SSP -> newPoolSpec(journal, security.sspProperties());
            default -> newServersSpec(journal);
        };
    }

    /** Whether only the writer's host has the data, as for a file. */
    private static ReadSpec newFileSpec(Candidate journal) {
        JvmSpec near = reader(journal, NEAR, journal.writer().properties());
        return new ReadSpec(
                journal.withHosts(Map.of(near.name(), Candidate.host(journal.name(), 1))), Map.of(NEAR, near));
    }

    /**
     * Makes nearby readers run a pool node in their own process, like a standby, in place of the first stand-alone one.
     */
    private static ReadSpec newPoolSpec(Candidate journal, Map<String, String> shared) {
        Candidate.Node replaced = journal.nodes().get(0);
        JvmSpec near = new JvmSpec(
                replaced.jvm().name(),
                ReaderMain.class.getName(),
                journal.writer().arguments(),
                replaced.jvm().properties());
        Map<String, String> withoutNode = new LinkedHashMap<>(shared);
        withoutNode.put(
                "dfs.namenode.shared.edits.dir", replaced.jvm().properties().get("dfs.namenode.shared.edits.dir"));
        withoutNode.put("trefoil.journal.embedded", "false");
        JvmSpec far = reader(journal, FAR, withoutNode);
        return new ReadSpec(
                journal.without(replaced).withHosts(Map.of(far.name(), farHost(journal))),
                Map.of(NEAR, near, FAR, far));
    }

    /** The readers of journals whose servers are separate processes. */
    private static ReadSpec newServersSpec(Candidate journal) {
        JvmSpec near = reader(journal, NEAR, journal.writer().properties());
        JvmSpec far = reader(journal, FAR, journal.writer().properties());
        return new ReadSpec(
                journal.withHosts(Map.of(near.name(), Candidate.host(journal.name(), 2), far.name(), farHost(journal))),
                Map.of(NEAR, near, FAR, far));
    }

    private static String farHost(Candidate journal) {
        return Candidate.host(journal.name(), Candidate.REPLICAS + 1);
    }

    private static JvmSpec reader(Candidate journal, String path, Map<String, String> properties) {
        return new JvmSpec(
                journal.name() + "-" + path + "-reader",
                ReaderMain.class.getName(),
                journal.writer().arguments(),
                properties,
                journal.writer().libraries());
    }

    /** Starts the journal and its readers. */
    public RunningCandidate start(JvmLauncher jvms, HostCpuPlan cpus) throws IOException {
        return RunningCandidate.start(journal, readers, jvms, cpus);
    }
}
