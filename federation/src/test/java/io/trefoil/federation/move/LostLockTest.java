/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A move whose process stands still while NameNodes are told where the subtree is, so that the call comes when others have gone on. */
class LostLockTest {

    private static final Instant NOW = Instant.parse("2026-11-27T04:00:00Z");

    private final FakeTableStore table = new FakeTableStore();
    private final SubtreePath path = SubtreePath.parse("/data/sales");
    private final MoveRecord record =
            MoveRecord.newMove("move1", path, "ns1", "ns2", "test", NOW).withSourceBefore(Collections.emptyMap());
    private final List<String> calls = new ArrayList<>();
    private boolean isLost;

    private interface Step {
        void run() throws IOException;
    }

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @BeforeEach
    void switchOwner() throws IOException {
        table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
        setOwner("ns2", record.tableChange());
    }

    private void setOwner(String owner, String change) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        SubtreeTable next = TableChange.assignOwner(newest, path, owner)
                .applyTo(newest, table.nameservices(), table.tableDirectory());
        assertThat(table.append(TableRecord.of(next, change, "test", NOW))).isTrue();
    }

    private void returnSubtree() throws IOException {
        setOwner("ns1", "move /data/sales ns1 move2");
    }

    /** The record says that the source is closed, and the table has the version. */
    private void resumeMove(Step leave) throws IOException {
        Closeable lock = () -> {};
        MoveStore store = fake(MoveStore.class, (proxy, method, arguments) -> {
            if (method.getName().equals("lock")) {
                return lock;
            }
            if (method.getName().equals("current")) {
                return Optional.of(record);
            }
            if (isLost) {
                throw new IOException("another has it");
            }
            return null;
        });
        MoveSource source = fake(MoveSource.class, (proxy, method, arguments) -> {
            calls.add(method.getName());
            if (method.getName().equals("redirectClients")) {
                leave.run();
            }
            return null;
        });
        MoveLimits limits =
                fake(MoveLimits.class, (proxy, method, arguments) -> method.getReturnType() == int.class ? 1 : null);
        new SubtreeMover(
                        record,
                        MovePorts.builder()
                                .table(table)
                                .store(store)
                                .source(source)
                                .target(fake(MoveTarget.class, (proxy, method, arguments) -> null))
                                .limits(limits)
                                .counts(new MoveCounts(record.id(), Clock.fixed(NOW, ZoneOffset.UTC)))
                                .progress(line -> {})
                                .build())
                .run(SourceCleanup.KEEP_SOURCE);
    }

    @Test
    void removesMarkWhenSubtreeHasReturned() {
        assertThatThrownBy(() -> resumeMove(() -> {
                    returnSubtree();
                    isLost = true;
                }))
                .hasMessage("another has it");
        assertThat(calls).containsExactly("redirectClients", "undoRedirect");
    }

    /** It may have been executed. */
    @Test
    void removesUnconfirmedMarkWhenSubtreeHasReturned() {
        assertThatThrownBy(() -> resumeMove(() -> {
                    returnSubtree();
                    isLost = true;
                    throw new IOException("no answer");
                }))
                .hasMessage("no answer");
        assertThat(calls).containsExactly("redirectClients", "undoRedirect");
    }

    @Test
    void keepsMarkMatchingTable() {
        assertThatThrownBy(() -> resumeMove(() -> isLost = true)).hasMessage("another has it");
        assertThat(calls).containsExactly("redirectClients");
    }
}
