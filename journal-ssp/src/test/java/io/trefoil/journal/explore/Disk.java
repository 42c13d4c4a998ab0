/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.replica.Promotion;
import io.trefoil.journal.replica.ReplicaEffect;
import io.trefoil.journal.replica.ReplicaState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a node has made durable.
 *
 * @param base what came before the first entry
 * @param committedSn up to where it is written down that entries are committed; negative if there is no storage
 */
public record Disk(
        NodeId node,
        Promise promise,
        LogCompleteness completeness,
        LogSummary base,
        List<Entry> entries,
        long committedSn) {

    /** A disk without storage; its node has this id, and will have storage under it. */
    static Disk empty(NodeId node) {
        return new Disk(node, Promise.NONE, LogCompleteness.COMPLETE, LogSummary.ORIGIN, List.of(), -1);
    }

    /** A disk with storage that a writer gave to an empty node. */
    Disk format(LogSummary begin) {
        return new Disk(
                node, promise, completeness, begin, entries, begin.position().sn());
    }

    boolean isFormatted() {
        return committedSn >= 0;
    }

    long lastSn() {
        return base.position().sn() + entries.size();
    }

    LogPosition last() {
        return entries.isEmpty()
                ? base.position()
                : entries.get(entries.size() - 1).position();
    }

    /** Where the entry with a serial number is, which is here or is the base's last. */
    LogPosition positionAt(long sn) {
        long behindBase = sn - base.position().sn();
        return behindBase <= 0
                ? base.position()
                : entries.get((int) behindBase - 1).position();
    }

    List<Entry> entriesBetween(long prevSn, long lastSn) {
        int from = (int) (prevSn - base.position().sn());
        return List.copyOf(entries.subList(from, (int) (lastSn - base.position().sn())));
    }

    /** With what an effect makes durable. */
    Disk apply(ReplicaEffect effect) {
        if (effect instanceof ReplicaEffect.SavePromise saved) {
            return new Disk(node, saved.promise(), saved.completeness(), base, entries, committedSn);
        } else if (effect instanceof ReplicaEffect.Truncate cut) {
            return withLog(
                    base,
                    entries.subList(0, (int) (cut.lastSn() - base.position().sn())),
                    committedSn);
        } else if (effect instanceof ReplicaEffect.Write written) {
            List<Entry> longer = new ArrayList<>(entries);
            longer.addAll(written.entries());
            long last = base.position().sn() + longer.size();
            return withLog(base, longer, Math.max(committedSn, Math.min(last, written.committedSn())));
        } else if (effect instanceof ReplicaEffect.Rebase rebased) {
            return withLog(rebased.base(), List.of(), rebased.base().position().sn());
        }
        return this;
    }

    /** Without what is behind the first entries: its node knows that something was there. */
    Disk withDamageAfter(int keptCount) {
        return new Disk(node, promise, LogCompleteness.REFETCHING, base, entries, committedSn)
                .withLog(
                        base,
                        entries.subList(0, keptCount),
                        Math.min(committedSn, base.position().sn() + keptCount));
    }

    /** Without the edits below a transaction, as far as they are committed. */
    Disk purgeBelow(long belowTxId, long knownSn) {
        long firstSn = lastSn() + 1;
        for (Entry entry : entries) {
            if (entry.kind() == EntryKind.EDITS && entry.txIds().last() >= belowTxId) {
                firstSn = Math.min(firstSn, entry.sn());
            }
        }
        long baseSn = Math.min(firstSn, knownSn) - 1;
        return baseSn <= base.position().sn()
                ? this
                : withLog(summaryUpTo(baseSn), entriesBetween(baseSn, lastSn()), committedSn);
    }

    /** The storage of this disk's successor as the only voter; empty if no promotion may begin with this log. */
    Optional<Disk> promote() {
        LogSummary end = summaryUpTo(lastSn());
        TreeMap<Long, Epoch> epochs =
                new TreeMap<>(Map.of(base.position().sn(), base.position().epoch()));
        for (Entry entry : entries) {
            if (!epochs.lastEntry().getValue().equals(entry.epoch())) {
                epochs.put(entry.sn(), entry.epoch());
            }
        }
        Promotion.Survivor own = Promotion.Survivor.of(
                node,
                promise,
                completeness,
                summaryUpTo(Math.max(committedSn, base.position().sn())),
                end,
                epochs);
        Set<NodeAddress> lost = end.members().list().stream()
                .filter(member -> !member.id().equals(node))
                .map(Member::address)
                .collect(Collectors.toSet());
        if (end.incarnation().isPromoted()
                || !Promotion.refusalReasons(own, Map.of(), lost).isEmpty()) {
            return Optional.empty();
        }
        Epoch epoch = Promotion.nextEpoch(own, List.of());
        long txId = end.lastTxId() + 1;
        NodeId heir = NodeId.of(node + "p");
        List<Entry> behind = Promotion.newEntries(
                own,
                epoch,
                heir,
                lost,
                Promotion.CounterIncrease.of(TxRange.of(txId, txId), Bytes.EMPTY, Bytes.EMPTY, 0));
        return Optional.of(new Disk(
                heir,
                Promise.of(epoch, WriterId.NOBODY, 0),
                LogCompleteness.COMPLETE,
                end.with(Incarnation.ofPromotion(1, 1)),
                behind,
                end.position().sn() + behind.size()));
    }

    private Disk withLog(LogSummary begin, List<Entry> list, long committed) {
        return new Disk(node, promise, completeness, begin, List.copyOf(list), committed);
    }

    /** All up to an entry that is here or is the base's last. */
    LogSummary summaryUpTo(long sn) {
        LogSummary summary = base;
        for (Entry entry : entries.subList(0, (int) (sn - base.position().sn()))) {
            summary = summary.plus(entry);
        }
        return summary;
    }

    /** What a process knows that opens it. */
    ReplicaState open(long nowNanos) {
        long committedHere = Math.max(committedSn, base.position().sn());
        LogSummary committed = summaryUpTo(committedHere);
        List<Entry> tail =
                entries.subList((int) (committedHere - base.position().sn()), entries.size());
        return ReplicaState.afterOpening(node, promise, completeness, committed, tail, nowNanos);
    }
}
