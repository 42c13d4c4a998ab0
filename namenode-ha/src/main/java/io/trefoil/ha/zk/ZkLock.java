/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.LockRecord;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.transaction.CuratorTransactionFinal;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;

/**
 * The lock of the group: an ephemeral node, and the ballot in which it was taken. Each change is one transaction that fails if the
 * ballot is no longer the one that was expected. Not for use by several threads.
 */
// Hadoop before 3.3 brings Curator 2.13, which has no other transactions.
@SuppressWarnings("deprecation")
final class ZkLock {

    private final CuratorFramework client;
    private final GroupPaths paths;
    private final ViewReader reader;

    ZkLock(CuratorFramework client, GroupPaths paths, ViewReader reader) {
        this.client = client;
        this.paths = paths;
        this.reader = reader;
    }

    /** Takes the lock in the next ballot, if the last ballot that was read is still the last. */
    void take(LockRecord lock, Ballot expected, Optional<LockRecord> replacedLock) throws Exception {
        ViewReader.ElectionNode last = reader.lastElection();
        if (!last.ballot.equals(expected)) {
            throw new IllegalStateException("the last ballot is " + last.ballot + ", not " + expected);
        }
        CuratorTransactionFinal change = client.inTransaction()
                .setData()
                .withVersion(last.version)
                .forPath(paths.election(), RecordFormat.writeElection(lock))
                .and();
        if (replacedLock.isPresent() || reader.isLockUnreadable()) {
            change = change.delete().forPath(paths.lock()).and();
        }
        try {
            change.create()
                    .withMode(CreateMode.EPHEMERAL)
                    .forPath(paths.lock(), RecordFormat.write(lock))
                    .and()
                    .commit();
        } catch (KeeperException.NoNodeException e) {
            throw new IllegalStateException("the lock of before ended at the same moment", e);
        }
        reader.recordWonBallot(lock.ballot());
    }

    /** Writes the epoch into a lock that is still held. */
    void publishEpoch(LockRecord lock) throws Exception {
        ViewReader.ElectionNode now = reader.election();
        if (!now.ballot.equals(lock.ballot())) {
            throw new IllegalStateException("the last ballot is " + now.ballot + ", not " + lock.ballot());
        }
        ifUnchanged(now)
                .setData()
                .forPath(paths.lock(), RecordFormat.write(lock))
                .and()
                .commit();
    }

    /** Deletes a lock that is still held. In a planned failover, the next active has taken it already. */
    void release(LockRecord lock) throws Exception {
        ViewReader.ElectionNode now = reader.election();
        if (now.ballot.equals(lock.ballot())) {
            ifUnchanged(now).delete().forPath(paths.lock()).and().commit();
        }
    }

    /**
     * A transaction that fails unless this ballot is still the last, and so its lock is still held: taking it from a holder uses the next ballot.
     */
    private CuratorTransactionFinal ifUnchanged(ViewReader.ElectionNode election) throws Exception {
        return client.inTransaction()
                .check()
                .withVersion(election.version)
                .forPath(paths.election())
                .and();
    }
}
