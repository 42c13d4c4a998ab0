/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.record;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.WriterId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Everything about a journal in BookKeeper except its entries: the permitted writer, and the ledgers in order. A
 * process that replaces it does so by compare-and-set (docs/design/bookkeeper.md). Immutable.
 */
@AutoValue
public abstract class LedgerLog {

    /** Creates the log of a format, whose two entries are in one ledger that is no longer written. */
    public static LedgerLog formatted(NamespaceId namespace, Incarnation incarnation, long ledger) {
        return new AutoValue_LedgerLog(
                namespace,
                incarnation,
                Epoch.FORMAT,
                WriterId.NOBODY,
                true,
                0,
                Collections.singletonList(LedgerSpan.of(ledger, Epoch.FORMAT, 1)),
                OptionalLong.empty());
    }

    public abstract NamespaceId namespace();

    public abstract Incarnation incarnation();

    /** The term promised last. */
    public abstract Epoch epoch();

    public abstract WriterId writer();

    /** Whether that writer has ended its term: it writes nothing more, and gives no answers. */
    public abstract boolean ended();

    /** Returns how long after a recovery-open an earlier writer may still assume that it is the only one. */
    public abstract long leaseMillis();

    /** The ledgers, oldest first. */
    public abstract List<LedgerSpan> ledgers();

    /** The ledger in which the writer will continue, or already does. */
    public abstract OptionalLong continuationLedger();

    /** The newest ledger known to count. */
    public final LedgerSpan newest() {
        return ledgers().get(ledgers().size() - 1);
    }

    /**
     * A copy after another process has claimed the next epoch. The lease is the longest of those that may be in use: the
     * writer before may never have begun, and the one before that may still answer.
     */
    public final LedgerLog claimed(WriterId by, long leaseMillis) {
        return with(
                epoch().next(),
                by,
                false,
                Math.max(leaseMillis, ended() ? 0 : leaseMillis()),
                ledgers(),
                continuationLedger());
    }

    /** A copy that continues in a ledger, with nothing opened ahead. */
    public final LedgerLog continuedIn(LedgerSpan span) {
        if (newest().equals(span)) {
            return this;
        }
        List<LedgerSpan> next = new ArrayList<>(ledgers());
        next.add(span);
        return with(epoch(), writer(), ended(), leaseMillis(), next, OptionalLong.empty());
    }

    /** A copy without its newest ledger, which turned out to be empty, and without the one opened ahead, which does not count. */
    public final LedgerLog withoutNewest() {
        return with(
                epoch(),
                writer(),
                ended(),
                leaseMillis(),
                ledgers().subList(0, ledgers().size() - 1),
                OptionalLong.empty());
    }

    /** A copy with a ledger opened ahead, replacing another one if there was one. */
    public final LedgerLog withAhead(OptionalLong ledger) {
        return with(epoch(), writer(), ended(), leaseMillis(), ledgers(), ledger);
    }

    /** A copy after the writer has ended its term. */
    public final LedgerLog end() {
        return with(epoch(), writer(), true, leaseMillis(), ledgers(), OptionalLong.empty());
    }

    /** The ledgers that contain only entries below a serial number; never the newest one. */
    public final List<LedgerSpan> ledgersBelow(long sn) {
        int count = 0;
        while (count + 1 < ledgers().size() && ledgers().get(count + 1).firstSn() <= sn) {
            count++;
        }
        return ledgers().subList(0, count);
    }

    /** A copy without those ledgers. */
    public final LedgerLog withoutBelow(long sn) {
        return with(
                epoch(),
                writer(),
                ended(),
                leaseMillis(),
                ledgers().subList(ledgersBelow(sn).size(), ledgers().size()),
                continuationLedger());
    }

    /** Whether a writer may change the log. */
    public final boolean isWrittenBy(Incarnation incarnation, WriterId writer) {
        return incarnation().equals(incarnation) && writer().equals(writer) && !ended();
    }

    private LedgerLog with(
            Epoch epoch,
            WriterId writer,
            boolean ended,
            long leaseMillis,
            List<LedgerSpan> ledgers,
            OptionalLong ahead) {
        return new AutoValue_LedgerLog(
                namespace(),
                incarnation(),
                epoch,
                writer,
                ended,
                leaseMillis,
                Collections.unmodifiableList(new ArrayList<>(ledgers)),
                ahead);
    }

    /** Creates a log from the content read by {@link LedgerLogCodec}. */
    static LedgerLog read(
            NamespaceId namespace,
            Incarnation incarnation,
            Epoch epoch,
            WriterId writer,
            boolean ended,
            long leaseMillis,
            List<LedgerSpan> ledgers,
            OptionalLong ahead) {
        return new AutoValue_LedgerLog(namespace, incarnation, epoch, writer, ended, leaseMillis, ledgers, ahead);
    }
}
