/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.writer;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.sim.history.Fact;
import io.trefoil.journal.sim.plan.WriterRules;
import io.trefoil.journal.sim.world.SimHost;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.WriterEffect;
import io.trefoil.journal.writer.events.WriterEvent;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A writer on a host with its user, by rules that may be wrong; subclasses decide whether the real driver runs the rules. */
abstract class HostedWriter implements SimWriter {

    final WriterWorld world;
    final SimHost host;
    final WriterSettings settings;
    final SimUser user;
    boolean alive = true;
    private final WriterRules rules;
    /** How long after its sessions were asked for its term is wanted; empty if at once. */
    private final Optional<Duration> held;

    private boolean wanted;
    private WriterState state;
    private Optional<Long> believedUntilNanos = Optional.empty();
    private Optional<Long> leasedUntilNanos = Optional.empty();
    /** The newest entry that a node with a read lease, or every node, was told to be committed. */
    private long toldSn;

    private long committedSn;

    /**
     * @param held how long after its sessions were asked for its term is wanted; empty if at once
     * @param nowNanos by the clock that the rules use
     */
    HostedWriter(
            WriterWorld world,
            SimHost host,
            WriterRules rules,
            WriterSettings settings,
            Optional<Duration> held,
            long nowNanos) {
        this.world = world;
        this.host = host;
        this.rules = rules;
        this.settings = settings;
        this.user = new SimUser(world, this, world.mix().maxOutstanding());
        this.held = held;
        this.wanted = !held.isPresent();
        this.state = wanted ? WriterState.begin(settings, nowNanos) : WriterState.newConnecting(settings, nowNanos);
    }

    /** What the rules decide; performs nothing. */
    final Step<WriterState, WriterEffect> decide(WriterState before, WriterEvent event, long nowNanos) {
        return rules.step(before, event, nowNanos);
    }

    final void enter(WriterState next) {
        state = next;
    }

    /** Has the term begin when it is wanted, if that is not at once. */
    final void beginWhenWanted(Runnable begin) {
        held.ifPresent(time -> schedule(time.toNanos(), id() + " is wanted", () -> {
            wanted = true;
            begin.run();
        }));
    }

    final boolean isWanted() {
        return wanted;
    }

    /** Until its term is wanted, a writer must not ask for anything: another one may write. */
    final void reportIfTooEarly(PoolRequest request) {
        if (!wanted) {
            report(new Fact.RequestedTooEarly(id(), request));
        }
    }

    /** Reports what the writer believes of its lease, if that has changed. */
    final void reportLease(long nowNanos) {
        Optional<Long> until = state.hasEnded() ? Optional.empty() : state.soleWriterUntilNanos();
        Optional<Long> leased = until.flatMap(alone -> state.leaseUntilNanos());
        if (!until.equals(believedUntilNanos) || !leased.equals(leasedUntilNanos)) {
            believedUntilNanos = until;
            leasedUntilNanos = leased;
            report(new Fact.LeaseBelieved(id(), nowNanos, until.orElse(nowNanos), leased.orElse(nowNanos)));
        }
    }

    /** A node with a read lease may learn of a commit before the writer's user does. */
    final void reportRevealedCommit(PoolRequest request) {
        if (request instanceof CommitRequest commit && commit.committedSn() > toldSn) {
            reportCommit(commit.committedSn());
        }
    }

    /** What was told early is not told again; but nothing hides a commit that falls behind one before. */
    final void reportCommitted(long sn) {
        boolean toldEarly = sn > committedSn && sn <= toldSn;
        committedSn = Math.max(committedSn, sn);
        if (!toldEarly) {
            reportCommit(sn);
        }
    }

    private void reportCommit(long committed) {
        toldSn = Math.max(toldSn, committed);
        report(new Fact.Committed(id(), state.epoch(), committed, state.end().members()));
    }

    final void noteDroppedFromInSync(NodeAddress address, long sn) {
        world.note(id() + " drops " + address + " from the in-sync set at " + sn);
    }

    final void noteInSyncAgain(NodeAddress address) {
        world.note(id() + " has " + address + " in sync again");
    }

    @Override
    public final WriterId id() {
        return settings.writer();
    }

    @Override
    public final SimHost host() {
        return host;
    }

    @Override
    public final WriterState state() {
        return state;
    }

    @Override
    public final boolean isStranger() {
        Incarnation own = state().end().incarnation();
        return own.isKnown() && !own.equals(world.incarnation());
    }

    /** Where no other node was in reach, it may write that until one is. */
    @Override
    public final boolean isLone() {
        return world.isLone(state().end().incarnation());
    }

    @Override
    public final void report(Fact fact) {
        if (!isStranger()) {
            world.report(fact);
        } else if (fact instanceof Fact.TermBegan began) {
            world.report(
                    isLone()
                            ? new Fact.LoneTermBegan(began.writer(), began.epoch())
                            : new Fact.TermOfStranger(began.writer(), began.epoch()));
        }
    }

    @Override
    public final List<NodeAddress> addresses() {
        return settings.addresses();
    }

    @Override
    public final boolean isAlive() {
        return alive && host.isUp();
    }

    @Override
    public boolean isWriting() {
        return alive && state.stage() == WriterStage.WRITING;
    }

    @Override
    public final boolean isAcquiringEpoch() {
        return alive && state.stage() == WriterStage.ACQUIRING_EPOCH;
    }

    @Override
    public final void schedule(long nanos, Object what, Runnable happening) {
        host.schedule(nanos, what, () -> {
            if (alive) {
                happening.run();
            }
        });
    }
}
