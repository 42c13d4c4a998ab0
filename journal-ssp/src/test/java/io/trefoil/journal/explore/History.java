/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.WriterId;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was once true, and has to stay so: which terms began behind which entry, and what was committed and acknowledged.
 *
 * @param terms by epoch
 * @param committed the highest entry that any writer held for committed
 * @param voters by whose majority it was committed
 * @param acked the highest entry for which a flush returned
 * @param broken which rule was broken on the way here
 */
record History(
        Incarnation inForce,
        TreeMap<Epoch, Term> terms,
        LogPosition committed,
        Members voters,
        LogPosition acked,
        Optional<String> broken) {

    /** @param last the entry that the term continues */
    record Term(WriterId writer, LogPosition last) {}

    static History of(LogPosition committed, Members voters) {
        return new History(Incarnation.NONE, new TreeMap<>(), committed, voters, committed, Optional.empty());
    }

    /** Whether the log that ends with one entry has another one. Two logs with one entry are the same up to it. */
    boolean contains(LogPosition end, LogPosition entry) {
        LogPosition log = end;
        while (log.epoch().isAbove(entry.epoch())) {
            Term term = terms.get(log.epoch());
            if (term == null) {
                return false;
            }
            log = term.last;
        }
        return log.epoch().equals(entry.epoch()) && entry.sn() <= log.sn();
    }

    History withTerm(Epoch epoch, WriterId writer, LogPosition last) {
        Term known = terms.get(epoch);
        if (known != null) {
            return known.writer.equals(writer) && known.last.equals(last)
                    ? this
                    : withViolation("R5: " + known.writer + " and " + writer + " both began a term in epoch " + epoch);
        }
        TreeMap<Epoch, Term> more = new TreeMap<>(terms);
        more.put(epoch, new Term(writer, last));
        return new History(inForce, more, committed, voters, acked, broken);
    }

    History withCommitted(LogPosition entry, Members members) {
        if (contains(committed, entry)) {
            return this;
        }
        return contains(entry, committed)
                ? new History(inForce, terms, entry, members, acked, broken)
                : withViolation(
                        "R3: " + entry + " is committed, and so is " + committed + ", which its log does not have");
    }

    /**
     * What the node of an observer has is told to it as committed as soon as a majority has it, which its writer may not know yet (near
     * reads, N2): it counts as committed from here on.
     */
    History shown(LogSummary end) {
        return contains(end.position(), committed) && end.incarnation().equals(inForce)
                ? withCommitted(end.position(), voters)
                : this;
    }

    History withAcked(LogPosition entry) {
        return contains(acked, entry) ? this : new History(inForce, terms, committed, voters, entry, broken);
    }

    /** From here on, only what a promoted log continues counts: the operator vowed that the others were lost. */
    History withPromoted(Disk disk) {
        Epoch epoch = disk.promise().epoch();
        TreeMap<Epoch, Term> more = new TreeMap<>(terms.headMap(epoch));
        more.put(epoch, new Term(WriterId.NOBODY, disk.base().position()));
        LogSummary end = disk.summaryUpTo(disk.lastSn());
        return new History(end.incarnation(), more, end.position(), end.members(), end.position(), broken);
    }

    History withViolation(String description) {
        return broken.isPresent()
                ? this
                : new History(inForce, terms, committed, voters, acked, Optional.of(description));
    }

    /** What must hold for every term that began behind what was acknowledged, or committed. */
    Optional<String> violation() {
        if (broken.isPresent()) {
            return broken;
        }
        for (var each : terms.entrySet()) {
            LogPosition last = each.getValue().last;
            if (each.getKey().isAbove(acked.epoch()) && !contains(last, acked)) {
                return Optional.of("R4: the term of epoch " + each.getKey() + " continues " + last
                        + ", without the acknowledged " + acked);
            }
            if (each.getKey().isAbove(committed.epoch()) && !contains(last, committed)) {
                return Optional.of("R5: the term of epoch " + each.getKey() + " continues " + last
                        + ", without the committed " + committed);
            }
        }
        return Optional.empty();
    }
}
