/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.SimMover.Fault;
import io.trefoil.federation.move.SubtreeMover.SourceCleanup;
import io.trefoil.federation.move.rules.MoveEffect;
import io.trefoil.federation.move.rules.MoveEvent;
import io.trefoil.federation.move.rules.MoveState;
import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableChange;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.foundation.RuleDriver.Rules;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Two nameservices, a table, the record and clients, in one thread: at each call of a mover clients work, and a fault may happen. A mover may
 * end before or after the call, get no answer, or stand still while the time of its freeze and lock runs out and other processes carry the
 * move on, undo it, or move the subtree back; then its call arrives late, and it goes on.
 *
 * <p>Servers are as the documents say ({@code docs/design/subtree-moves.md}, "A call that arrives late"): what goes by a number finds nothing
 * when that is gone, no draft of a version or record stays when another process takes over, and a call that is for frozen directories needs the
 * freeze. The calls that go by a path (opening the source, snapshots) are executed when the lock was asked for. What those do late is the
 * matter of {@code DelayedCallTest}, at NameNodes.
 */
final class MoveSimulation {

    static final SubtreePath PATH = SubtreePath.parse("/data/sales");
    private static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");
    private static final List<String> NAMES = List.of("/a", "/b", "/c", "/d", "/e", "/f");

    static final List<Fault> FAULTS = List.of(Fault.values());
    /** Those that are made at most once in an attempt, or are of weight. */
    static final List<String> CALLS = List.of(
            "begin",
            "withdraw",
            "open source",
            "update COPYING",
            "prepare",
            "update PAUSED",
            "first snapshot",
            "freeze",
            "last snapshot",
            "ready",
            "fence",
            "close",
            "changes in pause",
            "still frozen?",
            "append",
            "history",
            "open target",
            "leave",
            "thaw",
            "release",
            "update OPENED",
            "changes since",
            "update EMPTYING",
            "delete files",
            "seal source",
            "end",
            "give up",
            "undo ready");

    final Random random;
    final Rules<MoveState, MoveEvent, MoveEffect> rules;
    /** Whether NameNodes freeze; otherwise clients are refused in a pause. */
    final boolean hasGates;

    final FakeTableStore table = new FakeTableStore();
    final Map<String, SimDirectory> directories = new HashMap<>();
    Optional<MoveRecord> record = Optional.empty();
    long recordNumber;
    final Set<String> ended = new HashSet<>();
    Optional<SimMover> holder = Optional.empty();
    /** The movers that have prepared a version. */
    final Set<SimMover> drafts = new HashSet<>();

    /** What clients were told that there is: each file's content. */
    private final SortedMap<String, Integer> told = new TreeMap<>();

    /** What superusers wrote into a closed directory, as permissions bind none: it may be in the way, but must not be lost. */
    private final Map<String, Integer> superusers = new TreeMap<>();

    private int permission = 0755;
    private long ids = 100;
    private int moves;
    private int nested;
    private boolean isSettling;
    private final List<String> trace = new ArrayList<>();
    /** The faults that happened, with the names of their calls. */
    final Set<String> met = new HashSet<>();

    int crashes;
    int stalls;
    int completed;
    int aborted;
    int failed;

    MoveSimulation(long seed, Rules<MoveState, MoveEvent, MoveEffect> rules) {
        this.random = new Random(seed * 0x9E3779B97F4A7C15L);
        this.rules = rules;
        this.hasGates = random.nextInt(3) > 0;
        for (String nameservice : List.of("ns1", "ns2")) {
            directories.put(nameservice, new SimDirectory(nameservice));
        }
        directories.get("ns1").isThere = true;
        directories.get("ns2").isThere = random.nextBoolean();
        table.append(TableRecord.of(SubtreeTable.first("cluster", "ns1"), "create", "test", NOW));
    }

    void run() {
        try {
            runClientCalls(10);
            int sessions = 1 + random.nextInt(3);
            for (int session = 0; session < sessions; session++) {
                runProcess(3);
                runClientCalls(5);
            }
            runToEnd();
        } catch (RuntimeException | AssertionError e) {
            throw new AssertionError(e + "\n" + String.join("\n", trace), e);
        }
    }

    void log(String event) {
        trace.add("  ".repeat(nested) + event);
    }

    long nextId() {
        return ids++;
    }

    // ---- Movers ----

    private String owner() {
        return table.newest().orElseThrow().table().ownerOf(PATH);
    }

    /** Whether there was another owner. */
    private boolean hasMoved() {
        return table.history().stream().anyMatch(one -> one.change().startsWith("move " + PATH));
    }

