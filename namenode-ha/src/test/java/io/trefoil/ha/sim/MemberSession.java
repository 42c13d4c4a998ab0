/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.sim;

import io.trefoil.foundation.SimClock;
import io.trefoil.ha.agent.events.AgentEvent;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.ElectionOrder;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import java.util.Optional;
import java.util.Set;

/** What a simulated NameNode has of ZooKeeper: its session, what it shows there, and what it last saw there. */
final class MemberSession {
    private final SimMember member;
    private final GroupSimulation world;
    private final SimClock clock;
    private ZkSession session = ZkSession.NONE;
    private boolean connected;
    private Optional<MemberRecord> shown = Optional.empty();

    /** The newest orders that this process has seen. */
    private StandingOrders orders = StandingOrders.NONE;

    MemberSession(SimMember member, GroupSimulation world) {
        this.member = member;
        this.world = world;
        this.clock = world.clock;
    }

    /** What the process knew ended with it. */
    void forget() {
        shown = Optional.empty();
        orders = StandingOrders.NONE;
        session = ZkSession.NONE;
        connected = false;
    }

    private boolean isZooKeeperReachable() {
        return connected && member.zooKeeperInReach && world.zooKeeper.isUp();
    }

    /** Opens it if there is none, or none any more. */
    void ensureOpen() {
        boolean reached = member.zooKeeperInReach && world.zooKeeper.isUp();
        if (!reached) {
            if (connected) {
                connected = false;
                member.handle(AgentEvent.disconnected());
            }
            return;
        }
        boolean lives = world.zooKeeper.isAlive(session);
        if (!lives) {
            session = world.zooKeeper.open();
        }
        if (!lives || !connected) {
            connected = true;
            readView();
        }
    }

    void readView() {
        if (!isZooKeeperReachable()) {
            return;
        }
        View view = world.zooKeeper.view(session);
        if (view.orders().revision() < orders.revision()) {
            world.zooKeeper.replaceOrders(orders);
            view = view.with(orders);
        }
        orders = view.orders();
        member.handle(AgentEvent.viewChanged(view));
        if (member.alive && shown.isPresent() && !view.member(member.name).equals(shown)) {
            republish();
        }
    }

    /** From now on this is what it shows of itself. */
    void publish(MemberRecord record) {
        shown = Optional.of(record);
        republish();
    }

    private void republish() {
        ZkSession in = session;
        MemberRecord record = shown.get();
        member.runLater(clock.randomBetween(1, 5), () -> {
            if (connected && world.zooKeeper.isUp()) {
                world.zooKeeper.publish(in, record);
            }
        });
    }

    /** Carries out an operator's order, if ZooKeeper is in reach. */
    void submitOrder(ElectionOrder order) {
        if (isZooKeeperReachable()) {
            View read = world.zooKeeper.view(session);
            View view = read.orders().revision() < orders.revision() ? read.with(orders) : read;
            world.zooKeeper.replaceOrders(order.carryOut(view, Set.of()).orders());
        }
    }

    void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock, boolean illWhenItBid) {
        member.runLater(clock.randomBetween(1, 10), () -> {
            boolean taken = isZooKeeperReachable() && world.zooKeeper.takeLock(lock, expected, replacedLock);
            if (taken) {
                world.onElected(member, illWhenItBid);
            }
            boolean reported = taken && !clock.chance(0.03);
            member.runLater(clock.randomBetween(1, 10), () -> {
                member.handle(reported ? AgentEvent.lockTaken(lock) : AgentEvent.lockMissed());
                readView();
            });
        });
    }

    /** Does something there soon, if it is in reach then. */
    void runSoon(Runnable task) {
        member.runLater(clock.randomBetween(1, 10), () -> {
            if (isZooKeeperReachable()) {
                task.run();
            }
        });
    }
}
