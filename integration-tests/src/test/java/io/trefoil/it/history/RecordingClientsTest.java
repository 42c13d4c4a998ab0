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
    private static final int FOLDERS = 2;
    private static final int CALLS = 200;

    private final Queue<HistoryRequest> sent = new ConcurrentLinkedQueue<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final RecordingClients clients = new RecordingClients(FOLDERS, Duration.ofMillis(1));

    /** Answers reads, and loses all else. */
    private class Reader implements RecordingClients.Caller {
        @Override
        public ClientAnswer send(int folder, HistoryRequest request) throws IOException {
            sent.add(request);
            if (request.kind() != HistoryRequest.Kind.READ) {
                throw new IOException("lost");
            }
            return ClientAnswer.found(Names.NOTHING);
        }

        @Override
        public void failed(int folder, HistoryRequest request, Exception why) {
            failures.add(why.getMessage());
        }
    }

    @Test
    void recordsEachCallOnceWithAnswerOrUnknown() throws InterruptedException {
        clients.add("one", new Random(1), new Reader());
        clients.add("two", new Random(2), new Reader());
        clients.start();
        await().atMost(Await.PATIENCE).until(() -> clients.asked() >= CALLS && haveAsked() == clients.clients());
        clients.stop();

        List<Operation> all = clients.histories().stream().flatMap(List::stream).toList();
        assertThat(clients.histories()).hasSize(FOLDERS).noneMatch(List::isEmpty);
        assertThat(all).hasSize((int) clients.asked());
        assertThat(all).extracting(Operation::request).containsExactlyInAnyOrderElementsOf(sent);
        assertThat(all).extracting(Operation::client).containsOnly(0, 1);
        assertThat(all)
                .allMatch(one -> one.isUnknown() == (one.request().kind() != HistoryRequest.Kind.READ)
                        && one.from() <= one.to());
        assertThat(failures).containsOnly("lost").hasSize((int)
                all.stream().filter(Operation::isUnknown).count());
    }

    /** The number of clients that have begun: on a busy machine, one may ask for all before the next one runs. */
    private long haveAsked() {
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
        await().atMost(Await.PATIENCE).until(() -> clients.asked() >= CALLS);
        clients.stop();

        assertThat(sent)
                .filteredOn(request -> request.kind() == HistoryRequest.Kind.CREATE)
                .extracting(HistoryRequest::other)
                .isNotEmpty()
                .doesNotHaveDuplicates();
    }

    @Test
    void interruptEndsPendingClientCall() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        clients.add("waiting", new Random(1), new Reader() {
            @Override
            public ClientAnswer send(int folder, HistoryRequest request) throws IOException {
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
        await().atMost(Await.PATIENCE).until(() -> failures.contains("interrupted"));
        clients.close();
        clients.stop();

        assertThat(clients.histories().stream().flatMap(List::stream))
                .isNotEmpty()
                .allMatch(Operation::isUnknown);
    }
}
