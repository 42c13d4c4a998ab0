/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.sim.disk.SimDisk;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.StorageDevice;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What readers of a replica may do to those who write to it: nothing; and what they are never given. */
class ReadingReplicaTest {
    private static final NodeId NODE = NodeId.of("node-1");

    private static final Entry ENTRY = Entry.of(
            LogPosition.of(Epoch.of(1), 1), EntryKind.SEGMENT_START, TxRange.emptyRangeAt(1), Bytes.ofUtf8("-67"));

    private final SimDisk disk = new SimDisk(new Random(1));
    private volatile boolean slow;
    private final CountDownLatch reading = new CountDownLatch(1);
    private final CountDownLatch mayRead = new CountDownLatch(1);

    @Test
    void longReadDoesNotBlockWriter() throws Exception {
        JournalReplica replica =
                new JournalReplica("replica", slow(disk.device()), System::nanoTime, () -> NODE, writer -> false);
        replica.open();
        replica.perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, List.of(ENTRY), false));
        slow = true;
        Epoch epoch = Epoch.of(5);

        PoolReply first = replica.perform(NewEpochRequest.of(epoch, WriterId.of("writer"), 1000))
                .orElseThrow();
        assertThat(first).isInstanceOf(PromiseReply.class);
        // A caller that reads as the promised writer gets as far as the disk.
        CompletableFuture<PoolReply> longRead =
                CompletableFuture.supplyAsync(() -> replica.entryReader().answer(FetchRequest.of(1, 1000, epoch)));
        await().until(() -> reading.await(0, TimeUnit.SECONDS));

        try {
            CompletableFuture<PoolReply> second = CompletableFuture.supplyAsync(
                    () -> replica.perform(NewEpochRequest.of(Epoch.of(6), WriterId.of("writer"), 1000))
                            .orElseThrow());
            assertThat(second).succeedsWithin(Duration.ofSeconds(20)).isInstanceOf(PromiseReply.class);
            assertThat(longRead).isNotDone();
        } finally {
            mayRead.countDown();
        }
        assertThat(longRead.get()).isInstanceOf(EntriesReply.class);
    }

    /** Its serial numbers, epochs and transactions begin again: nothing but the incarnation tells one log from the other (rule R11). */
    @Test
    void readerNeverGetsEntriesOfReinitializedJournal() throws Exception {
        JournalReplica replica =
                new JournalReplica("replica", disk.device(), System::nanoTime, () -> NODE, writer -> false);
        replica.open();
        Incarnation old = Incarnation.of(1, 1);
        Incarnation inForce = Incarnation.of(2, 2);
        format(replica, old);
        FetchRequest ofOld = FetchRequest.of(1, 1000, Epoch.NONE).withIncarnation(old);
        assertThat(replica.entryReader().read(ofOld)).isEqualTo(List.of(ENTRY));

        format(replica, inForce);

        assertThatThrownBy(() -> replica.entryReader().read(ofOld)).hasMessageContaining(inForce.toString());
        assertThatThrownBy(() -> replica.entryReader().read(ofOld, Duration.ofSeconds(20)))
                .hasMessageContaining(inForce.toString());
        assertThat(replica.entryReader().answer(ofOld)).isInstanceOf(FailedReply.class);
        assertThat(replica.perform(ofOld)).get().isInstanceOf(FailedReply.class);
        FetchRequest ofAny = FetchRequest.of(1, 1000, Epoch.NONE);
        assertThat(replica.entryReader().read(ofAny)).isEqualTo(List.of(ENTRY));
        assertThat(replica.entryReader().read(ofAny.withIncarnation(inForce), Duration.ofSeconds(20)))
                .isEqualTo(List.of(ENTRY));
    }

    private static void format(JournalReplica replica, Incarnation incarnation) {
        LogSummary base = LogSummary.ORIGIN.with(incarnation);
        assertThat(replica.perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, base, List.of(ENTRY), true)))
                .get()
                .isInstanceOf(DoneReply.class);
    }

    private StorageDevice slow(StorageDevice device) {
        return (StorageDevice) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {StorageDevice.class}, (proxy, method, arguments) -> {
                    Object result = call(device, method, arguments);
                    return result instanceof JournalStorage storage ? slow(storage) : result;
                });
    }

    private JournalStorage slow(JournalStorage storage) {
        return (JournalStorage) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {JournalStorage.class}, (proxy, method, arguments) -> {
                    if (slow && method.getName().equals("read")) {
                        reading.countDown();
                        mayRead.await();
                    }
                    return call(storage, method, arguments);
                });
    }

    private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
