/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Cut;
import io.trefoil.checkpoint.model.FreezeOrder;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.checkpoint.participant.ParticipantEvent;
import io.trefoil.foundation.ExhaustibleThreadFactory;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No client reads or writes while the lock is held, so it is given back whatever happens to its users. */
@Timeout(120)
class FreezeThreadTest {
    private final FakeNamesystem namesystem = new FakeNamesystem();
    private final List<ParticipantEvent> heard = new CopyOnWriteArrayList<>();
    private final ExhaustibleThreadFactory threads = new ExhaustibleThreadFactory();
    /** For whom no order comes. */
    private final FreezeThread holder = freezeHolding(200);

    private volatile boolean deaf;

    private FreezeThread freezeHolding(long millis) {
        return new FreezeThread(
                namesystem,
                FreezeOrder.of(CheckpointId.of("c", "00000001"), millis, false),
                this::handle,
                new SilentObserver(),
                threads);
    }

    private void handle(ParticipantEvent event) {
        if (deaf) {
            throw new LinkageError("planted");
        }
        heard.add(event);
    }

    @Test
    void releasesLockWhenNoOrderArrives() {
        holder.start();
        await().until(() -> namesystem.locks.get() == 1 && !namesystem.lock.isLocked());
        // That it has the lock, and that there is no cut.
        assertThat(heard).hasSize(1);
        holder.cut();
        // Its thread lets go of the lock before it takes no more orders, and answers what came in between.
        await().until(() -> heard.size() == 2);
        assertThat(heard)
                .last()
                .isEqualTo(ParticipantEvent.cutFailed("the lock was released, as no order came in time"));
        assertThat(namesystem.cuts).hasValue(0);
    }

    @Test
    void releasesLockWhenReportingFails() {
        deaf = true;
        holder.start();
        await().dontCatchUncaughtExceptions().until(() -> namesystem.locks.get() == 1 && !namesystem.lock.isLocked());
    }

    @Test
    void reportsErrorBeforeLocking() {
        namesystem.broken = true;
        holder.start();
        await().dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(heard).hasSize(1));
        assertThat(namesystem.locks).hasValue(0);
    }

    @Test
    void reportsErrorThatEndedFreezeAtCut() {
        deaf = true;
        holder.start();
        await().dontCatchUncaughtExceptions().until(() -> namesystem.locks.get() == 1 && !namesystem.lock.isLocked());
        deaf = false;

        await().untilAsserted(() -> {
            holder.cut();
            assertThat(heard).contains(ParticipantEvent.cutFailed("java.lang.LinkageError: planted"));
        });
    }

    @Test
    void reportsMissingThread() {
        threads.exhaust();

        holder.start();

        assertThat(heard).containsExactly(ParticipantEvent.lockFailed("java.lang.InternalError: planted: no thread"));
    }

    @Test
    void cutsUponOrder() {
        FreezeThread patient = freezeHolding(FreezeOrder.MAX_HOLD_MILLIS);
        patient.start();
        patient.cut();
        await().until(() -> namesystem.cuts.get() == 1 && !namesystem.lock.isLocked());
        await().until(() -> heard.size() == 2);
    }

    /** A namesystem that is nothing but its lock. */
    private static final class FakeNamesystem implements Namesystem {
        private final ReentrantLock lock = new ReentrantLock();
        private final AtomicInteger locks = new AtomicInteger();
        private final AtomicInteger cuts = new AtomicInteger();
        private volatile boolean broken;

        @Override
        public void prepare(FreezeOrder order) {
            if (broken) {
                throw new NoClassDefFoundError("planted");
            }
        }

        @Override
        public void lock() {
            lock.lock();
            locks.incrementAndGet();
        }

        @Override
        public Cut cut(FreezeOrder order) throws IOException {
            cuts.incrementAndGet();
            throw new IOException("planted");
        }

        @Override
        public void unlock() {
            lock.unlock();
        }

        @Override
        public void mark(Manifest manifest) {}

        @Override
        public void removeMark(CheckpointId id) {}
    }
}
