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

    private boolean isReached() {
        return connected && member.zooKeeperInReach && world.zooKeeper.isUp();
    }

    /** Opens it if there is none, or none any more. */
    void keep() {
        boolean reached = member.zooKeeperInReach && world.zooKeeper.isUp();
        if (!reached) {
            if (connected) {
                connected = false;
                member.hear(AgentEvent.disconnected());
            }
            return;
        }
        boolean lives = world.zooKeeper.ping(session);
        if (!lives) {
            session = world.zooKeeper.open();
        }
        if (!lives || !connected) {
            connected = true;
            readView();
        }
    }

    void readView() {
        if (!isReached()) {
            return;
        }
        View view = world.zooKeeper.view(session);
        if (view.orders().revision() < orders.revision()) {
            world.zooKeeper.order(orders);
            view = view.with(orders);
        }
        orders = view.orders();
        member.hear(AgentEvent.viewChanged(view));
        if (member.alive && shown.isPresent() && !view.member(member.name).equals(shown)) {
            show();
        }
    }

    /** From now on this is what it shows of itself. */
    void show(MemberRecord record) {
        shown = Optional.of(record);
        show();
    }

    private void show() {
        ZkSession in = session;
        MemberRecord record = shown.get();
        member.later(clock.between(1, 5), () -> {
            if (connected && world.zooKeeper.isUp()) {
                world.zooKeeper.publish(in, record);
            }
        });
    }

    /** Carries out an operator's order, if ZooKeeper is in reach. */
    void order(ElectionOrder order) {
        if (isReached()) {
            View read = world.zooKeeper.view(session);
            View view = read.orders().revision() < orders.revision() ? read.with(orders) : read;
            world.zooKeeper.order(order.carryOut(view, Set.of()).orders());
        }
    }

    void takeLock(LockRecord lock, Ballot expected, Optional<LockRecord> replaced, boolean illWhenItBid) {
        member.later(clock.between(1, 10), () -> {
            boolean taken = isReached() && world.zooKeeper.take(lock, expected, replaced);
            if (taken) {
                world.elected(member, illWhenItBid);
            }
            boolean told = taken && !clock.chance(0.03);
            member.later(clock.between(1, 10), () -> {
                member.hear(told ? AgentEvent.lockTaken(lock) : AgentEvent.lockMissed());
                readView();
            });
        });
    }

    /** Does something there soon, if it is in reach then. */
    void soon(Runnable task) {
        member.later(clock.between(1, 10), () -> {
            if (isReached()) {
                task.run();
            }
        });
    }
}
