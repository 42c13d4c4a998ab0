/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.history;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PromiseReply;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sum of all facts so far: the disks of the nodes, the terms of the writers, and the one log of committed entries
 * that everything is measured by.
 */
public final class SimLedger {

    /** A node's storage as its disk has shown it. */
    public static final class Disk {
        private final NodeAddress address;
        private final NodeId node;
        private final int number;
        private final List<Entry> log = new ArrayList<>();
        private Promise promise = Promise.NONE;
        private LogCompleteness completeness = LogCompleteness.COMPLETE;
        private LogSummary base;
        private long durableSn;
        private long shownSn;
        private long ackedSn;
        private Optional<AppendRequest> leasedTo = Optional.empty();
        private long leasedFromNanos;
        private boolean writerSeemsGone;

        private Disk(NodeAddress address, NodeId node, int number, LogSummary base) {
            this.address = address;
            this.node = node;
            this.number = number;
            this.base = base;
        }

        public NodeAddress address() {
            return address;
        }

        public NodeId node() {
            return node;
        }

        public Promise promise() {
            return promise;
        }

        public LogCompleteness completeness() {
            return completeness;
        }

        public LogSummary base() {
            return base;
        }

        public List<Entry> log() {
            return Collections.unmodifiableList(log);
        }

        public long lastSn() {
            return base.position().sn() + log.size();
        }

        public LogPosition last() {
            return log.isEmpty() ? base.position() : log.get(log.size() - 1).position();
        }

        /** The end of what survives a loss of power. */
        public long durableSn() {
            return durableSn;
        }

        /** The highest serial number that it ever showed to its readers. */
        public long shownSn() {
            return shownSn;
        }

        /** The highest serial number that it ever acknowledged. */
        public long ackedSn() {
            return ackedSn;
        }

        /** The newest append that it acknowledged: it keeps the lease of that writer. */
        public Optional<AppendRequest> leasedTo() {
            return leasedTo;
        }

        public long leasedUntilNanos() {
            long millis = leasedTo.map(AppendRequest::leaseMillis).orElse(0L);
            return leasedFromNanos + (writerSeemsGone ? Math.min(millis, Promise.ALONE_MILLIS) : millis) * 1_000_000L;
        }

        /** The entry at a serial number; empty if the log does not have it, or no longer does. */
        public Optional<Entry> entryAt(long sn) {
            long index = sn - base.position().sn() - 1;
            return index < 0 || index >= log.size() ? Optional.empty() : Optional.of(log.get((int) index));
        }

        private void cutAbove(long sn) {
            while (!log.isEmpty() && lastSn() > sn) {
                log.remove(log.size() - 1);
            }
            durableSn = Math.min(durableSn, lastSn());
        }
    }

    /** One term of one writer. */
    public static final class Term {
        private final WriterId writer;
        private final Epoch epoch;
        private final LogPosition chosenLast;
        private Optional<LogTree.Branch> end;
        private long committedSn;

        private Term(WriterId writer, Epoch epoch, LogPosition chosenLast, Optional<LogTree.Branch> end) {
            this.writer = writer;
            this.epoch = epoch;
            this.chosenLast = chosenLast;
            this.end = end;
        }

        public WriterId writer() {
            return writer;
        }

        public Epoch epoch() {
            return epoch;
        }

        /** The last entry of the log that the term continues. */
        public LogPosition chosenLast() {
            return chosenLast;
        }

        /** The last entry of the term's log so far. */
        public Optional<LogTree.Branch> end() {
            return end;
        }

        public long committedSn() {
            return committedSn;
        }
    }

    /** A change of the members, as a writer made it. */
    public record MembersChange(Members before, Members after) {}

    private final Map<NodeAddress, Disk> disks = new LinkedHashMap<>();
    private final Map<NodeId, Disk> disksByNode = new LinkedHashMap<>();
    /** Interrupted formats; only the next opening shows whether they were completed. */
    private final Map<NodeId, Fact.FormatCutShort> cutShort = new LinkedHashMap<>();

    private final Map<Epoch, Term> terms = new LinkedHashMap<>();
    private final LogTree tree = new LogTree();
    private final Map<Promise, Set<NodeId>> promises = new LinkedHashMap<>();
    private final List<LogTree.Branch> committed = new ArrayList<>();
    private final List<Epoch> committedIn = new ArrayList<>();
    private final List<LogTree.Branch> acked = new ArrayList<>();
    private final Map<WriterId, Long> believedUntilNanos = new LinkedHashMap<>();
    private final Map<WriterId, Long> leasedUntilNanos = new LinkedHashMap<>();
    private final Set<WriterId> presumedDead = new LinkedHashSet<>();
    private final Set<WriterId> endedWriters = new LinkedHashSet<>();
    private final Set<NodeAddress> votersWanted = new LinkedHashSet<>();
    private final Set<NodeAddress> learnersWanted = new LinkedHashSet<>();
    private long takenBackSn;
    private Incarnation incarnation = Incarnation.NONE;

