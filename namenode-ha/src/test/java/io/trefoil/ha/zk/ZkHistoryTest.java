/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.journal.model.Epoch;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.junit.jupiter.api.Test;

/** The last failovers are kept, and told. */
class ZkHistoryTest extends ZkGroup {

    @Test
    void historyKeepsLastFiftyFailovers() {
        Member one = new Member("nn1");
        int count = 53;
        for (int ballot = 1; ballot <= count; ballot++) {
            one.coordination.record(failover(ballot));
        }

        await().until(() -> one.coordination.historyJson().contains("\"ballot\":53,")
                && !one.coordination.historyJson().contains("\"ballot\":3,"));
        assertThat(one.coordination.historyJson().split("\"ballot\":", -1)).hasSize(1 + 50);
        assertThat(one.coordination.historyJson().split("; noted by ", -1)).hasSize(1 + 50);
    }

    private static Failover failover(int ballot) {
        long now = System.nanoTime();
        return Failover.begin(Optional.of("nn2"), "nn1", "test", now)
                .withLock(Ballot.of(ballot), now)
                .withPromise(Epoch.of(ballot), now)
                .withActivation(now);
    }

    @Test
    void unreadableHistoryEntryDoesNotHideMember() throws Exception {
        Member one = new Member("nn1");
        Member other = new Member("nn2");
        one.coordination.publish(record("nn1", 7));
        await().until(() -> other.view.member("nn1").isPresent());

        try (CuratorFramework stranger = stranger()) {
            stranger.create().forPath("/trefoil/ns1/history/0000000001", "no record".getBytes(UTF_8));
            stranger.delete().forPath("/trefoil/ns1/members/nn1");
            await().until(() -> stranger.checkExists().forPath("/trefoil/ns1/members/nn1") != null);
        }
        one.coordination.record(failover(2));
        await().until(() ->
                HistoryRecord.parseList(other.coordination.historyJson()).size() == 1);
    }
}
