/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool;

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
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a writer that was made ready before it was wanted. */
@Timeout(120)
class OwnWriterTest extends ThreePoolNodes {
    private final NettyTransport transport = NettyTransport.start("test");
    private final OwnWriter own = new OwnWriter();

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

    private PoolWriter open(WriterMachine machine, String name) throws IOException {
        return PoolWriter.open(
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
    void oneThatBrokeMeanwhileIsReplaced() throws IOException {
        AtomicBoolean isBug = new AtomicBoolean();
        JournalWriter broken = own.prepare(() -> open(new BuggyMachine(isBug::get), "broken"));
        isBug.set(true);
        await().until(broken::isOver);

        JournalWriter writer = own.open(() -> open(WriterMachine.REAL, "next"));

        startSegment(writer, 1);
        write(writer, 1, 1);
    }
}