    public SimLedger() {}

    /** Starts the ledger of a journal that was initialized again; the members that operators want carry over. */
    public SimLedger(SimLedger before) {
        votersWanted.addAll(before.votersWanted);
        learnersWanted.addAll(before.learnersWanted);
    }

    /** The incarnation of the journal that is in force. */
    public Incarnation incarnation() {
        return incarnation;
    }

    public Optional<Disk> disk(NodeAddress address) {
        return Optional.ofNullable(disks.get(address));
    }

    public Optional<Disk> disk(NodeId node) {
        return Optional.ofNullable(disksByNode.get(node));
    }

    /** The storage that a vote comes from: the current one, or the one that was there when the request was read. */
    public Optional<Disk> votingDisk(Fact.Answered answered) {
        return speaker(answered.reply()).flatMap(node -> speakingDisk(answered, node));
    }

    private static Optional<NodeId> speaker(PoolReply reply) {
        if (reply instanceof PromiseReply promise) {
            return Optional.of(promise.node());
        }
        if (reply instanceof AppendedReply appended) {
            return Optional.of(appended.node());
        }
        return reply instanceof MismatchReply mismatch ? Optional.of(mismatch.node()) : Optional.empty();
    }

    private Optional<Disk> speakingDisk(Fact.Answered answered, NodeId node) {
        Disk there = disks.get(answered.at());
        boolean own =
                (there != null && there.node.equals(node)) || answered.before().equals(Optional.of(node));
        return own ? disk(node) : Optional.empty();
    }

    /** The storages that ever held this promise. */
    public Set<NodeId> promisers(WriterId writer, Epoch epoch) {
        Set<NodeId> promisers = new LinkedHashSet<>();
        promises.forEach((promise, nodes) -> {
            if (promise.writer().equals(writer) && promise.epoch().equals(epoch)) {
                promisers.addAll(nodes);
            }
        });
        return promisers;
    }

    public Collection<Disk> disks() {
        return Collections.unmodifiableCollection(disks.values());
    }

    public Optional<Term> term(Epoch epoch) {
        return Optional.ofNullable(terms.get(epoch));
    }

    public Collection<Term> terms() {
        return Collections.unmodifiableCollection(terms.values());
    }

    public LogTree tree() {
        return tree;
    }

    /** The committed entry at a serial number; empty if there is none yet. */
    public Optional<LogTree.Branch> committedAt(long sn) {
        return sn < 1 || sn > committed.size() ? Optional.empty() : Optional.of(committed.get((int) sn - 1));
    }

    public long committedSn() {
        return committed.size();
    }

    /** The newest committed entry with a list of members; empty before the format. */
    public Optional<Entry> committedMembers() {
        for (int i = committed.size() - 1; i >= 0; i--) {
            if (committed.get(i).entry().kind() == EntryKind.MEMBERS) {
                return Optional.of(committed.get(i).entry());
            }
        }
        return Optional.empty();
    }

    /** What a writer changes in the members of its own log; empty if it does something else, or makes the first ones. */
    public Optional<MembersChange> membersChange(Fact fact) {
        if (!(fact instanceof Fact.EntryAppended remembered)
                || remembered.entry().kind() != EntryKind.MEMBERS) {
            return Optional.empty();
        }
        Optional<LogTree.Branch> branch = term(remembered.entry().epoch()).flatMap(Term::end);
        while (branch.isPresent() && branch.get().entry().kind() != EntryKind.MEMBERS) {
            branch = branch.get().predecessor();
        }
        Members after = Members.fromPayload(remembered.entry().payload());
        return branch.map(
                older -> new MembersChange(Members.fromPayload(older.entry().payload()), after));
    }

    /** The epoch in which a committed entry was committed: its own or a later one. */
    public Epoch committedIn(long sn) {
        return committedIn.get((int) sn - 1);
    }

    /** Every entry that was acknowledged to users, in the order of the acknowledgements. */
    public List<LogTree.Branch> ackedEntries() {
        return Collections.unmodifiableList(acked);
    }

    /** The end of each writer's last reported belief that it is alone. */
    /** Until when each writer that no node ever presumed dead said at most that nobody else could get a promise. */
    public Map<WriterId, Long> leasedUntilNanos() {
        Map<WriterId, Long> leased = new LinkedHashMap<>(leasedUntilNanos);
        leased.keySet().removeAll(presumedDead);
        return leased;
    }

