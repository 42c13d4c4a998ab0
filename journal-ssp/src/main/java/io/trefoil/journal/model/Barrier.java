/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.model;

import com.google.auto.value.AutoValue;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Marks a global checkpoint in one journal (paper §4.3, the "barrier flag"): the last transaction that belongs to the
 * checkpoint, and the lowest that a restore to it needs. While the barrier is live, nothing from the latter on is purged
 * (rule R10). Immutable.
 *
 * <p>Its payload form is one line, {@code name txId keepFrom voidedUpTo}, followed by the text as it is.
 */
@AutoValue
public abstract class Barrier {

    /** The longest text, in bytes of UTF-8: every log file's header and every promise carries it. */
    public static final int MAX_TEXT_BYTES = 4096;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** @throws IllegalArgumentException if an argument is invalid; the text says which */
    public static Barrier of(String name, long txId, long keepFrom, String text) {
        requireName(name);
        if (txId < 0 || keepFrom < 1 || keepFrom > txId + 1) {
            throw new IllegalArgumentException("Barrier " + name + " is at transaction " + txId
                    + ": it can keep transactions from one of 1 to " + (txId + 1) + " on, not from " + keepFrom);
        }
        int size = text.getBytes(StandardCharsets.UTF_8).length;
        if (size > MAX_TEXT_BYTES) {
            throw new IllegalArgumentException(
                    "The text of barrier " + name + " has " + size + " bytes, the limit is " + MAX_TEXT_BYTES);
        }
        return new AutoValue_Barrier(name, txId, keepFrom, txId, text);
    }

    /**
     * A copy after the journal was restored to this barrier.
     *
     * @param voidedTxId the last transaction that the restore made void; those made void earlier stay so
     */
    public final Barrier afterRestore(long voidedTxId, String newText) {
        Barrier same = of(name(), txId(), keepFrom(), newText);
        return new AutoValue_Barrier(
                same.name(), same.txId(), same.keepFrom(), Math.max(voidedUpTo(), voidedTxId), same.text());
    }

    /**
     * Returns the name if it is a valid name of a barrier.
     *
     * @throws IllegalArgumentException if not
     */
    public static String requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "A barrier has a name of up to 64 of A-Z a-z 0-9 . _ - that begins with a letter or digit, not '"
                            + name + "'");
        }
        return name;
    }

    /** The checkpoint's name; unique among the live barriers of a journal. */
    public abstract String name();

    /** The last transaction that belongs to the checkpoint; 0 if there were none yet. */
    public abstract long txId();

    /** The lowest transaction that must stay readable: the one after the image that belongs to the checkpoint. */
    public abstract long keepFrom();

    /**
     * The last transaction id that a restore to this barrier made void: an id after {@link #txId} and up to this one also names a
     * transaction of the void timeline, so an image of it may belong to either timeline. Equals {@link #txId} if the journal was never restored to
     * it.
     */
    public abstract long voidedUpTo();

    /** Information that the barrier's maker stores with it. */
    public abstract String text();

    public final Bytes toPayload() {
        return Bytes.ofUtf8(name() + " " + txId() + " " + keepFrom() + " " + voidedUpTo() + "\n" + text());
    }

    /** @throws IllegalArgumentException if the bytes are not a barrier */
    public static Barrier fromPayload(Bytes payload) {
        String whole = payload.utf8();
        int end = whole.indexOf('\n');
        String[] words = end < 0 ? new String[0] : whole.substring(0, end).split(" ");
        if (words.length != 4) {
            throw new IllegalArgumentException(
                    "Wanted 'name txId keepFrom voidedUpTo' and a text, found '" + whole + "'");
        }
        String text = whole.substring(end + 1);
        return of(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]), text)
                .afterRestore(Long.parseLong(words[3]), text);
    }

    @Override
    public final String toString() {
        return name() + " at transaction " + txId() + ", keeping from " + keepFrom();
    }
}
