/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ActiveNameNodeFinderTest {
    private static final InetSocketAddress FIRST = InetSocketAddress.createUnresolved("first", 1);
    private static final InetSocketAddress SECOND = InetSocketAddress.createUnresolved("second", 1);

    private final ActiveNameNodeFinder<Connection> search = new ActiveNameNodeFinder<>("ns", List.of(FIRST, SECOND));

    @Test
    void hungNameNodeDoesNotDelaySearch() throws IOException {
        CountDownLatch forEver = new CountDownLatch(1);
        Connection late = new Connection();
        Connection active = new Connection();

        Connection found = search.find(address -> {
            if (address.equals(FIRST)) {
                awaitUninterruptibly(forEver);
                return late;
            }
            return active;
        });

        assertThat(found).isSameAs(active);
        forEver.countDown();
        await().until(late.closed::get);
        assertThat(active.closed).isFalse();
    }

    @Test
    void reportsEachAnswerWhenNoneIsActive() {
        assertThatThrownBy(() -> search.find(address -> {
                    throw new IOException("is not active");
                }))
                .isInstanceOf(IOException.class)
                .hasMessageContainingAll("nameservice ns", "first", "second", "is not active");
    }

    @Test
    void reportsAccessDeniedOnce() {
        assertThatThrownBy(() -> search.find(address -> {
                    throw new AccessControlException("Not listed");
                }))
                .isInstanceOf(ActiveNameNodeFinder.NoActiveException.class)
                .hasMessage("Not listed");
    }

    @Test
    void unexpectedExceptionCountsAsAnswer() throws IOException {
        Connection active = new Connection();

        assertThat(search.find(address -> {
                    if (address.equals(FIRST)) {
                        throw new IllegalStateException("planted");
                    }
                    return active;
                }))
                .isSameAs(active);
    }

    @Test
    void reportsErrorWithNameNodeThatHadIt() {
        assertThatThrownBy(() -> search.find(address -> {
                    throw new NoClassDefFoundError("planted");
                }))
                .isInstanceOf(ActiveNameNodeFinder.NoActiveException.class)
                .hasMessageContainingAll("first", "second", "NoClassDefFoundError: planted");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Connection implements Closeable {
        private final AtomicBoolean closed = new AtomicBoolean();

        @Override
        public void close() {
            closed.set(true);
        }
    }
}
