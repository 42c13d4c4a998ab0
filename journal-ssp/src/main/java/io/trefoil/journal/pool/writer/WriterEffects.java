/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.writer;

import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.pool.writer.delivery.EntryWindow;
import io.trefoil.journal.pool.writer.delivery.RequestSender;
import io.trefoil.journal.pool.writer.events.NodeSessions;
import io.trefoil.journal.pool.writer.events.PartLoader;
import io.trefoil.journal.pool.writer.events.WriterTimers;
import io.trefoil.journal.pool.writer.term.TermEnd;
import io.trefoil.journal.pool.writer.term.TermProgress;
import io.trefoil.journal.pool.writer.term.WriterLogger;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.writer.WriterState;
import io.trefoil.journal.writer.events.AppendTerms;
import io.trefoil.journal.writer.events.EntryRange;
import io.trefoil.journal.writer.events.WriterEffectHandler;
import java.util.Optional;
import java.util.function.Supplier;

/** Performs the effects of the rules, within their step: so it only queues work for other threads. */
final class WriterEffects implements WriterEffectHandler<RuntimeException> {
    private static final long MAX_REQUEST_BYTES = 32L << 20;

    private final Supplier<WriterState> state;
    private final EntryWindow window;
    private final RequestSender sender;
    private final TermProgress progress;
    private final TermEnd end;
    private final PartLoader loader;
    private final NodeSessions sessions;
    private final WriterTimers timers;
    private final WriterLogger log;
    private Optional<SharedRequest> last = Optional.empty();

    /** @param state that of the step whose effects are performed */
    WriterEffects(
            Supplier<WriterState> state,
            EntryWindow window,
            RequestSender sender,
            TermProgress progress,
            TermEnd end,
            PartLoader loader,
            NodeSessions sessions,
            WriterTimers timers,
            WriterLogger log) {
        this.state = state;
        this.window = window;
        this.sender = sender;
        this.progress = progress;
        this.end = end;
        this.loader = loader;
        this.sessions = sessions;
        this.timers = timers;
        this.log = log;
    }

    @Override
    public void remember(Entry entry) {
        WriterState now = state.get();
        if (entry.sn() != window.lastSn() + 1
                || entry.sn() == now.chosenLogEnd().sn() + 1) {
            window.clearAfter(now.chosenLogEnd());
        }
        window.add(entry);
    }

    @Override
    public void forget(long firstSn) {
        window.dropBelow(firstSn);
    }

    @Override
    public void send(NodeAddress to, PoolRequest request) {
        sender.add(to, request);
    }

    @Override
    public void sendEntries(NodeAddress to, EntryRange range, AppendTerms terms) {
        if (!last.isPresent() || !last.get().matches(range, terms)) {
            AppendRequest request = terms.request(window.positionBefore(range), window.slice(range, MAX_REQUEST_BYTES));
            last = Optional.of(new SharedRequest(range, terms, request));
        }
        sender.add(to, last.get().request);
    }

    @Override
    public void loadAndSend(NodeAddress to, NodeAddress from, EntryRange range, AppendTerms terms) {
        loader.loadAndSend(to, from, range, terms);
    }

    @Override
    public void meet(NodeAddress address) {
        sessions.openSessionLater(address);
    }

    @Override
    public void acceptAppends() {
        progress.recordReady();
    }

    @Override
    public void publishCommitted(long sn) {
        progress.recordCommitted(sn);
        timers.announce(sn);
    }

    @Override
    public void publishAcknowledged(long sn) {
        progress.recordAcknowledged(sn);
    }

    @Override
    public void reportDropped(NodeAddress address, long sn) {
        log.logDroppedFromInSync(address, sn, state.get());
    }

    @Override
    public void reportImpostor(NodeAddress address, Member member) {
        log.logMisplacedMember(address, member);
    }

    @Override
    public void reportInSync(NodeAddress address) {
        log.logRejoinedInSync(address);
    }

    @Override
    public void endFenced(Epoch higherEpoch) {
        Epoch own = state.get().epoch();
        log.logFenced(own, higherEpoch);
        end.markFenced(() -> new FencedException(own, higherEpoch));
        progress.wakeAll();
    }

    @Override
    public void endReinitialized(Incarnation newIncarnation) {
        Epoch epoch = state.get().epoch();
        Incarnation own = state.get().end().incarnation();
        log.logReinitialized(epoch, own, newIncarnation);
        end.markFenced(() -> FencedException.ofReinitialized(epoch, own, newIncarnation));
        progress.wakeAll();
    }

    /** The newest request with entries: nodes in sync are sent the same one. The next batch, or a heartbeat, takes its place. */
    private static final class SharedRequest {
        private final EntryRange range;
        private final AppendTerms terms;
        private final AppendRequest request;

        SharedRequest(EntryRange range, AppendTerms terms, AppendRequest request) {
            this.range = range;
            this.terms = terms;
            this.request = request;
        }

        /** Returns whether a request can be reused: within an epoch, a range always has the same entries. */
        boolean matches(EntryRange otherRange, AppendTerms otherTerms) {
            return terms.equals(otherTerms) && range.equals(otherRange);
        }
    }
}
