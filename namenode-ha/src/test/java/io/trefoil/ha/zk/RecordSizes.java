/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberRecord;

/** How many bytes records have in ZooKeeper, for the simulator. */
public final class RecordSizes {

    private RecordSizes() {}

    public static int sizeOf(MemberRecord record) {
        return RecordFormat.write(record).length;
    }

    /** Of the lock, and of the ballot that is written with it. */
    public static int sizeOf(LockRecord lock) {
        return RecordFormat.write(lock).length + RecordFormat.writeElection(lock).length;
    }
}
