/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import io.trefoil.journal.transport.connection.RefusalCounters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

class FaultsTest {

    private final List<Throwable> told = new CopyOnWriteArrayList<>();
    private final RefusalCounters refusals = new RefusalCounters();

    @Test
    void reportsOutOfMemoryToProcessWatcher() throws InterruptedException {
        OutOfMemoryError noMemory = new OutOfMemoryError("planted");

        assertThat(close(noMemory).isOpen()).isFalse();
        assertThat(told).containsExactly(noMemory);
    }

    @Test
    void bugClosesOnlyItsConnection() throws InterruptedException {
        assertThat(close(new IllegalStateException("planted")).isOpen()).isFalse();
        assertThat(close(new StackOverflowError("planted")).isOpen()).isFalse();

        assertThat(told).isEmpty();
        assertThat(refusals.count(RefusalCause.INTERNAL)).isEqualTo(2);
    }

    private EmbeddedChannel close(Throwable cause) throws InterruptedException {
        EmbeddedChannel channel = new EmbeddedChannel();
        Thread thread = new Thread(() -> FaultHandler.close(channel, cause, refusals));
        thread.setUncaughtExceptionHandler((ended, uncaught) -> told.add(uncaught));
        thread.start();
        thread.join();
        return channel;
    }
}
