/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.federation.move.LockWaitMeter;
import io.trefoil.federation.move.progress.MoveCounts;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FsServerDefaults;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

class LockWaitProbesTest {

    private static final long LONG_MILLIS = 600;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final CountDownLatch isFree = new CountDownLatch(1);

    private interface Answer {
        void answer() throws Exception;
    }

    private ClientProtocol nameNode(Answer answer) {
        return (ClientProtocol) Proxy.newProxyInstance(
                ClientProtocol.class.getClassLoader(), new Class<?>[] {ClientProtocol.class}, (proxy, method, args) -> {
                    if (method.getName().equals("getServerDefaults")) {
                        return new FsServerDefaults(1, 1, 1, (short) 3, 1, false, 0, DataChecksum.Type.CRC32C);
                    }
                    assertThat(method.getName()).isEqualTo("setReplication");
                    assertThat(args[1]).isEqualTo((short) 3);
                    asked.incrementAndGet();
                    answer.answer();
                    return false;
                });
    }

    private LockWaitMeter waits(Answer first, Answer second) {
        MoveCounts counts = new MoveCounts("id", Clock.systemUTC());
        return new LockWaitProbes(Map.of("ns1", nameNode(first), "ns2", nameNode(second)), counts, told::add);
    }

    @Test
    void reportsLongestWaitWhenNameNodeIsBusy() throws IOException {
        LockWaitMeter waits =
                waits(() -> assertThat(isFree.await(1, TimeUnit.MINUTES)).isTrue(), () -> {});
        try (Closeable ignored = waits.measure()) {
            await().until(() -> waits.longestMillis().get("ns1") >= LONG_MILLIS);
            assertThat(warningsOfFirst()).as("as long as it waits").isEmpty();
            isFree.countDown();
            await().until(() -> !warningsOfFirst().isEmpty());
        }
        assertThat(warningsOfFirst()).first().asString().matches("Others waited [0-9]{3,} ms for ns1: Checks.*");
        assertThat(waits.longestMillis().get("ns1")).isGreaterThanOrEqualTo(LONG_MILLIS);
    }

    /** On a busy machine the other one may be slow as well. */
    private List<String> warningsOfFirst() {
        return told.stream().filter(line -> line.contains(" for ns1: ")).toList();
    }

    @Test
    void continuesProbingWhenNameNodeFails() throws IOException {
        Answer failing = () -> {
            throw new IOException("no active");
        };
        LockWaitMeter waits = waits(failing, failing);
        try (Closeable ignored = waits.measure()) {
            await().until(() -> asked.get() > 4);
        }
        assertThat(waits.longestMillis()).containsOnlyKeys("ns1", "ns2");
    }
}
