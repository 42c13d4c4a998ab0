/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.foundation.Step;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import java.util.Optional;

/** What rules R1, R2, R3 and R6 say of one node. */
final class NodeChecks {

    private NodeChecks() {}

    /** What a step of a node breaks. */
    static Optional<String> findViolation(NodePart part, PoolRequest request, Step<ReplicaState, ReplicaEffect> step) {
        Epoch promised = part.process().promise().epoch();
        if (step.next().promise().epoch().isBelow(promised)) {
            return Optional.of("R1: a promise of " + promised + " became one of "
                    + step.next().promise().epoch());
        }
        if (step.next().promise().epoch().isAbove(promised) && breaksLease(part.process(), request)) {
            return Optional.of("L1: a node promised " + request + ", and the lease of "
                    + part.process().promise().writer() + " runs");
        }
        boolean isChanged = !step.next().equals(part.process()) || hasWrites(step);
        boolean isOther = incarnation(request)
                .filter(other -> !other.equals(part.process().incarnation()))
                .isPresent();
        if (isOther && isChanged) {
            return Optional.of("R11: a node of incarnation " + part.process().incarnation() + " acted on " + request);
        }
        boolean acts = epoch(request).filter(promised::isAbove).isPresent() && isChanged;
        if (acts) {
            return Optional.of("R1: a node that promised " + promised + " acted on " + request);
        }
        for (ReplicaEffect effect : step.effects()) {
            if (effect instanceof ReplicaEffect.Halt halt) {
                return Optional.of("R2: a node halts: " + halt.reason());
            }
            if (effect instanceof ReplicaEffect.Truncate cut
                    && cut.lastSn() < part.process().committedSn()) {
                return Optional.of("R2: a node cuts what is committed, down to " + cut.lastSn());
            }
        }
        return Optional.empty();
    }

    /** Whether a writer asks for a promise while another one has a lease. */
    private static boolean breaksLease(ReplicaState state, PoolRequest request) {
        return request instanceof NewEpochRequest asked
                && !asked.writer().equals(state.promise().writer())
                && state.lease().remainingMillis(JournalWorld.NOW) > 0;
    }

    private static boolean hasWrites(Step<ReplicaState, ReplicaEffect> step) {
        return step.effects().stream().anyMatch(effect -> !(effect instanceof ReplicaEffect.Answer));
    }

    private static Optional<Incarnation> incarnation(PoolRequest request) {
        if (request instanceof AppendRequest append) {
            return Optional.of(append.incarnation());
        } else if (request instanceof CommitRequest commit) {
            return Optional.of(commit.incarnation());
        }
        return request instanceof RebaseRequest rebase
                ? Optional.of(rebase.base().incarnation())
                : Optional.empty();
    }

    private static Optional<Epoch> epoch(PoolRequest request) {
        if (request instanceof AppendRequest append) {
            return Optional.of(append.epoch());
        } else if (request instanceof CommitRequest commit) {
            return Optional.of(commit.epoch());
        }
        return request instanceof RebaseRequest rebase ? Optional.of(rebase.epoch()) : Optional.empty();
    }

    /** What a node's log or what it shows breaks. */
    static Optional<String> findViolation(NodePart part, History past) {
        Disk disk = part.disk();
        if (!disk.base().incarnation().equals(past.inForce())) {
            // What a promotion replaced is asked for nothing.
            return Optional.empty();
        }
        if (promotedWithOthers(disk)) {
            return Optional.of("R11: the promoted " + disk.node() + " is not the only voter");
        }
        LogPosition before = disk.base().position();
        if (before.equals(LogPosition.ORIGIN) && disk.entries().isEmpty()) {
            return Optional.empty();
        }
        for (Entry entry : disk.entries()) {
            if (entry.sn() != before.sn() + 1 || !past.contains(entry.position(), before)) {
                return Optional.of("R2: " + disk.node() + " has " + entry + " behind " + before);
            }
            before = entry.position();
        }
        LogPosition shown = part.process().committedSummary().position();
        if (!past.contains(past.committed(), shown)) {
            return Optional.of("R6: " + disk.node() + " shows " + shown + ", which is not committed");
        }
        return past.contains(disk.last(), shown)
                ? Optional.empty()
                : Optional.of("R2: " + disk.node() + " lost " + shown + ", which it knew to be committed");
    }

    /** Whether a promotion left others than the promoted node in the members. */
    private static boolean promotedWithOthers(Disk disk) {
        for (Entry entry : disk.entries()) {
            if (entry.kind() == EntryKind.MEMBERS && disk.base().incarnation().isPromoted()) {
                return Members.fromPayload(entry.payload()).list().size() > 1
                        && entry.sn() == disk.base().position().sn() + 1;
            }
        }
        return false;
    }

    /** Whether a disk has what its node acknowledged, unless a later writer has cut it. */
    static boolean isDurable(Disk disk, AppendedReply reply, History past) {
        Epoch durable = disk.promise().epoch();
        if (durable.isBelow(reply.epoch())) {
            return false;
        }
        if (durable.isAbove(reply.epoch())) {
            return true;
        }
        History.Term term = past.terms().get(reply.epoch());
        return term == null
                || reply.matchedSn() <= term.last().sn()
                || past.contains(disk.last(), LogPosition.of(reply.epoch(), reply.matchedSn()));
    }
}
