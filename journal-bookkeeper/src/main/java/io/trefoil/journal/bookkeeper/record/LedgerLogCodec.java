/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.record;

import io.trefoil.journal.codec.MalformedBytesException;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.WriterId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Encodes a {@link LedgerLog} as lines of words, which an operator can read with ZooKeeper's own shell:
 *
 * <pre>
 * trefoil-bookkeeper-journal 1
 * namespace ID CLUSTER
 * incarnation INCARNATION
 * term EPOCH WRITER open|ended LEASE_MILLIS
 * ledger NUMBER EPOCH FIRST_SN          (one line for each, oldest first)
 * ahead NUMBER                          (if there is one)
 * </pre>
 */
public final class LedgerLogCodec {
    private static final String HEAD = "trefoil-bookkeeper-journal 1";

    private LedgerLogCodec() {}

    public static byte[] encode(LedgerLog log) {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        text.append("namespace ").append(log.namespace().namespaceId()).append(' ');
        text.append(log.namespace().clusterId()).append('\n');
        text.append("incarnation ").append(log.incarnation()).append('\n');
        text.append("term ").append(log.epoch()).append(' ').append(log.writer());
        text.append(log.ended() ? " ended " : " open ")
                .append(log.leaseMillis())
                .append('\n');
        for (LedgerSpan span : log.ledgers()) {
            text.append("ledger ").append(span.ledger()).append(' ').append(span.epoch());
            text.append(' ').append(span.firstSn()).append('\n');
        }
        if (log.continuationLedger().isPresent()) {
            text.append("ahead ").append(log.continuationLedger().getAsLong()).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** @throws MalformedBytesException if this version does not know what the bytes mean */
    public static LedgerLog decode(byte[] bytes) throws MalformedBytesException {
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            return decode(text.split("\n"));
        } catch (RuntimeException e) {
            throw new MalformedBytesException("Wanted the record of a journal in BookKeeper, found '" + text + "'", e);
        }
    }

    private static LedgerLog decode(String[] lines) {
        require(lines[0].equals(HEAD));
        String[] namespace = words(lines[1], "namespace", 3);
        String[] incarnation = words(lines[2], "incarnation", 2);
        String[] term = words(lines[3], "term", 5);
        require(term[3].equals("open") || term[3].equals("ended"));
        List<LedgerSpan> ledgers = new ArrayList<>();
        int at = 4;
        while (at < lines.length && lines[at].startsWith("ledger ")) {
            String[] ledger = words(lines[at++], "ledger", 4);
            ledgers.add(LedgerSpan.of(
                    Long.parseLong(ledger[1]), Epoch.of(Long.parseLong(ledger[2])), Long.parseLong(ledger[3])));
        }
        require(!ledgers.isEmpty());
        OptionalLong ahead = OptionalLong.empty();
        if (at < lines.length) {
            ahead = OptionalLong.of(Long.parseLong(words(lines[at++], "ahead", 2)[1]));
        }
        require(at == lines.length);
        return LedgerLog.read(
                NamespaceId.of(namespace[2], Integer.parseInt(namespace[1])),
                Incarnation.parse(incarnation[1]),
                Epoch.of(Long.parseLong(term[1])),
                WriterId.of(term[2]),
                term[3].equals("ended"),
                Long.parseLong(term[4]),
                Collections.unmodifiableList(ledgers),
                ahead);
    }

    private static String[] words(String line, String first, int count) {
        String[] words = line.split(" ", count);
        require(words.length == count && words[0].equals(first));
        return words;
    }

    private static void require(boolean fits) {
        if (!fits) {
            throw new IllegalArgumentException("Another form");
        }
    }
}
