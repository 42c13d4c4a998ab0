/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The members of the group according to those members that are believed: everyone that one of them named when last
 * heard.
 *
 * <p>A member that none of them names any more is forgotten. What a member said long ago, while others were heard
 * since, no longer counts either, because it may never return to correct it. But if none is heard, the last word of
 * each remains valid, because that is when the members that they named are needed.
 *
 * <p>For any number of threads.
 *
 * @param <V> identifies a member that is believed
 */
public final class VouchedMembers<V> {
    /** Each costs a question and a connection while nobody is active; HDFS is run with three to five NameNodes. */
    static final int MOST = 32;

    private final long expiryNanos;
    // Guarded by this.
    private final Map<V, Word> words = new HashMap<>();
    private Set<String> members = Collections.emptySet();

    /** What one of them said last. */
    private static final class Word {
        final List<String> members;
        final long heardAt;

        Word(List<String> members, long heardAt) {
            this.members = members;
            this.heardAt = heardAt;
        }
    }

    /** @param expiryNanos for how long the word of one that is not heard counts while others are */
    public VouchedMembers(long expiryNanos) {
        this.expiryNanos = expiryNanos;
    }

    /**
     * One that is believed says who belongs to the group.
     *
     * @param nowNanos by {@link System#nanoTime}
     * @return whether {@link #members} changed
     */
    public synchronized boolean hear(V voucher, List<String> named, long nowNanos) {
        words.put(voucher, new Word(named, nowNanos));
        words.values().removeIf(word -> nowNanos - word.heardAt > expiryNanos);
        Set<String> next = new LinkedHashSet<>();
        for (Word word : words.values()) {
            for (String member : word.members) {
                if (next.size() < MOST) {
                    next.add(member);
                }
            }
        }
        boolean changed = !next.equals(members);
        members = Collections.unmodifiableSet(next);
        return changed;
    }

    /** Each as {@code host:port}; {@value #MOST} at most. */
    public synchronized Set<String> members() {
        return members;
    }
}
