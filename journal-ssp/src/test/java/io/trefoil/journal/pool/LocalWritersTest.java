/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.writer.BuggyMachine;
import io.trefoil.journal.pool.writer.JournalWriter;
import io.trefoil.journal.pool.writer.PoolWriter;
import io.trefoil.journal.pool.writer.term.WriterMachine;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.writer.events.WriterSettings;
import java.io.IOException;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a writer that was made ready before it was wanted. */
@Timeout(120)
class LocalWritersTest extends ThreePoolNodes {
    private final NettyTransport transport = NettyTransport.start("test");
    private final LocalWriters own = new LocalWriters();

    @BeforeEach
    @Timeout(120)
    void begin() throws IOException {
        formatAll();
    }

    @AfterEach
    void close() throws IOException {
        own.close();
        transport.close();
    }

    private PoolWriter openSessions(WriterMachine machine, String name) {
        return PoolWriter.connect(
                machine,
                transport,
                Hello.of(JOURNAL, NAMESPACE, Hello.CallerRole.WRITER, name, Optional.empty()),
                Optional.empty(),
                (from, request) -> Collections.emptyList(),
                Runnable::run,
                WriterSettings.builder()
                        .writer(WriterId.of(name))
                        .namespace(NAMESPACE)
                        .addresses(addresses)
                        .leaseMillis(500)
                        .minReplicas(1)
                        .build());
    }

    /** Its first append would fail, and so would the NameNode that is to become active. */
    @Test
    void replacesPreparedWriterThatBroke() throws IOException {
        AtomicBoolean isBug = new AtomicBoolean();
        JournalWriter broken =
                own.prepare(() -> openSessions(new BuggyMachine(isBug::get), "broken"), PoolWriter::begin);
        isBug.set(true);
        await().until(broken::hasEnded);

        JournalWriter writer = own.open(() -> openSessions(WriterMachine.REAL, "next"), PoolWriter::begin);

        startSegment(writer, 1);
        write(writer, 1, 1);
    }

    @Test
    void preparesWriterWithOpenSessions() throws IOException {
        PoolWriter met = openSessions(WriterMachine.REAL, "met");
        own.openSessions(() -> met);
        assertThat(own.openWriter())
                .as("it has no term, so nothing is said of it")
                .isEmpty();

        JournalWriter writer = own.prepare(() -> openSessions(WriterMachine.REAL, "another"), PoolWriter::begin);

        assertThat(writer).isSameAs(met);
        own.closeSessions();
        startSegment(writer, 1);
        write(writer, 1, 1);
    }

    @Test
    void openSessionsLeaveCurrentWriterUndisturbed() throws Exception {
        JournalWriter writer = journals[0].openWriter(3);
        startSegment(writer, 1);
        CountDownLatch freed = new CountDownLatch(1);
        journals[1].setLeaseFreedWatcher(freed::countDown);
        PoolWriter met = openSessions(WriterMachine.REAL, "met");
        own.openSessions(() -> met);
        await().until(() -> !met.describe().contains("DOWN"));

        write(writer, 1, 20);
        own.closeSessions();
        write(writer, 21, 20);

        assertThat(journals[0].localTerm().get().fenced()).isFalse();
        assertThat(journals[0].localTerm().get().refusedByVoter()).isFalse();
        assertThat(journals[1].observedTerm().get().promisedEpoch()).isEqualTo(writer.epoch());
        assertThat(freed.getCount())
                .as("no node was told that the lease is over")
                .isEqualTo(1);
    }

    @Test
    void closesUnusedSessions() throws IOException {
        PoolWriter met = openSessions(WriterMachine.REAL, "met");
        own.openSessions(() -> met);
        PoolWriter again = openSessions(WriterMachine.REAL, "again");
        own.openSessions(() -> again);
        assertThat(met.isClosed()).isTrue();

        own.closeSessions();

        assertThat(again.isClosed()).isTrue();
        assertThat(own.prepare(() -> openSessions(WriterMachine.REAL, "next"), PoolWriter::begin))
                .isNotSameAs(again);
    }

    @Test
    void closingProcessClosesSessions() throws IOException {
        PoolWriter met = openSessions(WriterMachine.REAL, "met");
        own.openSessions(() -> met);

        own.close();

        assertThat(met.isClosed()).isTrue();
    }

    @Test
    void replacesWriterThatBrokeBeforePreparation() throws IOException {
        AtomicBoolean isBug = new AtomicBoolean();
        PoolWriter broken = openSessions(new BuggyMachine(isBug::get), "broken");
        own.openSessions(() -> broken);
        isBug.set(true);
        // It hears of the end of its sessions.
        stop(2);
        await().until(broken::hasEnded);

        JournalWriter writer = own.prepare(() -> openSessions(WriterMachine.REAL, "next"), PoolWriter::begin);

        assertThat(broken.isClosed()).isTrue();
        startSegment(writer, 1);
        write(writer, 1, 1);
    }
}