    public Map<WriterId, Long> believedUntilNanos() {
        return Collections.unmodifiableMap(believedUntilNanos);
    }

    /** Whether an operator ever wanted a voter at an address. */
    public boolean isVoterWanted(NodeAddress address) {
        return votersWanted.contains(address);
    }

    /** Whether an operator ever wanted a permanent learner at an address. */
    public boolean isLearnerWanted(NodeAddress address) {
        return learnersWanted.contains(address);
    }

    public boolean hasEnded(WriterId writer) {
        return endedWriters.contains(writer);
    }

    /** The newest entry that took transactions back and whose command returned; 0 if there is none. */
    public long takenBackSn() {
        return takenBackSn;
    }

    /** Whether a node ever had an entry durably, according to its disk. */
    public boolean wasDurableOn(NodeId node, LogTree.Branch entry) {
        Disk disk = disksByNode.get(node);
        return disk != null
                && (entry.wasDurableOn(disk.number)
                        || disk.base.position().sn() >= entry.entry().sn());
    }

    /** Adds a fact that was already judged. */
    public void add(Fact fact) {
        if (fact instanceof Fact.Formatted formatted) {
            add(formatted);
        } else if (fact instanceof Fact.FormatCutShort cut) {
            cutShort.put(cut.node(), cut);
        } else if (fact instanceof Fact.StorageRemoved gone) {
            disks.remove(gone.at());
        } else if (fact instanceof Fact.Opened opened) {
            add(opened);
        } else if (fact instanceof Fact.PromiseSaved saved) {
            Disk disk = disks.get(saved.at());
            disk.promise = saved.promise();
            disk.completeness = saved.completeness();
            recordPromise(saved.node(), saved.promise());
        } else if (fact instanceof Fact.Written written) {
            disks.get(written.at()).log.addAll(written.entries());
        } else if (fact instanceof Fact.Synced synced) {
            markDurable(disks.get(synced.at()));
        } else if (fact instanceof Fact.Cut cut) {
            Disk disk = disks.get(cut.at());
            disk.cutAbove(cut.lastSn());
            markDurable(disk);
        } else if (fact instanceof Fact.Rebased rebased) {
            Disk disk = disks.get(rebased.at());
            disk.log.clear();
            disk.base = rebased.base();
            disk.durableSn = disk.lastSn();
        } else if (fact instanceof Fact.Purged purged) {
            Disk disk = disks.get(purged.at());
            disk.log
                    .subList(0, (int) (purged.base().position().sn()
                            - disk.base.position().sn()))
                    .clear();
            disk.base = purged.base();
        } else if (fact instanceof Fact.Shown shown) {
            Disk disk = disks.get(shown.at());
            disk.shownSn = Math.max(disk.shownSn, shown.committedSn());
        } else if (fact instanceof Fact.TailRotted rotted) {
            Disk disk = disks.get(rotted.at());
            disk.shownSn = Math.min(disk.shownSn, rotted.fromSn() - 1);
            disk.ackedSn = Math.min(disk.ackedSn, rotted.fromSn() - 1);
        } else if (fact instanceof Fact.Answered answered) {
            add(answered);
        } else {
            addWriterFact(fact);
        }
    }

    private void addWriterFact(Fact fact) {
        if (fact instanceof Fact.TermBegan began) {
            terms.put(
                    began.epoch(),
                    new Term(began.writer(), began.epoch(), began.chosenLast(), tree.branchAt(began.chosenLast())));
        } else if (fact instanceof Fact.EntryAppended remembered) {
            Term term = terms.get(remembered.entry().epoch());
            LogPosition before =
                    term.end.map(branch -> branch.entry().position()).orElse(LogPosition.ORIGIN);
            term.end = Optional.of(tree.add(remembered.entry(), before));
        } else if (fact instanceof Fact.Committed commit) {
            Term term = terms.get(commit.epoch());
            term.committedSn = commit.sn();
            commit(term, commit.sn());
        } else if (fact instanceof Fact.Acked ack) {
            tree.branchAt(ack.entry().position()).ifPresent(acked::add);
        } else if (fact instanceof Fact.TakenBack takenBack) {
            takenBackSn = Math.max(takenBackSn, takenBack.entry().sn());
        } else if (fact instanceof Fact.LeaseBelieved believed) {
            believedUntilNanos.put(believed.writer(), believed.untilNanos());
            leasedUntilNanos.merge(believed.writer(), believed.leasedUntilNanos(), Math::max);
        } else if (fact instanceof Fact.WriterPresumedDead gone) {
            presumedDead.add(gone.writer());
            Optional.ofNullable(disks.get(gone.at()))
                    .filter(disk -> disk.leasedTo
                            .filter(lease -> lease.writer().equals(gone.writer()))
                            .isPresent())
                    .ifPresent(disk -> disk.writerSeemsGone = true);
        } else if (fact instanceof Fact.WriterEnded ended) {
            endedWriters.add(ended.writer());
        } else if (fact instanceof Fact.ChangeRequested wanted) {
            boolean votes = wanted.change().kind() == MemberChange.Kind.ADD
                    || wanted.change().kind() == MemberChange.Kind.REPLACE;
            boolean learns = wanted.change().kind() == MemberChange.Kind.ADD_LEARNER;
            wanted.change().joiningAddress().filter(joining -> votes).ifPresent(votersWanted::add);
            wanted.change().joiningAddress().filter(joining -> learns).ifPresent(learnersWanted::add);
        }
    }

