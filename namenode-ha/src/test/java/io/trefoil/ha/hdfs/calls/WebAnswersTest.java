/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.hdfs.TestNameNodes;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.net.NetUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The web server of a stock NameNode that runs, and WebHDFS's own client. */
class WebAnswersTest {
    private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/");

    @TempDir
    private Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HoldingGate gate = new HoldingGate();
    private TestNameNodes nameNodes;
    private NameNode nameNode;
    private FileSystem client;

    /** Holds what comes until it is told what becomes of it. */
    private static final class HoldingGate implements WebAnswers.Gate {
        final AtomicInteger waiting = new AtomicInteger();
        volatile CompletableFuture<Void> leaves = new CompletableFuture<>();
        volatile boolean hasRoom = true;

        @Override
        public boolean isActive() {
            return true;
        }

        @Override
        public boolean hasCapacity() {
            return hasRoom;
        }

        @Override
        public void await(boolean wasActive) throws IOException {
            waiting.incrementAndGet();
            try {
                leaves.get();
            } catch (InterruptedException e) {
                throw new IOException(e);
            } catch (ExecutionException e) {
                throw (IOException) e.getCause();
            }
        }
    }

    @BeforeEach
    void start(TestInfo test) throws Exception {
        nameNodes =
                new TestNameNodes(directory, "web-" + test.getTestMethod().get().getName());
        nameNodes.format("nn1");
        nameNode = nameNodes.start("nn1");
        TestNameNodes.makeActive(nameNode);
        WebAnswers.install(nameNode, gate);
        client = FileSystem.newInstance(
                URI.create("webhdfs://" + NetUtils.getHostPortString(nameNode.getHttpAddress())), new Configuration());
    }

    @AfterEach
    void close() throws IOException {
        gate.leaves.complete(null);
        threads.shutdownNow();
        client.close();
        nameNodes.close();
    }

    private <T> Future<T> submit(Callable<T> question) {
        Future<T> answer = threads.submit(question);
        // The first call of a process has much to load.
        await().atMost(Duration.ofMinutes(1)).until(() -> gate.waiting.get() > 0);
        return answer;
    }

    private void expectHeldUntilReleased(Future<?> answer) throws Exception {
        assertThatThrownBy(() -> answer.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        gate.leaves.complete(null);
        answer.get(30, TimeUnit.SECONDS);
    }

    @Test
    void holdsAnswerUntilReleased() throws Exception {
        expectHeldUntilReleased(submit(() -> client.getFileStatus(ROOT)));
    }

    @Test
    void holdsStreamedListingUntilReleased() throws Exception {
        expectHeldUntilReleased(submit(() -> client.listStatus(ROOT)));
    }

    @Test
    void holdsNotFoundAnswerUntilReleased() throws Exception {
        expectHeldUntilReleased(submit(() -> client.exists(new org.apache.hadoop.fs.Path("/nothing"))));
    }

    @Test
    void holdsChangeAnswerUntilReleased() throws Exception {
        expectHeldUntilReleased(submit(() -> client.mkdirs(new org.apache.hadoop.fs.Path("/new"))));
    }

    @Test
    void refusedAnswerSendsClientToAnotherNameNode() {
        gate.leaves.completeExceptionally(new StandbyException("told so"));

        assertThatThrownBy(() -> client.getFileStatus(ROOT))
                .isInstanceOf(StandbyException.class)
                .hasMessageContaining("told so");
        assertThatThrownBy(() -> client.listStatus(ROOT)).isInstanceOf(StandbyException.class);
    }

    @Test
    void refusesCallWhenQueueIsFull() throws Exception {
        gate.leaves.complete(null);
        gate.hasRoom = false;

        assertThatThrownBy(() -> client.mkdirs(new org.apache.hadoop.fs.Path("/new")))
                .isInstanceOf(RetriableException.class);

        gate.hasRoom = true;
        assertThat(client.exists(new org.apache.hadoop.fs.Path("/new"))).isFalse();
    }

    @Test
    void answersWebPagesImmediately() throws Exception {
        URI page =
                URI.create("http://" + NetUtils.getHostPortString(nameNode.getHttpAddress()) + "/jmx?qry=java.lang:*");
        try (var answer = page.toURL().openStream()) {
            assertThat(answer.readAllBytes()).isNotEmpty();
        }
        assertThat(gate.waiting).hasValue(0);
    }
}
