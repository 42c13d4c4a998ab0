/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations.throughput;

import io.trefoil.it.cluster.HaClusterBuilder;
import io.trefoil.it.cluster.server.NameNodeServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;

/**
 * One run of an operation of Hadoop's NNThroughputBenchmark in a NameNode with a {@link ThroughputPlugin}. Used by one
 * thread.
 */
public final class ThroughputPass implements AutoCloseable {
    /**
     * The timeout, longer than ten thousand calls take on the slowest cluster; without one, a hung NameNode would be waited for in silence.
     */
    private static final int TIMEOUT_MILLIS = 600_000;

    private final Socket connection;
    private final BufferedReader in;
    private final PrintWriter out;

    /** Adds the plugin to the NameNodes of a cluster. */
    public static void addPlugin(HaClusterBuilder builder) {
        try {
            Path classes = Path.of(ThroughputPlugin.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            // Maven's build leaves Hadoop's benchmark and what it needs there.
            Path libraries = classes.resolveSibling("throughput-libraries")
                    .resolve(System.getProperty("trefoil.hadoop.version"))
                    .resolve("*");
            builder.nameNodeInstrumentation(ThroughputPlugin.class.getName(), List.of(classes, libraries));
        } catch (URISyntaxException e) {
            throw new IllegalStateException("this class comes from no directory and no jar", e);
        }
    }

    /**
     * Starts making the inputs, and returns when they exist.
     *
     * @param arguments of the benchmark
     * @throws IOException if they could not be made
     */
    public ThroughputPass(NameNodeServer nameNode, List<String> arguments) throws IOException {
        int port = (int) nameNode.jmx().readNumber("Hadoop:service=NameNode,name=" + ThroughputPlugin.BEAN, "Port");
        connection = new Socket(InetAddress.getLoopbackAddress(), port);
        try {
            connection.setSoTimeout(TIMEOUT_MILLIS);
            in = ThroughputPlugin.reader(connection);
            out = ThroughputPlugin.writer(connection);
            out.println(String.join(" ", arguments));
            readAnswer(ThroughputPlugin.READY);
        } catch (IOException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Runs the operation.
     *
     * @throws IOException if a call failed
     */
    public ThroughputOperation.Result run() throws IOException {
        out.println(ThroughputPlugin.GO);
        String[] figures = readAnswer(ThroughputPlugin.DONE).split(" ");
        return new ThroughputOperation.Result(Integer.parseInt(figures[1]), Long.parseLong(figures[2]));
    }

    /** Deletes the files of the run. */
    public void cleanUp() throws IOException {
        out.println(ThroughputPlugin.CLEAN);
        readAnswer(ThroughputPlugin.READY);
    }

    private String readAnswer(String expectedAnswer) throws IOException {
        String answer = in.readLine();
        if (answer == null || !answer.startsWith(expectedAnswer)) {
            throw new IOException(
                    "the benchmark in the NameNode: wanted '" + expectedAnswer + "', found '" + answer + "'");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
