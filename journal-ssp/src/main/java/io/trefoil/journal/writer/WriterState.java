/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.NodeProgress;
import io.trefoil.journal.writer.events.WriterSettings;
import io.trefoil.journal.writer.events.WriterStage;
import io.trefoil.journal.writer.peer.CatchUpBudget;
import io.trefoil.journal.writer.peer.MemoryWindow;
import io.trefoil.journal.writer.peer.Peer;
import io.trefoil.journal.writer.peer.Peers;
import io.trefoil.journal.writer.peer.Quorum;
import io.trefoil.journal.writer.peer.ReadLeases;
import io.trefoil.journal.writer.peer.ReaderWaits;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The complete state of a writer (protocol page, "Writing" and "A new writer"). Immutable; times are by the
 * writer's own monotonic clock, in nanoseconds.
 */
@AutoValue
public abstract class WriterState {

    static final long NANOS_PER_MILLI = 1_000_000L;

    /** Creates the state of a writer whose term is not wanted yet ({@link WriterStage#MEETING}). */
    public static WriterState newConnecting(WriterSettings settings, long nowNanos) {
        return begin(settings, nowNanos).toBuilder().stage(WriterStage.MEETING).build();
    }

    /** Creates the state of a writer that has not asked any node yet. */
    public static WriterState begin(WriterSettings settings, long nowNanos) {
        return new AutoValue_WriterState.Builder()
                .settings(settings)
                .leaseMillis(settings.leaseMillis())
                .stage(WriterStage.ACQUIRING_EPOCH)
                .epoch(Epoch.NONE)
                .highestSeen(Epoch.NONE)
                .retryNanos(nowNanos)
                .peers(Peers.create(settings.addresses(), settings.addressSource()))
                .end(LogSummary.ORIGIN)
                .committedSn(0)
                .inheritedPosition(LogPosition.ORIGIN)
                .ackedSn(0)
                .announcedSn(0)
                .chosenLogEnd(LogPosition.ORIGIN)
                .termFirstSn(0)
                .termBeganNanos(nowNanos)
                .recoveredSn(0)
                .membersSn(0)
                .releasedSn(0)
                .releasedKeepFrom(Long.MAX_VALUE)
                .purgedBelow(0)
                .window(MemoryWindow.emptyWindowAfter(0))
                .lastTickNanos(nowNanos)
                .exclusivityRequestedNanos(Optional.<Long>empty())
                .readLeases(ReadLeases.NONE)
                .readerWaits(ReaderWaits.NONE)
                .pendingChanges(PendingChanges.empty(nowNanos))
                .catchUpBudget(CatchUpBudget.begin(settings.catchUpBytesPerSecond(), nowNanos))
                .build();
    }

    public abstract WriterSettings settings();

    /** The lease that this writer asks for: that of its settings, or a longer one since its host's pauses wanted that. */
    public abstract long leaseMillis();

    public abstract WriterStage stage();

    public abstract Epoch epoch();

    /** The highest epoch seen so far; the writer's next epoch is above it. */
    abstract Epoch highestSeen();

    /** The time at which to ask again, in stage {@code ACQUIRING_EPOCH}. */
    abstract long retryNanos();

    abstract Peers peers();

    /** The summary of the log up to the last entry appended, whether committed or not. */
    public abstract LogSummary end();

    public abstract long committedSn();

    /** The newest entry of earlier terms that was committed when this one began, as far as any node knew. */
    abstract LogPosition inheritedPosition();

    /** The serial number up to which appends of edits have returned; with {@code AckPolicy.ONE} it may exceed what is committed. */
    public abstract long ackedSn();

    /** The committed serial number that has been announced to every node in sync. */
    abstract long announcedSn();

    /** The last entry of the log that this term continues. */
    public abstract LogPosition chosenLogEnd();

    abstract long termBeganNanos();

    /** The first entry of this term; only entries from here on count for commitment. */
    abstract long termFirstSn();

    /** The entry with whose commit everything before the term is committed. */
    abstract long recoveredSn();

    /** The newest membership change of this term; 0 if there is none. */
    abstract long membersSn();

    /** The newest entry of this term that released a barrier; 0 if there is none. */
    abstract long releasedSn();

    /** The lowest transaction to keep until the entry {@code releasedSn} is committed. */
    abstract long releasedKeepFrom();

    /**
     * The bound below which transactions have been purged on so many nodes that no majority has them, or this term has let nodes purge them.
     */
    abstract long purgedBelow();

    /** The entries in the writer's memory. */
    abstract MemoryWindow window();

    abstract long lastTickNanos();

    /** The time at which the user last reported that it was about to answer readers; empty if never. */
    abstract Optional<Long> exclusivityRequestedNanos();

    /** The nodes next to which an observer may answer reads without asking this writer. */
    abstract ReadLeases readLeases();

    /** Returns how long commits have waited in this term for nodes that are read from. */
    abstract ReaderWaits readerWaits();

    /** The membership changes that are currently requested. */
    abstract PendingChanges pendingChanges();

    /** The budget of bytes that may be sent to lagging nodes now. */
    abstract CatchUpBudget catchUpBudget();

