/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.client;

import com.google.auto.value.AutoValue;

/**
 * The numbers of bookies of a ledger: all that the ledger is spread over, those that receive each entry, and those that must have
 * it. Immutable.
 */
@AutoValue
public abstract class Quorums {

    /** The default: three bookies, of which two must have an entry. */
    public static final Quorums DEFAULT = of(3, 3, 2);

    /**
     * Reads ensemble, write quorum and ack quorum, separated by commas.
     *
     * @throws IllegalArgumentException if the text is anything else
     */
    public static Quorums parse(String text) {
        String[] parts = text.split(",", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("Wanted ensemble, write quorum and ack quorum, as 3,3,2, found " + text);
        }
        return of(
                Integer.parseInt(parts[0].trim()),
                Integer.parseInt(parts[1].trim()),
                Integer.parseInt(parts[2].trim()));
    }

    public static Quorums of(int ensemble, int write, int ack) {
        if (ack < 1 || write < ack || ensemble < write) {
            throw new IllegalArgumentException("Wanted ensemble >= write quorum >= ack quorum >= 1, found " + ensemble
                    + ", " + write + ", " + ack);
        }
        if (ack * 2 <= write) {
            throw new IllegalArgumentException(
                    "An ack quorum of " + ack + " is no majority of a write quorum of " + write);
        }
        return new AutoValue_Quorums(ensemble, write, ack);
    }

    public abstract int ensemble();

    public abstract int write();

    public abstract int ack();

    /** The smallest number of bookies with which an entry is still on as many disks. */
    final Quorums fewest() {
        return of(ack(), ack(), ack());
    }
}
