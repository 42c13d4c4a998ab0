/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongToIntFunction;

/**
 * What was computed of the parts of a world, each once, whichever thread asks first: one computes at a time. It remembers what was asked in
 * which order, so that another process that asks the same gives each part the same number.
 */
public final class ComputationCache {

    private final List<Memo> memos = new ArrayList<>();
    private long[] asked = new long[1 << 10];
    private int size;
    private int depth;

    /** A function whose results are kept. All functions of a world are made in the same order in each process. */
    public Memo memo(LongToIntFunction function) {
        Memo memo = new Memo(this, memos.size(), function);
        memos.add(memo);
        return memo;
    }

    /** How much was computed, other than on the way to something else. */
    public synchronized int size() {
        return size;
    }

    /** Writes what was asked behind the first {@code from}. */
    synchronized void write(int from, DataOutput out) throws IOException {
        for (int at = from * 2; at < size * 2; at++) {
            out.writeLong(asked[at]);
        }
    }

    /** Asks what another process wrote. */
    synchronized void recompute(DataInput in, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            memos.get((int) in.readLong()).get(in.readLong());
        }
        if (size != count) {
            throw new IOException("of " + count + " results only " + size + " were computed again");
        }
    }

    /** Computes under the lock of this memory. */
    int compute(int memo, long key, LongToIntFunction function) {
        if (depth == 0) {
            if (size * 2 == asked.length) {
                asked = Arrays.copyOf(asked, size * 4);
            }
            asked[size * 2] = memo;
            asked[size * 2 + 1] = key;
            size++;
        }
        depth++;
        try {
            return function.applyAsInt(key);
        } finally {
            depth--;
        }
    }
}