    private static String otherNameservice(String nameservice) {
        return nameservice.equals("ns1") ? "ns2" : "ns1";
    }

    /** Runs one process until it ends. */
    private void runProcess(int faults) {
        String owner = owner();
        MoveRecord connected = record.orElseGet(
                () -> MoveRecord.newMove("move" + ++moves, PATH, owner, otherNameservice(owner), "test", NOW));
        SimMover mover = new SimMover(this, connected, drawFaults(faults));
        boolean aborts = record.isPresent() && random.nextInt(isSettling ? 6 : 2) == 0;
        SourceCleanup afterwards =
                !isSettling && random.nextInt(5) == 0 ? SourceCleanup.KEEP_SOURCE : SourceCleanup.DELETE_SOURCE;
        log(mover + " begins: " + (aborts ? "abort" : afterwards) + " " + connected.id() + " to " + connected.target());
        try {
            SubtreeMover move = new SubtreeMover(connected, mover.ports(), rules);
            if (aborts) {
                move.abort();
                aborted++;
            } else {
                move.run(afterwards);
                completed++;
            }
            log(mover + " is done");
        } catch (SimMover.Crash e) {
            crashes++;
            log(mover + " crashed");
        } catch (IOException e) {
            failed++;
            log(mover + " failed: " + e.getMessage());
        }
    }

    /** By the id of a call, or by its name, as some are made once in a move. */
    private Map<Object, Fault> drawFaults(int maximum) {
        Map<Object, Fault> faults = new HashMap<>();
        int count = maximum == 0 ? 0 : random.nextInt(maximum + 1);
        for (int i = 0; i < count; i++) {
            Object call =
                    switch (random.nextInt(8)) {
                        case 0 -> "append";
                        case 1, 2, 3, 4 -> CALLS.get(random.nextInt(CALLS.size()));
                        default -> 1 + random.nextInt(70);
                    };
            faults.put(call, FAULTS.get(random.nextInt(FAULTS.size())));
        }
        return faults;
    }

    /** A process stands still, for as long as others may take its lock. */
    void pauseProcess(SimMover mover) {
        stalls++;
        log(mover + " stands still");
        nested++;
        mover.isStalled = true;
        runClientCalls(3);
        for (SimDirectory directory : directories.values()) {
            if (random.nextBoolean()) {
                directory.unfreeze();
            }
        }
        runClientCalls(5);
        int others = nested > 2 ? 0 : random.nextInt(4);
        for (int other = 0; other < others; other++) {
            runProcess(random.nextInt(3) == 0 ? 2 : 0);
            runClientCalls(5);
        }
        mover.isStalled = false;
        nested--;
        log(mover + " goes on");
    }

    /** All that is left ends, or an operator has to look, which is a fault here. */
    private void runToEnd() {
        isSettling = true;
        log("settle");
        holder = Optional.empty();
        for (int attempt = 0; attempt < 20; attempt++) {
            closeFiles();
            if (record.isEmpty()) {
                check();
                return;
            }
            runProcess(0);
        }
        SimDirectory kept = directories.get(otherNameservice(owner()));
        check(
                superusers.entrySet().stream()
                        .anyMatch(one -> Objects.equals(kept.findContent(one.getKey()), one.getValue())),
                "The move does not end");
    }

    private void closeFiles() {
        for (SimDirectory directory : directories.values()) {
            directory.unfreeze();
            directory.openFiles().forEach(path -> complete(directory, path));
        }
    }

    // ---- Clients ----

    /** Some calls of clients. */
    void runClientCalls(int calls) {
        for (int call = 0; call < calls; call++) {
            SimDirectory owner = directories.get(owner());
            SimDirectory other = directories.get(otherNameservice(owner.nameservice));
            // Some have an older table.
            makeClientCall(hasMoved() && random.nextInt(5) == 0 ? other : owner);
            boolean isUsed = hasMoved() || !other.files.isEmpty();
            check(!isUsed || !owner.isReadable() || !other.isReadable(), "clients can use both directories");
        }
        if (random.nextInt(150) == 0 && !isSettling) {
            changeTable();
        }
    }

    /** Others give another subtree away. */
    private void changeTable() {
        SubtreeTable newest = table.newest().orElseThrow().table();
        String elsewhere = "/other" + newest.version();
        try {
            SubtreeTable next = TableChange.add(SubtreePath.parse(elsewhere), "ns3")
                    .applyTo(newest, table.nameservices(), table.tableDirectory());
            table.append(TableRecord.of(next, "add " + elsewhere, "test", NOW));
            log("others make version " + next.version());
        } catch (TableRefusedException e) {
            throw new AssertionError(e);
        }
    }

