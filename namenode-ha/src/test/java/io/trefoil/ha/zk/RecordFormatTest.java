/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.ha.model.Ballot;
import io.trefoil.ha.model.Failover;
import io.trefoil.ha.model.HaRole;
import io.trefoil.ha.model.LockRecord;
import io.trefoil.ha.model.MemberAddresses;
import io.trefoil.ha.model.MemberRecord;
import io.trefoil.ha.model.MemberState;
import io.trefoil.ha.model.StandingOrders;
import io.trefoil.ha.model.View;
import io.trefoil.ha.model.ZkSession;
import io.trefoil.journal.model.Epoch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is kept in ZooKeeper and shown by JMX: others read it, of other versions too. */
class RecordFormatTest {
    private static final MemberRecord MEMBER = MemberRecord.builder()
            .name("nn1")
            .state(MemberState.STANDBY)
            .role(HaRole.OBSERVER)
            .eligible(true)
            .electable(false)
            .priority(3)
            .site("west")
            .reason("")
            .sinceMillis(1_700_000_000_000L)
            .appliedTxId(42)
            .lag(3)
            .lagMillis(12)
            .preparing(true)
            .epoch(Epoch.of(7))
            .bid(99)
            .addresses(MemberAddresses.of("h1:8020", "h1:9870", "h1:8487"))
            .version("1")
            .instance("9-a")
            .handovers(2)
            .build();
    private static final StandingOrders ORDERS = StandingOrders.of(
            3,
            Optional.of(StandingOrders.Preference.of("nn2", "bob", 1_000, Optional.of(2_000L))),
            List.of(StandingOrders.Drain.of("nn1", "alice", 900)));
    private static final LockRecord LOCK =
            LockRecord.ofHolder("nn1", Ballot.of(5), ZkSession.of(-2)).withEpoch(Epoch.of(7));

    @Test
    void recordFormatIsUnchanged() throws IOException {
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("zookeeper/member", RecordFormat.write(MEMBER));
        golden.assertMatchesNewestRelease("zookeeper/lock", RecordFormat.write(LOCK));
        golden.assertMatchesNewestRelease("zookeeper/election", RecordFormat.writeElection(LOCK));
        golden.assertMatchesNewestRelease("zookeeper/orders", RecordFormat.toBytes(RecordFormat.toJson(ORDERS)));
        golden.assertMatchesNewestRelease("zookeeper/history", failover().toBytes());

        for (byte[] member : golden.readAllReleases("zookeeper/member").values()) {
            assertThat(RecordFormat.parseMember(member)).isEqualTo(MEMBER);
        }
        for (byte[] lock : golden.readAllReleases("zookeeper/lock").values()) {
            assertThat(RecordFormat.parseLock(lock)).isEqualTo(LOCK);
        }
        for (byte[] election : golden.readAllReleases("zookeeper/election").values()) {
            assertThat(RecordFormat.parseElection(election)).isEqualTo(Ballot.of(5));
        }
        for (byte[] orders : golden.readAllReleases("zookeeper/orders").values()) {
            assertThat(RecordFormat.parseOrders(orders)).isEqualTo(ORDERS);
        }
        for (byte[] history : golden.readAllReleases("zookeeper/history").values()) {
            assertThat(HistoryRecord.fromBytes(history)).isEqualTo(failover());
        }
    }

    @Test
    void ignoresFieldsOfLaterVersionsInEveryRecord() throws IOException {
        assertThat(RecordFormat.parseLock(withLaterField(RecordFormat.write(LOCK))))
                .isEqualTo(LOCK);
        assertThat(RecordFormat.parseElection(withLaterField(RecordFormat.writeElection(LOCK))))
                .isEqualTo(Ballot.of(5));
        assertThat(RecordFormat.parseOrders(withLaterField(RecordFormat.toBytes(RecordFormat.toJson(ORDERS)))))
                .isEqualTo(ORDERS);
        assertThat(HistoryRecord.fromBytes(withLaterField(failover().toBytes())))
                .isEqualTo(failover());
    }

