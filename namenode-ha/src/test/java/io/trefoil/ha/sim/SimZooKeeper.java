/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.ha.zk.RecordSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A ZooKeeper that can be down, be emptied, be what it once was, or take no changes: sessions that end when they are silent, and what is
 * ephemeral with them.
 */
final class SimZooKeeper {
    static final long SESSION_MILLIS = 5_000;

    private final SimClock clock;
    private final Map<ZkSession, Long> heardMillis = new LinkedHashMap<>();
    private final Map<String, MemberRecord> members = new TreeMap<>();
    private final Map<String, ZkSession> owners = new TreeMap<>();
    private final List<Runnable> watchers = new ArrayList<>();
    private Ballot ballot = Ballot.NONE;
    private Optional<LockRecord> lock = Optional.empty();
    private StandingOrders orders = StandingOrders.NONE;
    private final Map<String, Long> drainedSinceMillis = new TreeMap<>();
    private long sessions;
    private boolean up = true;
    private boolean readOnly;
    private Runnable copy = this::wipe;
    private final Map<String, Long> standbySinceMillis = new TreeMap<>();
    private final Map<String, Long> eligibleSinceMillis = new TreeMap<>();
    private long changes;
    private long bytes;

    SimZooKeeper(SimClock clock) {
        this.clock = clock;
        clock.schedule(100, this::expire);
    }

    boolean isUp() {
        return up;
    }

    void shutDown() {
        up = false;
    }

    void start() {
        up = true;
        heardMillis.replaceAll((session, heard) -> clock.millis());
    }

    /** Another one in its place, that knows nothing. */
    void wipe() {
        heardMillis.clear();
        deleteDirectory();
    }

    /** An operator deletes everything of the group; its sessions live on. */
    void deleteDirectory() {
        ballot = Ballot.NONE;
        lock = Optional.empty();
        members.clear();
        owners.clear();
        orders = StandingOrders.NONE;
        drainedSinceMillis.clear();
        standbySinceMillis.clear();
        eligibleSinceMillis.clear();
        notifyWatchers();
    }

    /** Keeps a copy of everything, for {@link #restore}. */
    void save() {
        Ballot savedBallot = ballot;
        StandingOrders savedOrders = orders;
        Optional<LockRecord> savedLock = lock;
        Map<String, MemberRecord> savedMembers = new TreeMap<>(members);
        Map<String, ZkSession> savedOwners = new TreeMap<>(owners);
        Set<ZkSession> savedSessions = Set.copyOf(heardMillis.keySet());
        copy = () -> {
            wipe();
            ballot = savedBallot;
            orders = savedOrders;
            lock = savedLock;
            members.putAll(savedMembers);
            owners.putAll(savedOwners);
            savedSessions.forEach(session -> heardMillis.put(session, clock.millis()));
            notifyWatchers();
        };
    }

    /** All is as it was when it was last saved. */
    void restore() {
        copy.run();
    }

    void setWritable(boolean changes) {
        readOnly = !changes;
    }

    /** Since when all can see that a member could be active at once. */
    Optional<Long> standbySinceMillis(String name) {
        return Optional.ofNullable(standbySinceMillis.get(name));
    }

    /** Since when all can see that a member could be active, be it as a junior. */
    Optional<Long> eligibleSinceMillis(String name) {
        return Optional.ofNullable(eligibleSinceMillis.get(name));
    }

    void watch(Runnable watcher) {
        watchers.add(watcher);
    }

    ZkSession open() {
        ZkSession session = ZkSession.of(++sessions);
        heardMillis.put(session, clock.millis());
        return session;
    }

    /** Whether the session still lives. */
    boolean isAlive(ZkSession session) {
        return heardMillis.replace(session, clock.millis()) != null;
    }

    private void expire() {
        if (up) {
            List<ZkSession> ended = heardMillis.entrySet().stream()
                    .filter(entry -> clock.millis() - entry.getValue() > SESSION_MILLIS)
                    .map(Map.Entry::getKey)
                    .toList();
            ended.forEach(this::end);
        }
        clock.schedule(100, this::expire);
    }

    void end(ZkSession session) {
        heardMillis.remove(session);
        List<String> gone = owners.entrySet().stream()
                .filter(entry -> entry.getValue().equals(session))
                .map(Map.Entry::getKey)
                .toList();
        gone.forEach(members::remove);
        gone.forEach(owners::remove);
        gone.forEach(standbySinceMillis::remove);
        gone.forEach(eligibleSinceMillis::remove);
        lock = lock.filter(held -> !held.session().equals(session));
        notifyWatchers();
    }

    /** How many changes were made. */
    long changes() {
        return changes;
    }

    /** Of the records that were written. */
    long bytes() {
        return bytes;
    }

    private void notifyWatchers() {
        changes++;
        watchers.forEach(Runnable::run);
    }

    View view(ZkSession session) {
        return View.of(session, ballot, lock, new ArrayList<>(members.values()), orders);
    }

    /** Replaces orders that are older. */
    void replaceOrders(StandingOrders newOrders) {
        if (!readOnly && up && newOrders.revision() > orders.revision()) {
            orders = newOrders;
            for (MemberRecord member : members.values()) {
                if (newOrders.isDrained(member.name())) {
                    drainedSinceMillis.putIfAbsent(member.name(), clock.millis());
                }
            }
            drainedSinceMillis.keySet().removeIf(name -> !newOrders.isDrained(name));
            notifyWatchers();
        }
    }

    /** Since when all can see that a member is drained. */
    Optional<Long> drainedSinceMillis(String name) {
        return Optional.ofNullable(drainedSinceMillis.get(name));
    }

    void publish(ZkSession session, MemberRecord record) {
        boolean isThere = record.equals(members.get(record.name())) && session.equals(owners.get(record.name()));
        if (heardMillis.containsKey(session) && !readOnly && !isThere) {
            if (record.state() == MemberState.STANDBY && record.eligible()) {
                standbySinceMillis.putIfAbsent(record.name(), clock.millis());
            } else {
                standbySinceMillis.remove(record.name());
            }
            if (record.state() != MemberState.ACTIVE && record.eligible()) {
                eligibleSinceMillis.putIfAbsent(record.name(), clock.millis());
            } else {
                eligibleSinceMillis.remove(record.name());
            }
            members.put(record.name(), record);
            owners.put(record.name(), session);
            bytes += RecordSizes.sizeOf(record);
            notifyWatchers();
        }
    }

    boolean takeLock(LockRecord newLock, Ballot expected, Optional<LockRecord> replacedLock) {
        boolean fits = !readOnly
                && ballot.equals(expected)
                && lock.isPresent() == replacedLock.isPresent()
                && heardMillis.containsKey(newLock.session());
        if (fits) {
            ballot = newLock.ballot();
            lock = Optional.of(newLock);
            bytes += RecordSizes.sizeOf(newLock);
            notifyWatchers();
        }
        return fits;
    }

    void writeLock(LockRecord publishedLock) {
        if (!readOnly && ballot.equals(publishedLock.ballot()) && lock.isPresent()) {
            lock = Optional.of(publishedLock);
            bytes += RecordSizes.sizeOf(publishedLock);
            notifyWatchers();
        }
    }

    void releaseLock(LockRecord heldLock) {
        if (!readOnly && ballot.equals(heldLock.ballot()) && lock.isPresent()) {
            deleteLock();
        }
    }

    void deleteLock() {
        lock = Optional.empty();
        notifyWatchers();
    }
}