    abstract Builder toBuilder();

    /** A copy in another stage, if that one may follow; see {@link WriterStage#transitionTo}. */
    final WriterState with(WriterStage next) {
        return toBuilder().stage(stage().transitionTo(next)).build();
    }

    /** The state of a writer that has not asked any node: its term has only just been requested, or could not begin and starts over. */
    final WriterState restart(long nowNanos) {
        return begin(settings(), nowNanos).toBuilder()
                .leaseMillis(leaseMillis())
                .stage(stage().transitionTo(WriterStage.ACQUIRING_EPOCH))
                .purgedBelow(purgedBelow())
                .build();
    }

    /**
     * The bound below which nodes may purge if the user needs nothing below {@code minTxId}: excludes transactions that a
     * barrier keeps.
     */
    final long purgeableBelow(long minTxId) {
        long kept = committedSn() < releasedSn() ? releasedKeepFrom() : Long.MAX_VALUE;
        return Math.min(minTxId, Math.min(kept, end().barriers().keepFrom()));
    }

    /** Returns why a barrier cannot be added now; empty if it can. */
    public final Optional<String> refusalReason(Barrier wantedBarrier) {
        if (wantedBarrier.txId() > end().lastTxId()) {
            return Optional.of("The journal ends at transaction " + end().lastTxId() + ", barrier " + wantedBarrier
                    + " is after " + "that");
        }
        return wantedBarrier.keepFrom() < purgedBelow()
                ? Optional.of("Transactions below " + purgedBelow() + " may be purged already, barrier " + wantedBarrier
                        + " needs some of them")
                : end().barriers().refusalReason(wantedBarrier);
    }

    final Members members() {
        return end().members();
    }

    /**
     * The reason why the writer, while it asks for promises, does not continue with the highest log even though a majority has promised;
     * empty if it may.
     */
    public final Optional<String> missingCondition() {
        return stage() == WriterStage.ACQUIRING_EPOCH
                ? EpochAcquisition.missingCondition(this)
                : Optional.<String>empty();
    }

    public final long lastSn() {
        return end().position().sn();
    }

    final boolean isWriting() {
        return stage() == WriterStage.WRITING;
    }

    /**
     * Whether an observer that asked at {@code wantedNanos} to answer reads next to a node may do so. It may for
     * {@link ReadLeases#USED_MILLIS} from when it asked, if this writer is alone at some time after that.
     */
    public final boolean grantsReads(NodeId node, long wantedNanos) {
        return isWriting()
                && members().isReader(node)
                && Membership.canChange(this)
                && readLeases().isGranted(node, peers(), wantedNanos);
    }

    final boolean isServing() {
        return stage() == WriterStage.RECOVERING || stage() == WriterStage.WRITING;
    }

    public final boolean hasEnded() {
        return stage() == WriterStage.FENCED || stage() == WriterStage.STEPPED_DOWN;
    }

    /**
     * The time until which no other writer can get a majority of promises, if no node presumes this one dead; empty
     * until a majority has acknowledged something.
     */
    public final Optional<Long> leaseUntilNanos() {
        return leaseFromNanos().map(from -> from + leaseMillis() * NANOS_PER_MILLI);
    }

    /** The time at which the message that renewed the lease was sent; empty until a majority has acknowledged something. */
    public final Optional<Long> leaseFromNanos() {
        return Quorum.leaseFromNanos(members(), peers());
    }

    /** The time until which no other writer can get a majority of promises, even if nodes presume this one dead. */
    public final Optional<Long> soleWriterUntilNanos() {
        return leaseFromNanos().map(from -> from + settings().soleWriterMillis() * NANOS_PER_MILLI);
    }

    /**
     * Returns how long commits have waited in this term for nodes that are read from, although a majority had the
     * entries.
     */
    public final long readerWaitNanos(long nowNanos) {
        return readerWaits().totalNanos(nowNanos);
    }

    /** Returns the number of voters that are in sync and have the first entry of this term. */
    public final int inSyncVoters() {
        return isServing() ? Quorum.inSyncVoters(members(), peers(), termFirstSn()) : 0;
    }

    /** Whether a voter has promised a higher epoch and so accepts nothing from this term. */
    public final boolean isRefusedByVoter() {
        for (Peer peer : peers()) {
            if (isVoter(peer) && peer.refusedForEpoch().isPresent()) {
                return isServing();
            }
        }
        return false;
    }

    /** The progress of all nodes that this writer knows. */
    public final List<NodeProgress> progress() {
        List<NodeProgress> progress = new ArrayList<>();
        for (Peer peer : peers()) {
            progress.add(NodeProgress.of(
                    peer.address(),
                    peer.connected(),
                    isVoter(peer),
                    peer.isInSync(),
                    peer.matchedSn(),
                    peer.isInSync() ? Math.max(0, peer.sentSn() - peer.matchedSn()) : 0,
                    peer.timeouts().totalCount(),
                    peer.readerLagCheck().isWatched() && !peer.readerLagCheck().isProven(lastTickNanos()),
                    peer.otherIncarnation()
                            .filter(other -> other.isAbove(end().incarnation()))
                            .isPresent()));
        }
        return progress;
    }

