/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.zookeeper.CreateMode;

/**
 * The lock of the group: an ephemeral node, and the ballot in which it was taken. Each change is one transaction that fails if the
 * ballot is no longer the one that was expected. Not for use by several threads.
 */
final class ZkLock {

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;

    ZkLock(CuratorFramework client, GroupPaths paths, ViewReader reader) {
        this.client = client;
        this.paths = paths;
        this.reader = reader;
    }

    /** Takes the lock in the next ballot, if the last one that was read is still the last. */
    void take(LockRecord lock, Ballot expected, Optional<LockRecord> replaced) throws Exception {
        ViewReader.ElectionNode last = reader.lastRead();
        if (!last.ballot.equals(expected)) {
            throw new IllegalStateException("the last ballot is " + last.ballot + ", not " + expected);
        }
        List<CuratorOp> operations = new ArrayList<>();
        operations.add(client.transactionOp()
                .setData()
                .withVersion(last.version)
                .forPath(paths.election(), Records.writeElection(lock)));
        if (replaced.isPresent() || reader.isLockUnreadable()) {
            operations.add(client.transactionOp().delete().forPath(paths.lock()));
        }
        operations.add(client.transactionOp()
                .create()
                .withMode(CreateMode.EPHEMERAL)
                .forPath(paths.lock(), Records.write(lock)));
        client.transaction().forOperations(operations);
        reader.won(lock.ballot());
    }

    /** Shows the epoch in a lock that is still held. */
    void showEpoch(LockRecord lock) throws Exception {
        ViewReader.ElectionNode now = reader.election();
        if (!now.ballot.equals(lock.ballot())) {
            throw new IllegalStateException("the last ballot is " + now.ballot + ", not " + lock.ballot());
        }
        client.transaction()
                .forOperations(
                        isUnchanged(now), client.transactionOp().setData().forPath(paths.lock(), Records.write(lock)));
    }

    /** Deletes a lock that is still held. In a planned failover, the next active has taken it already. */
    void release(LockRecord lock) throws Exception {
        ViewReader.ElectionNode now = reader.election();
        if (now.ballot.equals(lock.ballot())) {
            client.transaction()
                    .forOperations(
                            isUnchanged(now), client.transactionOp().delete().forPath(paths.lock()));
        }
    }

    /** A lock whose ballot is the last is still held: taking it from a holder uses the next ballot. */
    private CuratorOp isUnchanged(ViewReader.ElectionNode election) throws Exception {
        return client.transactionOp().check().withVersion(election.version).forPath(paths.election());
    }
}
