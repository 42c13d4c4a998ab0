/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.MoveStore;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.junit.jupiter.api.Test;

/** When a process asks whether it still has the lock of moves. */
class MoveLockTest {

    private static final Duration GOOD_FOR = Duration.ofSeconds(20);

    private final List<String> calls = new ArrayList<>();
    private long nanos = 7;
    private Instant wall = Instant.parse("2026-11-27T04:00:00Z");
    private int requestCount;
    private boolean isLost;

    private final MoveLock lock = new MoveLock(
            fake(MoveStore.class, (proxy, method, arguments) -> {
                requestCount++;
                if (isLost) {
                    throw new IOException("another has it");
                }
                return null;
            }),
            GOOD_FOR,
            () -> nanos,
            () -> wall);

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private void advance(Duration byNanos, Duration byWall) {
        nanos += byNanos.toNanos();
        wall = wall.plus(byWall);
    }

    @Test
    void answerIsCachedForLimitedTime() throws IOException {
        lock.requireHeld();
        assertThat(requestCount).isOne();
        advance(Duration.ofSeconds(19), Duration.ofSeconds(19));
        lock.requireHeld();
        assertThat(requestCount).isOne();
        advance(Duration.ofSeconds(1), Duration.ofSeconds(1));
        lock.requireHeld();
        assertThat(requestCount).isEqualTo(2);
    }

    @Test
    void fasterClockDeterminesExpiry() throws IOException {
        lock.requireHeld();
        advance(Duration.ZERO, GOOD_FOR);
        lock.requireHeld();
        assertThat(requestCount).as("the host slept").isEqualTo(2);
        advance(GOOD_FOR, Duration.ZERO);
        lock.requireHeld();
        assertThat(requestCount).as("the wall clock was held back").isEqualTo(3);
    }

    @Test
    void wallClockSetBackDoesNotExtendAnswer() throws IOException {
        lock.requireHeld();
        advance(Duration.ofSeconds(1), Duration.ofHours(-1));
        lock.requireHeld();
        assertThat(requestCount).isEqualTo(2);
        lock.requireHeld();
        assertThat(requestCount).as("each change of the clock is one question").isEqualTo(2);
        advance(GOOD_FOR, Duration.ofSeconds(1));
        lock.requireHeld();
        assertThat(requestCount).isEqualTo(3);
    }

    @Test
    void requireStillHeldAlwaysReadsLock() throws IOException {
        lock.requireHeldNow();
        lock.requireHeldNow();
        assertThat(requestCount).isEqualTo(2);
        lock.requireHeld();
        assertThat(requestCount).isEqualTo(2);
        isLost = true;
        assertThatThrownBy(lock::requireHeldNow).hasMessage("another has it");
    }

    @Test
    void refusalIsNotCached() {
        isLost = true;
        assertThatThrownBy(lock::requireHeld).hasMessage("another has it");
        assertThatThrownBy(lock::requireHeld).hasMessage("another has it");
        assertThat(requestCount).isEqualTo(2);
    }

    @Test
    void guardedNameNodeChangesNothingWithoutLock() throws IOException {
        ClientProtocol guarded = lock.guarded(fake(ClientProtocol.class, (proxy, method, arguments) -> {
            calls.add(method.getName());
            return method.getReturnType() == boolean.class ? true : null;
        }));
        isLost = true;
        assertThatThrownBy(() -> guarded.delete("/a", true)).hasMessage("another has it");
        assertThat(guarded.getFileInfo("/a")).isNull();
        isLost = false;
        assertThat(guarded.delete("/a", true)).isTrue();
        assertThat(calls).containsExactly("getFileInfo", "delete");
    }
}