    private static byte[] withLaterField(byte[] record) {
        return new String(record, StandardCharsets.UTF_8)
                .replaceFirst("\\{", "{\"later\":{\"more\":1},")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static HistoryRecord failover() {
        long second = 1_000_000_000L;
        Failover failover = Failover.begin(Optional.of("nn1"), "nn2", "the lease of nn1 has ended", 10 * second)
                .withLock(Ballot.of(5), 11 * second)
                .withPromise(Epoch.of(7), 12 * second)
                .withActivation(13 * second);
        return HistoryRecord.of(failover, 100_000, 14 * second, second);
    }

    @Test
    void memberRecordRoundTrips() throws IOException {
        assertThat(RecordFormat.parseMember(RecordFormat.write(MEMBER))).isEqualTo(MEMBER);
    }

    @Test
    void lockRecordRoundTrips() throws IOException {
        assertThat(RecordFormat.parseLock(RecordFormat.write(LOCK))).isEqualTo(LOCK);
    }

    @Test
    void ordersSurviveRoundTrip() throws IOException {
        assertThat(RecordFormat.parseOrders(RecordFormat.toBytes(RecordFormat.toJson(ORDERS))))
                .isEqualTo(ORDERS);
        assertThat(RecordFormat.parseOrders(RecordFormat.toBytes(RecordFormat.toJson(StandingOrders.NONE))))
                .isEqualTo(StandingOrders.NONE);
        assertThatThrownBy(() -> RecordFormat.parseOrders("[]".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void ignoresFieldsOfLaterVersions() throws IOException {
        String later = new String(RecordFormat.write(MEMBER), StandardCharsets.UTF_8).replace("{", "{\"more\":1,");
        assertThat(RecordFormat.parseMember(later.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(MEMBER);
    }

    @Test
    void memberWithoutRoleIsNotObserver() throws IOException {
        String earlier =
                new String(RecordFormat.write(MEMBER), StandardCharsets.UTF_8).replace(",\"role\":\"OBSERVER\"", "");
        assertThat(RecordFormat.parseMember(earlier.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(MEMBER.toBuilder().role(HaRole.STANDBY).build());
    }

    @Test
    void memberWithoutLagMillisReportsZero() throws IOException {
        String earlier = new String(RecordFormat.write(MEMBER), StandardCharsets.UTF_8)
                .replace(",\"lagMillis\":12,\"preparing\":true", "");
        assertThat(RecordFormat.parseMember(earlier.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(MEMBER.toBuilder().lagMillis(0).preparing(false).build());
    }

    @Test
    void memberWithoutElectableFieldIsElectable() throws IOException {
        String earlier = new String(RecordFormat.write(MEMBER), StandardCharsets.UTF_8)
                .replace(",\"electable\":false,\"priority\":3,\"site\":\"west\"", "");
        assertThat(RecordFormat.parseMember(earlier.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(
                        MEMBER.toBuilder().electable(true).priority(0).site("").build());
    }

    @Test
    void electionRoundTripsAndForeignContentIsIgnored() {
        assertThat(RecordFormat.parseElection(RecordFormat.writeElection(LOCK))).isEqualTo(Ballot.of(5));
        assertThat(RecordFormat.parseElection(new byte[0])).isEqualTo(Ballot.NONE);
        assertThat(RecordFormat.parseElection("nn1".getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Ballot.NONE);
    }

    @Test
    void malformedRecordThrowsIoException() {
        byte[] strange = "{\"name\":\"nn1\",\"state\":\"KING\"}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> RecordFormat.parseMember(strange))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("KING");
        assertThatThrownBy(() -> RecordFormat.parseLock("{\"session\":\"x y\"}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void viewJsonHasStableFieldNames() {
        View view = View.of(ZkSession.of(1), Ballot.of(5), Optional.of(LOCK), List.of(MEMBER), ORDERS);
        assertThat(ViewJson.render("ns1", view, true, 1_999))
                .isEqualTo("{\"nameservice\":\"ns1\",\"current\":true,\"ballot\":5,"
                        + "\"lock\":{\"holder\":\"nn1\",\"epoch\":7,\"takingOver\":false},"
                        + "\"members\":[{\"name\":\"nn1\",\"state\":\"STANDBY\",\"role\":\"OBSERVER\",\"electable\":false,"
                        + "\"drained\":true,\"preferred\":false,\"preparing\":true,\"priority\":3,\"site\":\"west\",\"reason\":\"\","
                        + "\"since\":1700000000000,\"txId\":42,\"lag\":3,\"lagMillis\":12,\"epoch\":7,\"rpc\":\"h1:8020\","
                        + "\"http\":\"h1:9870\",\"pool\":\"h1:8487\",\"version\":\"1\"}],"
                        + "\"orders\":{\"revision\":3,"
                        + "\"preferred\":{\"nameNode\":\"nn2\",\"by\":\"bob\",\"since\":1000,\"until\":2000},"
                        + "\"drained\":[{\"nameNode\":\"nn1\",\"by\":\"alice\",\"since\":900}]}}");
    }

    @Test
    void historyReportsStepTimesRelativeToFirst() throws IOException {
        HistoryRecord record = failover();

        assertThat(HistoryRecord.fromBytes(record.toBytes())).isEqualTo(record);
        assertThat(HistoryRecord.toJson(List.of(record)))
                .isEqualTo("[{\"ballot\":5,\"from\":\"nn1\",\"to\":\"nn2\",\"cause\":\"the lease of nn1 has ended\","
                        + "\"epoch\":7,\"detectedAt\":96000,\"lockedAfterMs\":1000,\"promisedAfterMs\":2000,"
                        + "\"activatedAfterMs\":3000,\"announcedAfterMs\":5000}]");
    }
}
