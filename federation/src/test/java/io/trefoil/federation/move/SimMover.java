/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.progress.MoveCounts;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.TableStore;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

/** One process that moves the simulated subtree: its calls, and what becomes of them. */
final class SimMover {

    /** What happens at a call. */
    enum Fault {
        CRASH_BEFORE,
        CRASH_AFTER,
        FAIL,
        LOSE_ANSWER,
        /** The process stands still before it asks for its lock. */
        STALL,
        /** The process, or the call, stands still when it has been told that it has the lock. */
        COME_LATE
    }

    /** The end of a process. */
    static final class Crash extends Error {
        private static final long serialVersionUID = 1;
    }

    static final Instant NOW = Instant.parse("2026-11-29T09:00:00Z");

    final MoveSimulation world;
    final MoveRecord move;
    private final Map<Object, Fault> faults;
    private int calls;
    boolean isStalled;
    boolean isDead;

    SimMover(MoveSimulation world, MoveRecord move, Map<Object, Fault> faults) {
        this.world = world;
        this.move = move;
        this.faults = faults;
    }

    @Override
    public String toString() {
        return "mover " + System.identityHashCode(this) % 1000;
    }

    MovePorts ports() {
        return MovePorts.builder()
                .table(table())
                .store(new SimMoveStore(this))
                .source(new SimMoveSource(this))
                .target(new SimMoveTarget(this))
                .limits(new SimMoveLimits(world))
                .counts(new MoveCounts(move.id(), Clock.fixed(NOW, ZoneOffset.UTC)))
                .progress(line -> {})
                .build();
    }

    // ---- Calls ----

    interface Action {
        void run() throws IOException;
    }

    interface Answer<T> {
        T get() throws IOException;
    }

    <T> T read(String name, Answer<T> answer) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.pauseProcess(this);
        }
        T result = answer.get();
        end(name, fault);
        return result;
    }

    /** By a path, or anything that is executed when the lock was asked for. */
    void call(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.pauseProcess(this);
        }
        requireLock();
        action.run();
        end(name, fault);
    }

    /** The same, but it may arrive late. */
    void callMaybeDelayed(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL) {
            world.pauseProcess(this);
        }
        requireLock();
        if (fault == Fault.COME_LATE) {
            world.pauseProcess(this);
        }
        action.run();
        end(name, fault);
    }

    /** By a number, for which the process trusts clocks that may tell it nothing. */
    void delayable(String name, Action action) throws IOException {
        Fault fault = begin(name);
        if (fault == Fault.STALL || fault == Fault.COME_LATE) {
            world.pauseProcess(this);
        }
        action.run();
        end(name, fault);
    }

    private Fault begin(String name) throws IOException {
        world.runClientCalls(world.random.nextInt(3));
        Fault fault = faults.getOrDefault(++calls, faults.remove(name));
        if (fault != null) {
            world.met.add(fault + " " + name);
        }
        if (fault == Fault.CRASH_BEFORE) {
            die("before " + name);
        }
        if (fault == Fault.FAIL) {
            world.log(this + ": " + name + " fails");
            throw new IOException(name + " failed");
        }
        world.log(this + ": " + name);
        return fault;
    }

    private void end(String name, Fault fault) throws IOException {
        if (fault == Fault.CRASH_AFTER) {
            die("after " + name);
        }
        if (fault == Fault.LOSE_ANSWER) {
            world.log(this + ": no answer");
            throw new IOException("no answer to " + name);
        }
    }

    private void die(String when) {
        isDead = true;
        world.log(this + " ends " + when);
        throw new Crash();
    }

    boolean hasLock() {
        return world.holder.isPresent() && world.holder.get() == this;
    }

    void requireLock() throws IOException {
        if (!hasLock()) {
            throw new IOException("the lock is lost");
        }
    }

    // ---- The table ----

    private TableStore table() {
        return (TableStore) Proxy.newProxyInstance(
                TableStore.class.getClassLoader(), new Class<?>[] {TableStore.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "append" -> append((TableRecord) arguments[0]);
                        case "withdrawDrafts" -> {
                            call("withdraw", world.drafts::clear);
                            yield null;
                        }
                        case "history" -> read("history", () -> List.copyOf(world.table.records));
                        case "requireNewest" -> read("newest", world.table::requireNewest);
                        default -> {
                            try {
                                yield method.invoke(world.table, arguments);
                            } catch (InvocationTargetException e) {
                                throw e.getCause();
                            }
                        }
                    };
                });
    }

    private boolean append(TableRecord version) throws IOException {
        world.drafts.add(this);
        boolean[] isMade = {false};
        callMaybeDelayed("append", () -> {
            if (!world.drafts.remove(this)) {
                throw new IOException("the draft of the version is gone");
            }
            isMade[0] = world.table.append(version);
            world.log("version " + version.table().version() + " is made: " + isMade[0]);
        });
        return isMade[0];
    }
}
