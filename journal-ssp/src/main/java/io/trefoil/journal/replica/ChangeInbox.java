/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.replica;

import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.MemberChange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps the requested membership changes until a writer collects them, and the progress that writers report. Everything
 * is dropped after a while: a request that still matters is repeated. Immutable; {@code nowNanos} is the node's own
 * monotonic clock.
 */
public final class ChangeInbox {

    /** An inbox without requests that no writer has visited. */
    public static final ChangeInbox EMPTY = new ChangeInbox(
            Collections.<String, RequestedChange>emptyMap(),
            Collections.<String, ReportedProgress>emptyMap(),
            false,
            Long.MIN_VALUE);

    /** The time, in nanoseconds, after which a change that has not been requested again is dropped. */
    static final long WANTED_NANOS = 10_000_000_000L;

    /** The time after which a writer that has not asked counts as gone. */
    static final long WRITER_NANOS = 5_000_000_000L;

    private static final long TOLD_NANOS = 60_000_000_000L;
    private static final int MAX_CHANGES = 100;

    private final Map<String, RequestedChange> requestedChanges;
    private final Map<String, ReportedProgress> reportedProgress;
    private final boolean writerCame;
    private final long cameNanos;

    private ChangeInbox(
            Map<String, RequestedChange> requestedChanges,
            Map<String, ReportedProgress> reportedProgress,
            boolean hasWriter,
            long cameNanos) {
        this.requestedChanges = requestedChanges;
        this.reportedProgress = reportedProgress;
        this.writerCame = hasWriter;
        this.cameNanos = cameNanos;
    }

    /** Adds a requested change; the newest {@value #MAX_CHANGES} are kept. */
    public ChangeInbox with(MemberChange change, long nowNanos) {
        Map<String, RequestedChange> next = new LinkedHashMap<>();
        requestedChanges.forEach((ticket, one) -> {
            if (nowNanos - one.nanos < WANTED_NANOS && !ticket.equals(change.ticket())) {
                next.put(ticket, one);
            }
        });
        next.put(change.ticket(), new RequestedChange(change, nowNanos));
        return new ChangeInbox(keepNewest(next), reportedProgress, writerCame, cameNanos);
    }

    /** Records that a writer asked, and the progress that it reported. */
    public ChangeInbox withCollected(List<ChangeProgress> progress, long nowNanos) {
        Map<String, ReportedProgress> next = new LinkedHashMap<>();
        reportedProgress.forEach((ticket, one) -> {
            if (nowNanos - one.nanos < TOLD_NANOS) {
                next.put(ticket, one);
            }
        });
        for (ChangeProgress one : progress) {
            next.remove(one.ticket());
            next.put(one.ticket(), new ReportedProgress(one, nowNanos));
        }
        return new ChangeInbox(requestedChanges, keepNewest(next), true, nowNanos);
    }

    private static <T> Map<String, T> keepNewest(Map<String, T> all) {
        Map<String, T> kept = new LinkedHashMap<>(all);
        while (kept.size() > MAX_CHANGES) {
            kept.remove(kept.keySet().iterator().next());
        }
        return kept;
    }

    /** The changes to hand to a writer. */
    public List<MemberChange> openChanges(long nowNanos) {
        List<MemberChange> changes = new ArrayList<>();
        for (RequestedChange one : requestedChanges.values()) {
            if (nowNanos - one.nanos < WANTED_NANOS) {
                changes.add(one.change);
            }
        }
        return changes;
    }

    /** The progress of a change, as far as it is known. */
    public ChangeProgress progress(String ticket, long nowNanos) {
        ReportedProgress known = reportedProgress.get(ticket);
        boolean writerIsHere = writerCame && nowNanos - cameNanos < WRITER_NANOS;
        if (known != null && (writerIsHere || known.progress.isFinished())) {
            return known.progress;
        }
        return writerIsHere
                ? ChangeProgress.of(ticket, ChangeProgress.Stage.UNDER_WAY, "the writer will be told of it")
                : ChangeProgress.of(
                        ticket,
                        ChangeProgress.Stage.NO_WRITER,
                        "no writer has been heard for " + WRITER_NANOS / 1_000_000_000L
                                + " s: members are changed by the active NameNode, make one active");
    }

    private static final class RequestedChange {
        private final MemberChange change;
        private final long nanos;

        RequestedChange(MemberChange change, long nanos) {
            this.change = change;
            this.nanos = nanos;
        }
    }

    private static final class ReportedProgress {
        private final ChangeProgress progress;
        private final long nanos;

        ReportedProgress(ChangeProgress progress, long nanos) {
            this.progress = progress;
            this.nanos = nanos;
        }
    }
}
