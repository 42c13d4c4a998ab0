/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.benchmarks.journal.candidate;

import io.trefoil.it.cluster.server.HostCpus;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A JVM that reports when it is ready, and then answers each line on its standard input with one line. For one thread. */
final class InteractiveJvm implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(90);

    private final String name;
    private final Process process;
    private final BufferedReader answers;

    private InteractiveJvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.answers = process.inputReader();
    }

    static InteractiveJvm start(JvmSpec jvmSpec, JvmLauncher jvms, HostCpus hosts) throws IOException {
        return new InteractiveJvm(jvmSpec.name(), jvms.startInteractive(jvmSpec, hosts));
    }

    long pid() {
        return process.pid();
    }

    void awaitReady() throws IOException {
        readAnswer(TIMEOUT);
    }

    /** @param length how long it has to do before it answers */
    String query(String command, Duration length) throws IOException {
        process.outputWriter().write(command + "\n");
        process.outputWriter().flush();
        return readAnswer(TIMEOUT.plus(length));
    }

    private String readAnswer(Duration limit) throws IOException {
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
                throw new IOException(name + " ended, see its log");
            }
            return answer;
        } catch (TimeoutException e) {
            throw new IOException(name + " did not answer within " + limit, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException(name + " cannot be heard", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
