/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.TableRecord;
import io.trefoil.federation.table.Tables;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who changed the table asks Routers to follow, again and again, and must know which do not. */
class FollowingRoutersTest {

    private final FakeTableStore store = new FakeTableStore();
    private final FakeRouters routers = new FakeRouters();
    private final FollowingRouters following = new FollowingRouters(store, routers);

    @BeforeEach
    void setUpTable() {
        store.append(TableRecord.of(Tables.tableWith(1, Map.of("/", "ns1")), "of the test", "alice", Instant.EPOCH));
    }

    @Test
    void pollsRoutersUntilAllFollow() {
        routers.down.add("r2:8111");
        assertThat(following.updateRouters()).hasValue("r2:8111: connection refused");
        assertThat(routers.stored).containsKey("/");

        routers.down.clear();
        assertThat(following.updateRouters()).isEmpty();

        routers.down.addAll(routers.addresses());
        assertThat(following.updateRouters()).as("nobody is asked any more").isEmpty();
    }

    @Test
    void reportsReasonWhenRoutersAreUnresponsiveOrRefuse() {
        routers.down.addAll(routers.addresses());
        assertThat(following.updateRouters()).hasValue("No Router gives its mount table");

        routers.down.clear();
        routers.putForeignEntry("/", "hdfs://ns2/");
        assertThat(following.updateRouters())
                .hasValueSatisfying(
                        reason -> assertThat(reason).contains("not of hdfs://").doesNotContain("\n"));
    }
}