    private boolean isVoter(Peer peer) {
        return !peer.misplaced()
                && peer.node().isPresent()
                && members().isVoter(peer.node().get());
    }

    /** Returns a digest of everything that the rules' decisions depend on, identical in every process; for traces. */
    public final long digest() {
        long digest = Objects.hash(
                stage().name(),
                leaseMillis(),
                epoch(),
                lastSn(),
                committedSn(),
                ackedSn(),
                announcedSn(),
                membersSn(),
                purgedBelow());
        for (Peer peer : peers()) {
            digest = 31 * digest
                    + Objects.hash(
                            peer.address(),
                            peer.node(),
                            peer.connected(),
                            peer.progress().name(),
                            peer.matchedSn(),
                            peer.sentSn(),
                            peer.leaseFromNanos());
        }
        return digest;
    }

    /** A line for logs and status: stage, epoch, log and nodes. */
    public final String describe() {
        StringBuilder text = new StringBuilder()
                .append("stage=")
                .append(stage())
                .append(" epoch=")
                .append(epoch())
                .append(" last=")
                .append(end().position())
                .append(" committed=")
                .append(committedSn())
                .append(" inSync=")
                .append(inSyncVoters())
                .append('/')
                .append(members().voterCount());
        for (Peer peer : peers()) {
            text.append(' ').append(peer.address()).append('=');
            if (!peer.connected()) {
                text.append("DOWN");
            } else if (!peer.formatted()) {
                text.append("NOT_FORMATTED");
            } else if (peer.misplaced()) {
                text.append("NOT_").append(peer.node().get());
            } else if (peer.retired()) {
                text.append("RETIRED");
            } else if (peer.otherIncarnation().isPresent()) {
                text.append("INCARNATION_").append(peer.otherIncarnation().get());
            } else if (peer.refusedForEpoch().isPresent()) {
                text.append("PROMISED_").append(peer.refusedForEpoch().get());
            } else {
                text.append(peer.progress()).append('@').append(peer.matchedSn());
            }
        }
        return text.toString();
    }

    /** The next state while a step builds it: the rules on the commit path read its current form, and change it in place. */
    @AutoValue.Builder
    abstract static class Builder {

        abstract WriterSettings settings();

        abstract long leaseMillis();

        abstract WriterStage stage();

        abstract Epoch epoch();

        abstract Peers peers();

        abstract LogSummary end();

        abstract long committedSn();

        abstract LogPosition inheritedPosition();

        abstract long ackedSn();

        abstract long termFirstSn();

        abstract MemoryWindow window();

        abstract ReadLeases readLeases();

        abstract ReaderWaits readerWaits();

        abstract CatchUpBudget catchUpBudget();

        final Members members() {
            return end().members();
        }

        final long lastSn() {
            return end().position().sn();
        }

        final boolean isServing() {
            return stage() == WriterStage.RECOVERING || stage() == WriterStage.WRITING;
        }

        final AppendTerms terms() {
            LogSummary end = end();
            return AppendTerms.of(
                    end.incarnation(),
                    epoch(),
                    settings().writer(),
                    leaseMillis(),
                    committedPosition(),
                    end.position().sn());
        }

        /** The newest entry that is committed. */
        private LogPosition committedPosition() {
            // Whatever is committed after the term began ends with an entry of the term.
            long sn = committedSn();
            return sn > inheritedPosition().sn() ? LogPosition.of(epoch(), sn) : inheritedPosition();
        }

        abstract Builder settings(WriterSettings settings);

        abstract Builder leaseMillis(long leaseMillis);

        abstract Builder stage(WriterStage stage);

        abstract Builder epoch(Epoch epoch);

        abstract Builder highestSeen(Epoch highestSeen);

        abstract Builder retryNanos(long retryNanos);

        abstract Builder peers(Peers peers);

        abstract Builder end(LogSummary end);

        abstract Builder committedSn(long committedSn);

        abstract Builder inheritedPosition(LogPosition inheritedPosition);

        abstract Builder ackedSn(long ackedSn);

        abstract Builder announcedSn(long announcedSn);

        abstract Builder chosenLogEnd(LogPosition chosenLogEnd);

        abstract Builder termFirstSn(long termFirstSn);

        abstract Builder termBeganNanos(long termBeganNanos);

        abstract Builder recoveredSn(long recoveredSn);

        abstract Builder membersSn(long membersSn);

        abstract Builder releasedSn(long releasedSn);

        abstract Builder releasedKeepFrom(long releasedKeepFrom);

        abstract Builder purgedBelow(long purgedBelow);

        abstract Builder window(MemoryWindow window);

        abstract Builder lastTickNanos(long lastTickNanos);

        abstract Builder exclusivityRequestedNanos(Optional<Long> nanos);

        abstract Builder readLeases(ReadLeases leases);

        abstract Builder readerWaits(ReaderWaits waits);

        abstract Builder pendingChanges(PendingChanges pendingChanges);

        abstract Builder catchUpBudget(CatchUpBudget catchUpBudget);

        abstract WriterState build();
    }
}