    private void makeClientCall(SimDirectory directory) {
        String path = NAMES.get(random.nextInt(NAMES.size()));
        String to = NAMES.get(random.nextInt(NAMES.size()));
        SimDirectory.File file = directory.files.get(path);
        int kind = random.nextInt(9);
        if (directory.isClosed && directory.nameservice.equals(owner()) && file != null && random.nextInt(60) == 0) {
            superusers.put(path, newContent());
            directory.files.put(path, file.with(superusers.get(path), false));
            told.put(path, superusers.get(path));
            log("a superuser writes " + path + " at " + directory.nameservice);
        } else if (kind == 0) {
            read(directory, path);
        } else if (kind == 1 && file != null && file.isOpen() && random.nextInt(4) > 0) {
            // Calls of an open file are not checked against permissions.
            complete(directory, path);
        } else if (directory.isWritable()) {
            change(directory, path, to, kind);
        }
    }

    private void read(SimDirectory directory, String path) {
        SimDirectory.File file = directory.files.get(path);
        if (directory.isReadable() && (file == null || !file.isOpen()) && !superusers.containsKey(path)) {
            Integer found = file == null ? null : (Integer) file.content();
            check(
                    Objects.equals(found, told.get(path)),
                    "a client of " + directory.nameservice + " reads " + path + " as " + found + ", told " + told);
        }
    }

    private void complete(SimDirectory directory, String path) {
        int content = newContent();
        directory.files.put(path, directory.files.get(path).with(content, false));
        told.put(path, content);
        log("a client closes " + path + " at " + directory.nameservice);
    }

    private int newContent() {
        return (int) nextId();
    }

    private void change(SimDirectory directory, String path, String to, int kind) {
        SimDirectory.File file = directory.files.get(path);
        if ((file != null && file.isOpen()) || superusers.containsKey(path) || superusers.containsKey(to)) {
            return;
        }
        switch (kind) {
            case 2, 3 -> {
                if (file != null || !directory.isFenced) {
                    int content = newContent();
                    directory.files.put(
                            path,
                            file == null ? new SimDirectory.File(nextId(), content, false) : file.with(content, false));
                    told.put(path, content);
                    log("a client writes " + path + " at " + directory.nameservice);
                }
            }
            case 4 -> {
                if (file == null && !directory.isFenced && random.nextInt(3) == 0) {
                    directory.files.put(path, new SimDirectory.File(nextId(), newContent(), true));
                    log("a client opens " + path + " at " + directory.nameservice);
                }
            }
            case 5 -> {
                if (file != null) {
                    directory.files.remove(path);
                    told.remove(path);
                    log("a client deletes " + path + " at " + directory.nameservice);
                }
            }
            case 6 -> {
                if (file != null && directory.files.get(to) == null && !directory.isFenced) {
                    directory.files.put(to, directory.files.remove(path));
                    told.put(to, told.remove(path));
                    log("a client renames " + path + " to " + to + " at " + directory.nameservice);
                }
            }
            case 7 -> {
                if (!directory.isFenced) {
                    directory.permission = 0700 + random.nextInt(64);
                    permission = directory.permission;
                    log("a client sets 0" + Integer.toOctalString(permission) + " at " + directory.nameservice);
                }
            }
            default -> read(directory, path);
        }
    }

    // ---- What must be ----

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    /** Of what has ended. */
    private void check() {
        SimDirectory owner = directories.get(owner());
        SimDirectory former = directories.get(otherNameservice(owner.nameservice));
        SortedMap<String, Integer> found = new TreeMap<>();
        owner.files.forEach((path, file) -> found.put(path, file.content()));
        superusers.forEach((path, content) -> check(
                Objects.equals(owner.findContent(path), content),
                "what a superuser wrote to " + path + " is lost, the owner has " + found));
        check(found.equals(told), "the owner has " + found + ", clients were told " + told);
        check(former.files.isEmpty(), "not the owner, but has files: " + former);
        check(owner.isWritable(), "clients cannot use the owner's directory: " + owner);
        check(owner.permission == permission, "the owner's directory has another permission: " + owner);
        check(!former.isClosed && former.staging.isEmpty(), "not the owner, and left as a move makes it: " + former);
        check(!hasMoved() || former.isSealed, "gave the subtree away, and is not sealed: " + former);
        check(
                !hasMoved() || !hasGates || former.movedTo.equals(owner.nameservice),
                "gave the subtree away, and tells nobody: " + former);
    }
}
