/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer.events;

import com.google.auto.value.AutoValue;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.FetchRequest;
import java.util.List;

/** The part of an append besides its entries. Immutable. */
@AutoValue
public abstract class AppendTerms {

    public static AppendTerms of(
            Incarnation incarnation,
            Epoch epoch,
            WriterId writer,
            long leaseMillis,
            LogPosition committed,
            long lastSn) {
        return new AutoValue_AppendTerms(incarnation, epoch, writer, leaseMillis, committed, lastSn);
    }

    abstract Incarnation incarnation();

    abstract Epoch epoch();

    abstract WriterId writer();

    abstract long leaseMillis();

    public abstract LogPosition committedPosition();

    abstract long lastSn();

    /** The request for entries to send: those of this writer's incarnation only (rule R11), whether committed or not. */
    public final FetchRequest fetch(long firstSn, int maxBytes) {
        return FetchRequest.of(firstSn, maxBytes, epoch()).withIncarnation(incarnation());
    }

    /** The request that carries {@code entries} after {@code prev}. */
    public final AppendRequest request(LogPosition prev, List<Entry> entries) {
        return AppendRequest.of(
                incarnation(), epoch(), writer(), leaseMillis(), prev, entries, committedPosition(), lastSn());
    }
}
