/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.bookkeeper.zk;

import io.trefoil.journal.bookkeeper.record.LedgerLog;
import io.trefoil.journal.bookkeeper.record.LedgerLogCodec;
import io.trefoil.journal.bookkeeper.record.RecordStore;
import io.trefoil.journal.bookkeeper.record.VersionedLog;
import io.trefoil.journal.model.Bytes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.RetryOneTime;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** The record in one znode, with compare-and-set by its version, which admits only who has the journal's password. Thread-safe. */
public final class ZkRecordStore implements RecordStore {
    private static final int SESSION_MILLIS = 10_000;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int RETRY_MILLIS = 200;

    private final CuratorFramework client;
    private final String path;

    private ZkRecordStore(CuratorFramework client, String path) {
        this.client = client;
        this.path = path;
    }

    /**
     * Starts connecting, without waiting.
     *
     * @param servers as ZooKeeper's clients want them, with commas between
     * @param path of the record; the directories above are created with it, and let others add theirs
     * @param password of the journal, which ZooKeeper never gets to know
     */
    public static ZkRecordStore start(String servers, String path, Bytes password) {
        String login = "trefoil:" + digest("ledgers:" + password.utf8());
        ACL all = new ACL(ZooDefs.Perms.ALL, new Id("digest", digest(login)));
        ACL add = new ACL(ZooDefs.Perms.CREATE | ZooDefs.Perms.READ, ZooDefs.Ids.ANYONE_ID_UNSAFE);
        // One retry for a connection that has just been lost. The caller decides about more.
        CuratorFramework client = CuratorFrameworkFactory.builder()
                .connectString(servers)
                .sessionTimeoutMs(SESSION_MILLIS)
                .connectionTimeoutMs(CONNECT_MILLIS)
                .retryPolicy(new RetryOneTime(RETRY_MILLIS))
                .authorization("digest", login.getBytes(StandardCharsets.UTF_8))
                .aclProvider(new ACLProvider() {
                    @Override
                    public List<ACL> getDefaultAcl() {
                        return Collections.singletonList(all);
                    }

                    @Override
                    public List<ACL> getAclForPath(String node) {
                        return node.equals(path) ? getDefaultAcl() : Arrays.asList(all, add);
                    }
                })
                .build();
        client.start();
        return new ZkRecordStore(client, path);
    }

    private static String digest(String nameAndPassword) {
        try {
            return DigestAuthenticationProvider.generateDigest(nameAndPassword);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has this algorithm", e);
        }
    }

    @Override
    public Optional<VersionedLog> read() throws IOException {
        try {
            // A follower may be behind what another process has written.
            client.sync().forPath(path);
            Stat stat = new Stat();
            byte[] bytes = client.getData().storingStatIn(stat).forPath(path);
            return Optional.of(VersionedLog.of(LedgerLogCodec.decode(bytes), stat.getVersion()));
        } catch (KeeperException.NoNodeException e) {
            return Optional.empty();
        } catch (Exception e) {
            throw failure("cannot be read", e);
        }
    }

    @Override
    public boolean compareAndSet(Optional<VersionedLog> expected, LedgerLog next) throws IOException {
        byte[] bytes = LedgerLogCodec.encode(next);
        try {
            if (expected.isPresent()) {
                client.setData().withVersion(expected.get().version()).forPath(path, bytes);
            } else {
                client.create().creatingParentsIfNeeded().forPath(path, bytes);
            }
            return true;
        } catch (KeeperException.BadVersionException
                | KeeperException.NodeExistsException
                | KeeperException.NoNodeException e) {
            return false;
        } catch (Exception e) {
            throw failure("may have been written or not", e);
        }
    }

    private IOException failure(String what, Exception cause) {
        if (cause instanceof InterruptedException) {
            Thread.currentThread().interrupt();
            return new InterruptedIOException("Interrupted: the record " + path + " in ZooKeeper " + what);
        }
        if (cause instanceof KeeperException.NoAuthException) {
            what += ", as the journal was formatted with another password than trefoil.bookkeeper.password.file has";
        }
        return new IOException("The record " + path + " in ZooKeeper " + what + ": " + cause.getMessage(), cause);
    }

    @Override
    public void close() {
        client.close();
    }
}
