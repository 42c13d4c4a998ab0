/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.operations.throughput;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.management.ObjectName;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;
import org.apache.hadoop.metrics2.util.MBeans;
import org.apache.hadoop.util.ServicePlugin;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs operations of Hadoop's NNThroughputBenchmark in the process of a NameNode, whatever its role, when a
 * {@link ThroughputPass} asks for one. Named in {@code dfs.namenode.plugins}; a program of its own could not wait until an
 * agent or a ZKFC has made its NameNode the active one.
 *
 * <p>A connection is one operation, and lines: the benchmark's arguments; {@value #READY} when the inputs are there;
 * {@value #GO}; {@value #DONE} with the operations and milliseconds; {@value #CLEAN}, or the end if what it made is to stay;
 * {@value #READY} when that is gone. Instead of an answer, {@value #FAILED} with the reason.
 */
public final class ThroughputPlugin implements ServicePlugin, ThroughputMXBean {
    static final String READY = "ready";
    static final String GO = "go";
    static final String DONE = "done";
    static final String CLEAN = "clean";
    static final String FAILED = "failed";
    static final String BEAN = "NNThroughputBenchmark";

    private static final Logger LOG = LoggerFactory.getLogger(ThroughputPlugin.class);

    private NameNode nameNode;
    private ServerSocket listener;
    private ObjectName bean;

    /** Listens, and returns; called once, when the NameNode's services run and it has not entered its first role. */
    @Override
    public void start(Object service) {
        nameNode = (NameNode) service;
        try {
            listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException("no port for the benchmark", e);
        }
        bean = MBeans.register("NameNode", BEAN, this);
        Thread thread = new Thread(this::serve, "throughput");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public int getPort() {
        return listener.getLocalPort();
    }

    /** Serves requests; closes the port if an operation fails with an error, as the next caller would otherwise wait forever. */
    private void serve() {
        try (ServerSocket all = listener) {
            while (!all.isClosed()) {
                accept(all);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void accept(ServerSocket all) {
        try (Socket connection = all.accept()) {
            serve(connection);
        } catch (IOException e) {
            LOG.info("An operation failed: {}", e.toString());
        }
    }

    private void serve(Socket connection) throws IOException {
        BufferedReader in = reader(connection);
        PrintWriter out = writer(connection);
        try {
            ThroughputOperation operation =
                    ThroughputOperation.of(nameNode, List.of(in.readLine().split(" ")));
            ThroughputOperation.Result result = operation.run(() -> {
                out.println(READY);
                requireEqual(GO, in.readLine());
            });
            out.println(DONE + " " + result.operations() + " " + result.millis());
            if (CLEAN.equals(in.readLine())) {
                operation.cleanUp();
                out.println(READY);
            }
        } catch (IOException | RuntimeException e) {
            out.println(FAILED + " " + e);
        }
    }

    private static void requireEqual(String expectedAnswer, String found) throws IOException {
        if (!expectedAnswer.equals(found)) {
            throw new EOFException("wanted '" + expectedAnswer + "', found '" + found + "'");
        }
    }

    static BufferedReader reader(Socket connection) throws IOException {
        return new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.UTF_8));
    }

    static PrintWriter writer(Socket connection) throws IOException {
        return new PrintWriter(new OutputStreamWriter(connection.getOutputStream(), StandardCharsets.UTF_8), true);
    }

    @Override
    public void stop() {
        MBeans.unregister(bean);
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        stop();
    }
}
