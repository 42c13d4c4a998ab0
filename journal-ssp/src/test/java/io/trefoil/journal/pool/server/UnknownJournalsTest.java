/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.pool.PoolJournal;
import io.trefoil.journal.pool.PoolSettings;
import io.trefoil.journal.pool.replica.JournalObserver;
import io.trefoil.journal.pool.replica.ReplicaStatus;
import io.trefoil.journal.pool.writer.WriterStatus;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.client.NettyTransport;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller that reaches the port may name any journal: names that no node keeps cost no threads, metrics or memory for good. */
class UnknownJournalsTest {
    private static final int LIMIT = 64;

    @TempDir
    Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final NettyTransport transport = NettyTransport.start("stranger");
    private final List<JournalId> shown = new CopyOnWriteArrayList<>();
    private final Set<String> welcome = ConcurrentHashMap.newKeySet();
    private final List<String> refusals = new CopyOnWriteArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private final AtomicInteger answers = new AtomicInteger();
    private PoolNode node;

    @BeforeEach
    void start() throws IOException {
        NodeSettings settings = NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory)
                .logFileBytes(64 << 10)
                .build();
        node = PoolNode.start(settings, new ShownJournals());
    }

    @AfterEach
    void stop() throws IOException {
        links.forEach(Link::close);
        transport.close();
        node.close();
    }

    @Test
    void rejectsUnknownJournalsAboveLimit() {
        for (int i = 0; i < LIMIT; i++) {
            call("made-up-" + i, i % 2 == 0 ? Hello.CallerRole.WRITER : Hello.CallerRole.READER);
        }
        await().until(() -> welcome.size() == LIMIT);

        call("one-more", Hello.CallerRole.WRITER);

        await().until(() -> !refusals.isEmpty());
        assertThat(refusals.get(0)).contains("keeps no journal one-more", "64 others");
        // Who was refused comes again a moment later.
        assertThat(node.refusalCounts().get("JOURNAL_LIMIT")).isPositive();
        assertThat(shown).isEmpty();
        call("made-up-0", Hello.CallerRole.READER);
        await().until(() -> welcome.contains("made-up-0 READER"));
    }

    @Test
    void threadsAndSlotsAreFreedWhenCallersLeave() {
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < LIMIT; i++) {
                call("nobodys-" + round + "-" + i, Hello.CallerRole.WRITER);
            }
            await().until(() -> welcome.size() == LIMIT);
            links.forEach(Link::close);
            links.clear();
            welcome.clear();
            // When connections are no longer counted, their places may still be taken: the threads free those.
            awaitNoThread("ssp-journal-nobodys");
            assertThat(node.connectionCount()).isZero();
        }

        call("the-next", Hello.CallerRole.WRITER);
        await().until(() -> welcome.contains("the-next WRITER"));

        assertThat(refusals).isEmpty();
        awaitNoThread("nobodys");
    }

    private static void awaitNoThread(String part) {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                        .noneMatch(thread -> thread.getName().contains(part)));
    }

    @Test
    void imageRequestsDoNotMakeUnknownJournalsReal() {
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < LIMIT; i++) {
                call("images-" + round + "-" + i, Hello.CallerRole.READER);
            }
            // A place is free a moment after its connection is no longer counted; who is refused before comes again.
            await().atMost(Duration.ofSeconds(30)).until(() -> welcome.size() == LIMIT);
            transport.execute(() -> links.forEach(link -> {
                link.send(ImagesRequest.create());
                link.flush();
            }));
            await().until(() -> answers.get() == LIMIT);
            links.forEach(Link::close);
            links.clear();
            welcome.clear();
            answers.set(0);
            await().until(() -> node.connectionCount() == 0);
        }

        assertThat(shown).isEmpty();
    }

    @Test
    void keptJournalIsShownAndAdmittedDespiteFullLimit() throws IOException {
        PoolSettings settings = PoolSettings.builder()
                .journal(JournalId.of("kept"))
                .addresses(List.of(address))
                .minReplicas(1)
                .build();
        try (PoolJournal journal = new PoolJournal(settings, Optional.empty(), PoolObserver.NONE)) {
            journal.format(NamespaceId.of("CID-1", 1), StorageRecord.Version.of(-67, 0), false);
        }
        assertThat(shown).containsExactly(JournalId.of("kept"));
        for (int i = 0; i < LIMIT; i++) {
            call("made-up-" + i, Hello.CallerRole.READER);
        }
        await().until(() -> welcome.size() == LIMIT);

        call("kept", Hello.CallerRole.READER);
        await().until(() -> welcome.contains("kept READER"));
        assertThat(shown).containsExactly(JournalId.of("kept"));
    }

    private void call(String journal, Hello.CallerRole role) {
        Hello hello = Hello.of(JournalId.of(journal), NamespaceId.UNKNOWN, role, "a stranger", Optional.empty());
        links.add(transport.connect(address, hello, new Stranger(journal + " " + role)));
    }

    /** Remembers whose metrics are shown. */
    private final class ShownJournals implements PoolObserver {
        @Override
        public void nodeStarted(PoolNode node) {}

        @Override
        public JournalObserver replicaOpened(NodeAddress node, JournalId journal, Supplier<ReplicaStatus> status) {
            shown.add(journal);
            return JournalObserver.NONE;
        }

        @Override
        public JournalObserver writerOpened(JournalId journal, Supplier<WriterStatus> status) {
            return JournalObserver.NONE;
        }
    }

    /** Hopes to be let in. */
    private final class Stranger implements LinkListener {
        private final String name;

        Stranger(String name) {
            this.name = name;
        }

        @Override
        public void onUp(Link link, Welcome answer) {
            welcome.add(name);
        }

        @Override
        public void onDown(Link link, String reason) {}

        @Override
        public void onRefused(Link link, String reason) {
            refusals.add(reason);
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            answers.incrementAndGet();
        }

        @Override
        public void onReadCompleted(Link link) {}
    }
}
