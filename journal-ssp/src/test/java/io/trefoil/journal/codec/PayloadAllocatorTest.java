/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PayloadAllocatorTest {

    private final List<Runnable> background = new ArrayList<>();
    private int arraySize = PayloadAllocator.MAX_ARRAY_SIZE;
    private final PayloadAllocator room = new PayloadAllocator(() -> arraySize, background::add);

    @Test
    void neverOverwritesPreviouslyTakenPayload() {
        List<Bytes> taken = new ArrayList<>();
        List<byte[]> wanted = new ArrayList<>();
        int[] sizes = {0, 1, 700, 64 << 10, 512 << 10, 5 << 20};
        for (int i = 0; i < 120; i++) {
            byte[] payload = new byte[sizes[i % sizes.length]];
            Arrays.fill(payload, (byte) i);
            ByteBuffer buffer = room.allocate(payload.length);
            assertThat(buffer.remaining()).isEqualTo(payload.length);
            buffer.put(payload);
            taken.add(PayloadAllocator.toBytes(buffer));
            wanted.add(payload);
        }

        for (int i = 0; i < wanted.size(); i++) {
            assertThat(taken.get(i)).isEqualTo(Bytes.wrap(wanted.get(i)));
        }
    }

    @Test
    void payloadsShareArrayAndLaterArraysGrow() {
        Bytes one = PayloadAllocator.toBytes(room.allocate(1000));
        Bytes next = PayloadAllocator.toBytes(room.allocate(1000));

        assertThat(next.sharedArray()).isSameAs(one.sharedArray()).hasSize(64 << 10);
        assertThat(next.sharedOffset()).isEqualTo(one.sharedOffset() + 1000);
        takeAll(2 << 20);
        assertThat(PayloadAllocator.toBytes(room.allocate(1000)).sharedArray()).hasSizeGreaterThan(4_000_000);
    }

    @Test
    void requestsNextArrayOnceWhenHalfUsed() {
        takeAll(2 << 20);
        background.clear();
        room.allocate(2_000_000 / 8);
        assertThat(background).isEmpty();
        takeAll(2_000_000);

        assertThat(background).hasSize(1);
    }

    @Test
    void takeNeverBlocksWhenBackgroundThreadLags() {
        for (int i = 0; i < 60; i++) {
            assertThat(room.allocate(400_000).remaining()).isEqualTo(400_000);
            if (i % 17 == 0) {
                background.forEach(Runnable::run);
                background.clear();
            }
        }
    }

    @Test
    void nextArrayUsesCurrentRequestedSize() {
        takeAll(2 << 20);
        arraySize = 64 << 10;
        takeAll(PayloadAllocator.MAX_ARRAY_SIZE);

        assertThat(PayloadAllocator.toBytes(room.allocate(1000)).sharedArray()).hasSize(64 << 10);
    }

    @Test
    void idleAllocatorReleasesItsArray() {
        byte[] before = PayloadAllocator.toBytes(room.allocate(1000)).sharedArray();
        room.releaseIfIdle();
        assertThat(PayloadAllocator.toBytes(room.allocate(1000)).sharedArray()).isSameAs(before);

        room.releaseIfIdle();
        room.releaseIfIdle();

        assertThat(PayloadAllocator.toBytes(room.allocate(1000)).sharedArray()).isNotSameAs(before);
    }

    private void takeAll(int bytes) {
        for (int taken = 0; taken < bytes; taken += 1000) {
            room.allocate(1000);
        }
    }
}
