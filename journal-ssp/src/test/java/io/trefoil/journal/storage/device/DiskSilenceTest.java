/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.storage.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.pool.replica.JournalReplica;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.storage.StorageDevice;
import io.trefoil.journal.storage.StorageSizes;
import io.trefoil.journal.storage.file.FileLayer;
import io.trefoil.journal.storage.file.OpenFile;
import io.trefoil.journal.storage.file.SimFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a replica says of a disk whose calls take a second each, and of one that leaves one of many calls without an answer. */
class DiskSilenceTest {
    private static final Duration CALL_DURATION = Duration.ofSeconds(1);
    private static final int SEGMENTS = 20;
    private static final NodeId NODE = NodeId.of("node-1");

    private final SimFiles files = new SimFiles(new Random(1));
    private final StorageDevice device = new FileStorageDevice(
            Path.of("/pool/ns1"),
            StorageSizes.DEFAULT
                    .withLogFileBytes(StorageSizes.MIN_LOG_FILE_BYTES)
                    .withRecentBytes(0),
            watch(FileLayer.class, files),
            Runnable::run,
            () -> 1,
            this::nowNanos);
    private long nowNanos;
    private int calls;
    private int callThatHangs = Integer.MAX_VALUE;
    private Duration longest = Duration.ZERO;
    private JournalReplica replica;

    private long nowNanos() {
        return nowNanos;
    }

    /** Each call takes its time, and is seen from another thread while it is under way. */
    private <T> T watch(Class<T> type, T files) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    nowNanos += (++calls == callThatHangs ? CALL_DURATION.multipliedBy(60) : CALL_DURATION).toNanos();
                    if (replica != null) {
                        Duration silent = replica.diskStallTime();
                        longest = silent.compareTo(longest) > 0 ? silent : longest;
                    }
                    try {
                        Object result = method.invoke(files, arguments);
                        return result instanceof OpenFile file ? watch(OpenFile.class, file) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @BeforeEach
    void formatALongLog() throws IOException {
        List<Entry> entries = new ArrayList<>();
        for (int txId = 1; txId <= SEGMENTS; txId++) {
            add(entries, EntryKind.SEGMENT_START, TxRange.emptyRangeAt(txId), "-67");
            add(entries, EntryKind.EDITS, TxRange.of(txId, txId), "x".repeat(100));
            add(entries, EntryKind.SEGMENT_END, TxRange.emptyRangeAt(txId + 1), "");
        }
        open().perform(FormatRequest.of(NamespaceId.of("CID-1", 42), NODE, LogSummary.ORIGIN, entries, false));
        replica.close();
        calls = 0;
        longest = Duration.ZERO;
    }

    private static void add(List<Entry> entries, EntryKind kind, TxRange txIds, String payload) {
        entries.add(Entry.of(LogPosition.of(Epoch.of(1), entries.size() + 1), kind, txIds, Bytes.ofUtf8(payload)));
    }

    private JournalReplica open() {
        replica = new JournalReplica("replica", device, this::nowNanos, () -> NODE, writer -> false);
        replica.open();
        assertThat(replica.failureReason()).isEmpty();
        return replica;
    }

    @Test
    void openingLongLogIsNotSilence() {
        open();

        assertThat(calls).isGreaterThan(SEGMENTS);
        assertThat(longest).isEqualTo(CALL_DURATION);
        assertThat(replica.diskStallTime()).isZero();
    }

    @Test
    void hungCallDuringOpenIsSilence() {
        callThatHangs = 30;

        open();

        assertThat(longest).isEqualTo(CALL_DURATION.multipliedBy(60));
    }

    @Test
    void purgingManyFilesIsNotSilence() {
        open();
        calls = 0;

        assertThat(replica.perform(PurgeRequest.of(Epoch.of(1), SEGMENTS))).contains(DoneReply.of(NODE));

        assertThat(calls).isGreaterThan(SEGMENTS / 2);
        assertThat(longest).isEqualTo(CALL_DURATION);
    }
}
