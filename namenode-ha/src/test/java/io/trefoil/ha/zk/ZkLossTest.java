/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.Ballot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.junit.jupiter.api.Test;

/** ZooKeeper goes away, or forgets, or lets no member write; the group goes on when it is back. */
class ZkLossTest extends ZkGroup {
    /** Members of which ZooKeeper has seen less than they have seen of it begin another session when this one is over. */
    private static final Duration SHORT = Duration.ofSeconds(2);

    @Test
    void reportsLossOfZooKeeperAndRepublishesAfterwards() throws InterruptedException {
        session = SHORT;
        Member one = new Member("nn1");
        Member otherMember = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> otherMember.view.member("nn1").isPresent());

        stopZooKeeper();
        await().until(() -> one.losses.get() > 0 && otherMember.losses.get() > 0);
        one.coordination.publish(record("nn1", 8));
        startZooKeeper();

        await().atMost(LONG).until(() -> otherMember.view.member("nn1").equals(Optional.of(record("nn1", 8))));
    }

    @Test
    void wipedZooKeeperIsUsedAsNew() throws InterruptedException, IOException {
        session = SHORT;
        Member one = new Member("nn1");
        Member otherMember = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        expectElected(one);
        await().until(() -> !otherMember.view.ballot().equals(Ballot.NONE));

        stopZooKeeper();
        delete(directory);
        startZooKeeper();

        expectVisibleAndElectable(one, otherMember);
    }

    @Test
    void zooKeeperRestoredFromOldCopyIsUsed() throws InterruptedException, IOException {
        session = SHORT;
        Member one = new Member("nn1");
        Member otherMember = new Member("nn2");
        expectElected(otherMember);
        stopZooKeeper();
        Path copy = directory.resolveSibling(directory.getFileName() + "-copy");
        copy(directory, copy);
        startZooKeeper();
        while (one.view.ballot().number() < 20) {
            expectElected(one);
        }

        stopZooKeeper();
        delete(directory);
        copy(copy, directory);
        startZooKeeper();
        delete(copy);

        expectVisibleAndElectable(one, otherMember);
    }

    @Test
    void recreatesDirectoryDeletedUnderLoad() throws Exception {
        Member one = new Member("nn1");
        Member otherMember = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        otherMember.coordination.publish(record("nn2", 7));
        await().until(() -> otherMember.view.members().size() == 2);

        try (CuratorFramework stranger = stranger()) {
            for (int i = 0; i < 20; i++) {
                one.coordination.publish(record("nn1", i));
                try {
                    stranger.delete().deletingChildrenIfNeeded().forPath("/trefoil");
                } catch (KeeperException.NotEmptyException | KeeperException.NoNodeException e) {
                    // Another member was quicker to make a part of it again.
                    assertThat(e.getPath()).startsWith("/trefoil");
                }
            }
        }

        expectVisibleAndElectable(one, otherMember);
    }

    @Test
    void readOnlyMemberSeesOthersAndRejoinsOnceWritable() throws Exception {
        Member one = new Member("nn1");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> one.view.member("nn1").isPresent());
        try (CuratorFramework stranger = stranger()) {
            for (String directory : new String[] {"/trefoil/ns1", "/trefoil/ns1/members", "/trefoil/ns1/election"}) {
                stranger.setACL().withACL(openAclFor(Perms.READ | Perms.ADMIN)).forPath(directory);
            }
            Member otherMember = new Member("nn2");
            otherMember.coordination.publish(record("nn2", 8));
            assertThat(otherMember.view.member("nn1")).isPresent();
            otherMember.coordination.takeLock(otherMember.lock(FIRST), Ballot.NONE, Optional.empty());
            assertThat(otherMember.lastOutcome()).isEqualTo("missed");

            for (String directory : new String[] {"/trefoil/ns1", "/trefoil/ns1/members", "/trefoil/ns1/election"}) {
                stranger.setACL().withACL(openAclFor(Perms.ALL)).forPath(directory);
            }
            expectVisibleAndElectable(one, otherMember);
        }
    }

    private static List<ACL> openAclFor(int permissions) {
        return List.of(new ACL(permissions, new Id("world", "anyone")));
    }

    /** Members are seen by each other, and one can be elected: within seconds, but on a busy host it is not known how many. */
    private void expectVisibleAndElectable(Member one, Member otherMember) {
        one.coordination.publish(record("nn1", 100));
        otherMember.coordination.publish(record("nn2", 100));
        await().atMost(LONG)
                .until(() -> one.view.member("nn2").equals(Optional.of(record("nn2", 100)))
                        && otherMember.view.member("nn1").equals(Optional.of(record("nn1", 100))));
        expectElected(one);
        await().atMost(LONG).until(() -> otherMember
                .view
                .lock()
                .filter(lock -> lock.holder().equals("nn1"))
                .isPresent());
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(one);
            }
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Files.copy(one, to.resolve(from.relativize(one)));
            }
        }
    }
}
