/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.it.process.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class RecordingClientsTest {
    private static final int DIRECTORIES = 2;
    private static final int CALLS = 200;

    private final Queue<HistoryRequest> sent = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final RecordingClients clients = new RecordingClients(DIRECTORIES, Duration.ofMillis(1));

    /** Answers reads, and loses all else. */
    private class Reader implements RecordingClients.Caller {
        @Override
        public ClientAnswer send(int directory, HistoryRequest request) throws IOException {
            sent.add(request);
            if (request.kind() != HistoryRequest.Kind.READ) {
                throw new IOException("lost");
            }
            return ClientAnswer.found(NamespaceModel.NOTHING);
        }

        @Override
        public void failed(int directory, HistoryRequest request, Exception cause) {
            failures.add(cause.getMessage());
        }
    }

    @Test
    void recordsEachCallOnceWithAnswerOrUnknown() throws InterruptedException {
        clients.add("one", new Random(1), new Reader());
        clients.add("two", new Random(2), new Reader());
        clients.start();
        await().atMost(Await.TIMEOUT)
                .until(() -> clients.completedCalls() >= CALLS && startedClients() == clients.clientCount());
        clients.stop();

        List<Operation> all = clients.histories().stream().flatMap(List::stream).toList();
        assertThat(clients.histories()).hasSize(DIRECTORIES).noneMatch(List::isEmpty);
        assertThat(all).hasSize((int) clients.completedCalls());
        assertThat(all).extracting(Operation::request).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(all).extracting(Operation::client).containsOnly(0, 1);
        assertThat(all)
                .allMatch(one -> one.isUnknown() == (one.request().kind() != HistoryRequest.Kind.READ)
                        && one.from() <= one.to());
        assertThat(failures).containsOnly("lost").hasSize((int)
                all.stream().filter(Operation::isUnknown).count());
    }

    /** The number of clients that have begun: on a busy machine, one may ask for all before the next one runs. */
    private long startedClients() {
        return clients.histories().stream()
                .flatMap(List::stream)
                .map(Operation::client)
                .distinct()
                .count();
    }

    @Test
    void filesHaveDistinctContents() throws InterruptedException {
        clients.add("one", new Random(1), new Reader());
        clients.add("two", new Random(2), new Reader());
        clients.start();
        await().atMost(Await.TIMEOUT).until(() -> clients.completedCalls() >= CALLS);
        clients.stop();

        assertThat(sent)
                .filteredOn(request -> request.kind() == HistoryRequest.Kind.CREATE)
                .extracting(HistoryRequest::otherPath)
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }

    @Test
    void interruptEndsPendingClientCall() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        clients.add("waiting", new Random(1), new Reader() {
            @Override
            public ClientAnswer send(int directory, HistoryRequest request) throws IOException {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    throw new IOException("interrupted", e);
                }
                return ClientAnswer.YES;
            }
        });
        clients.start();
        clients.interrupt(0);
        await().atMost(Await.TIMEOUT).until(() -> failures.contains("interrupted"));
        clients.close();
        clients.stop();

        assertThat(clients.histories().stream().flatMap(List::stream))
                .isNotEmpty()
                .allMatch(Operation::isUnknown);
    }
}
