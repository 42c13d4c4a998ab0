/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.cluster;

import io.trefoil.federation.move.MoveBlocker;
import io.trefoil.federation.move.MoveLimits;
import io.trefoil.federation.move.MovePorts;
import io.trefoil.federation.move.MoveRecord;
import io.trefoil.federation.move.MoveSource;
import io.trefoil.federation.move.MoveStore;
import io.trefoil.federation.move.MoveTarget;
import io.trefoil.federation.move.SubtreeMover;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.move.rules.MovePhase;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.TableStore;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Moves that can be checked, and fail when they begin, or find nothing left to do. */
public final class FakeMoves implements SubtreeMoves {

    /** Why a path cannot be moved. */
    public final Map<String, String> blockers = new TreeMap<>();
    /** Paths with blocks of which some replicas are away. */
    public final Set<String> replicasAway = new TreeSet<>();
    /** Whether that is because of what is in it: then it is said how it can be copied. */
    public boolean isUnlinkable;
    /** The moves that were checked, and those that began. */
    public final List<String> asked = new ArrayList<>();

    public Optional<MoveRecord> current = Optional.empty();

    /** Whether a move finds, when it begins, that others have made its version and deleted the source; otherwise it fails then. */
    public boolean areMade;

    private Optional<MoveRecord> connected = Optional.empty();

    /** How far that move is. */
    public Optional<MoveProgress> progress = Optional.empty();

    public boolean isProgressReadable = true;

    /** How long clients' files can be waited for. */
    public Duration timeout = Duration.ofHours(1);

    private final TableStore table;

    public FakeMoves(TableStore table) {
        this.table = table;
    }

    @Override
    public MoveStore store() {
        return new MoveStore() {
            @Override
            public Closeable lock() throws IOException {
                asked.add("begin");
                if (!areMade) {
                    throw new TableRefusedException("This move fails");
                }
                appendVersion(connected.orElseThrow());
                return () -> {};
            }

            @Override
            public void requireLock() {}

            @Override
            public Optional<MoveRecord> current() {
                return current;
            }

            @Override
            public boolean begin(MoveRecord record) {
                return false;
            }

            @Override
            public void update(MoveRecord record) {}

            @Override
            public void saveProgress(MoveProgress progress) {}

            @Override
            public Optional<MoveProgress> readProgress(MoveRecord record) throws IOException {
                if (!isProgressReadable) {
                    throw new IOException("no attributes");
                }
                return progress;
            }

            @Override
            public boolean hasEnded(MoveRecord record) {
                return false;
            }

            @Override
            public void end(MoveRecord record) {
                current = Optional.empty();
            }
        };
    }

    private void appendVersion(MoveRecord record) throws IOException {
        SubtreeTable newest = table.requireNewest().table();
        SubtreeTable next = TableChange.assignOwner(newest, record.path(), record.target())
                .applyTo(newest, table.nameservices(), table.tableDirectory());
        table.append(TableRecord.of(next, record.tableChange(), record.startedBy(), record.startedAt()));
        SortedMap<String, String> lines = record.encode();
        lines.put("phase", MovePhase.EMPTYING.name());
        current = Optional.of(MoveRecord.decode(lines));
    }

    @Override
    public SubtreeMover connect(MoveRecord record, MoveLimits limits, int atATime, Consumer<String> progress) {
        asked.add(record.path() + " " + record.source() + " " + record.target());
        connected = Optional.of(record);
        String blocker = blockers.get(record.path().text());
        List<MoveBlocker> found = new ArrayList<>();
        if (blocker != null) {
            found.add(newBlocker(blocker));
        }
        if (replicasAway.contains(record.path().text())) {
            found.add(MoveBlocker.unavailableReplicas("Replicas are away"));
        }
        SubtreeSize size = SubtreeSize.builder()
                .files(1)
                .directories(1)
                .bytes(1)
                .bytesOnDisks(1)
                .blocks(1)
                .build();
        return new SubtreeMover(
                record,
                MovePorts.builder()
                        .table(table)
                        .store(store())
                        .source(newCheckedEnd(MoveSource.class, found, size))
                        .target(newCheckedEnd(MoveTarget.class, List.of(), size))
                        .limits(limits)
                        .counts(new MoveCounts(record.id(), Clock.systemUTC()))
                        .progress(progress)
                        .build());
    }

    private MoveBlocker newBlocker(String text) {
        return isUnlinkable ? MoveBlocker.unlinkable(text) : MoveBlocker.of(text);
    }

    /** An end that is only looked at. */
    private <T> T newCheckedEnd(Class<T> end, List<MoveBlocker> blockers, SubtreeSize size) {
        return end.cast(Proxy.newProxyInstance(
                end.getClassLoader(), new Class<?>[] {end}, (self, method, arguments) -> switch (method.getName()) {
                    case "size" -> size;
                    case "blockers" -> blockers;
                    case "canFreeze", "isEmpty" -> true;
                    case "deleteContents" -> null;
                    case "openFileTimeoutRefusal" ->
                        timeout.compareTo((Duration) arguments[0]) < 0
                                ? Optional.of("That pause is too long")
                                : Optional.empty();
                    default -> throw new AssertionError("Unexpected: " + method);
                }));
    }

    @Override
    public void close() {}
}
