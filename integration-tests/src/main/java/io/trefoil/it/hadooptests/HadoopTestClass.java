/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.hadooptests;

import io.trefoil.it.cluster.host.PortAllocator;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.PoolProcess;
import io.trefoil.journal.pool.server.NodeSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.qjournal.server.JournalNode;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;

/** Runs one class of Hadoop's own tests, in a separate process, and records the outcome of each method. */
public final class HadoopTestClass {

    private static final int NODES = 3;
    /**
     * The property from which {@code conf/shared/hdfs-site.xml} of hadoop-tests reads the URI; other properties hold each pool node's
     * address and directory.
     */
    private static final String SHARED_EDITS = "trefoil.shared.edits";

    private static final String ADDRESS = "trefoil.pool.address.";
    private static final String DIRECTORY = "trefoil.pool.directory.";

    private HadoopTestClass() {}

    /**
     * Arguments: the class, the journal ({@code stock}, {@code qjm}, {@code ssp}, {@code embedded}), the file for the
     * results, the methods to run, separated by commas (all if empty), then methods to leave out.
     */
    public static void main(String[] args) throws Exception {
        Class<?> tests = Class.forName(args[0]);
        Path results = Path.of(args[2]);
        switch (args[1]) {
            case "stock" -> {}
            case "qjm" -> System.setProperty(SHARED_EDITS, journalNodes(results.resolveSibling("journalnodes")));
            case "ssp" -> System.setProperty(SHARED_EDITS, poolNodes(results.resolveSibling("pool"), 0));
            case "embedded" -> System.setProperty(SHARED_EDITS, poolNodes(results.resolveSibling("pool"), NODES - 1));
            default -> throw new IllegalArgumentException("no journal '" + args[1] + "'");
        }
        JUnitCore junit = new JUnitCore();
        junit.addListener(new Results(results));
        List<String> only = args[3].isEmpty() ? List.of() : List.of(args[3].split(",", -1));
        junit.run(Request.aClass(tests)
                .filterWith(createFilter(only, List.of(args).subList(4, args.length))));
        // Clusters that a failed test leaves behind have threads that never end.
        Runtime.getRuntime().halt(0);
    }

    private static Filter createFilter(List<String> methods, List<String> excludedTests) {
        return new Filter() {
            @Override
            public boolean shouldRun(Description description) {
                String method = description.getMethodName();
                boolean named = methods.isEmpty() || methods.contains(method);
                return description.isSuite() || (named && !excludedTests.contains(method));
            }

            @Override
            public String describe() {
                return "only " + methods + " without " + excludedTests;
            }
        };
    }

    private static String journalNodes(Path directory) throws IOException {
        // Several NameNodes use the same names of metrics; only some test classes allow for that themselves.
        DefaultMetricsSystem.setMiniClusterMode(true);
        List<String> addresses = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Configuration conf = new Configuration();
            conf.set(
                    DFSConfigKeys.DFS_JOURNALNODE_EDITS_DIR_KEY,
                    directory.resolve("jn" + i).toString());
            conf.set(DFSConfigKeys.DFS_JOURNALNODE_RPC_ADDRESS_KEY, "127.0.0.1:0");
            conf.set(DFSConfigKeys.DFS_JOURNALNODE_HTTP_ADDRESS_KEY, "127.0.0.1:0");
            JournalNode node = new JournalNode();
            node.setConf(conf);
            node.start();
            addresses.add("127.0.0.1:" + node.getBoundIpcAddress().getPort());
        }
        return "qjournal://" + String.join(";", addresses);
    }

    /** @param embedded how many of the nodes are left to NameNodes; a NameNode whose node already runs uses that one */
    private static String poolNodes(Path directory, int embedded) throws IOException {
        List<NodeAddress> addresses = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            addresses.add(NodeAddress.of("127.0.0.1", PortAllocator.free()));
        }
        for (int i = 0; i < NODES; i++) {
            NodeAddress address = addresses.get(i);
            Path place = directory.resolve(Integer.toString(i));
            System.setProperty(ADDRESS + i, address.toString());
            System.setProperty(DIRECTORY + i, place.toString());
            if (i >= embedded) {
                PoolProcess.node(NodeSettings.builder()
                        .address(address)
                        .bindHost(address.host())
                        .directory(place)
                        .logFileBytes(1 << 20)
                        .build());
            }
        }
        return "ssp://" + addresses.stream().map(NodeAddress::toString).collect(Collectors.joining(";"));
    }

    /** Writes a line when a method begins and one when it ends: its name, its outcome, and the first line of the failure. */
    private static final class Results extends RunListener {
        private final Path file;
        private Failure failure;
        private Failure assumption;

        Results(Path file) {
            this.file = file;
        }

        @Override
        public void testStarted(Description description) throws IOException {
            failure = null;
            assumption = null;
            write("started", description.getMethodName(), null);
        }

        @Override
        public void testFailure(Failure failed) throws IOException {
            System.out.println(failed.getTrace());
            if (failed.getDescription().isTest()) {
                failure = failed;
            } else {
                write("failed", "(class)", failed);
            }
        }

        @Override
        public void testAssumptionFailure(Failure failed) {
            assumption = failed;
        }

        @Override
        public void testFinished(Description description) throws IOException {
            String method = description.getMethodName();
            if (failure != null) {
                write("failed", method, failure);
            } else if (assumption != null) {
                write("skipped", method, assumption);
            } else {
                write("passed", method, null);
            }
        }

        private void write(String outcome, String method, Failure failed) throws IOException {
            String reason = failed == null
                    ? ""
                    : failed.getException().toString().lines().findFirst().orElse("");
            Files.writeString(
                    file,
                    outcome + "\t" + method + "\t" + reason.replace('\t', ' ') + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
    }
}