    private void add(Fact.Formatted formatted) {
        incarnation = formatted.base().incarnation();
        Disk disk = new Disk(formatted.at(), formatted.node(), disksByNode.size(), formatted.base());
        disks.put(formatted.at(), disk);
        disksByNode.put(formatted.node(), disk);
        LogPosition before = formatted.base().position();
        for (Entry entry : formatted.entries()) {
            LogTree.Branch branch = tree.add(entry, before);
            if (entry.sn() > committed.size()) {
                committed.add(branch);
                committedIn.add(entry.epoch());
            }
            before = entry.position();
        }
        disk.log.addAll(formatted.entries());
        markDurable(disk);
    }

    private void recordPromise(NodeId node, Promise promise) {
        promises.computeIfAbsent(promise, given -> new LinkedHashSet<>()).add(node);
    }

    private void add(Fact.Opened opened) {
        Fact.FormatCutShort cut = cutShort.remove(opened.node());
        if (cut != null) {
            add(new Fact.Formatted(cut.at(), cut.node(), cut.base(), cut.entries()));
        }
        // It may have been away for long, with another storage in its place.
        Disk disk = disksByNode.get(opened.node());
        disks.put(opened.at(), disk);
        disk.promise = opened.promise();
        // Its process may have died after this reached the disk, before it knew.
        recordPromise(opened.node(), opened.promise());
        disk.completeness = opened.completeness();
        disk.base = opened.base();
        disk.log.clear();
        disk.log.addAll(opened.log());
        disk.durableSn = 0;
        markDurable(disk);
    }

    private void add(Fact.Answered answered) {
        votingDisk(answered).ifPresent(disk -> add(answered, disk));
    }

    private static void add(Fact.Answered answered, Disk disk) {
        if (answered.reply() instanceof AppendedReply reply && answered.request() instanceof AppendRequest request) {
            disk.ackedSn = Math.max(disk.ackedSn, reply.matchedSn());
            disk.leasedTo = Optional.of(request);
            disk.leasedFromNanos = answered.atNanos();
            disk.writerSeemsGone = false;
        }
        if (answered.reply() instanceof MismatchReply && answered.request() instanceof AppendRequest request) {
            // Nothing was acknowledged, but the node heard a writer of a higher epoch, which has the promises of
            // others.
            disk.leasedTo = disk.leasedTo.filter(lease -> !lease.epoch().isBelow(request.epoch()));
        }
        if (answered.reply() instanceof PromiseReply && answered.request() instanceof NewEpochRequest request) {
            // A writer that asks for a higher epoch gives up its lease of the epoch before.
            disk.leasedTo = disk.leasedTo.filter(lease -> !lease.writer().equals(request.writer()));
        }
    }

    private void markDurable(Disk disk) {
        for (long sn = disk.lastSn(); sn > disk.durableSn; sn--) {
            disk.entryAt(sn)
                    .flatMap(entry -> tree.branchAt(entry.position()))
                    .ifPresent(branch -> branch.durableOn(disk.number));
        }
        disk.durableSn = disk.lastSn();
    }

    private void commit(Term term, long sn) {
        List<LogTree.Branch> news = new ArrayList<>();
        Optional<LogTree.Branch> branch = term.end.flatMap(end -> end.ancestorAt(sn));
        while (branch.isPresent() && branch.get().entry().sn() > committed.size()) {
            news.add(branch.get());
            branch = branch.get().predecessor();
        }
        Collections.reverse(news);
        committed.addAll(news);
        news.forEach(entry -> committedIn.add(term.epoch));
    }
}
