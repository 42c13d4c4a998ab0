/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.GoldenFiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ha.proto.HAServiceProtocolProtos.HAServiceStateProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MsyncResponseProto;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.junit.jupiter.api.Test;

/** That the client reads what is written here is shown by {@code SmartClientIT}, with NameNodes. */
class MembershipAdvertiserTest {
    private static final HAServiceStateResponseProto STANDBY = HAServiceStateResponseProto.newBuilder()
            .setState(HAServiceStateProto.STANDBY)
            .build();

    private final BlockingService hdfs = new ClientCalls(null) {
        @Override
        public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request) {
            return method.getName().equals("getHAServiceState") ? STANDBY : MsyncResponseProto.getDefaultInstance();
        }
    };

    private String site = "";
    private Optional<Duration> mayBecomeActiveIn = Optional.empty();

    private HAServiceStateResponseProto queryServiceState(List<String> members) throws Exception {
        return (HAServiceStateResponseProto) call(members, "getHAServiceState");
    }

    private Message call(List<String> members, String method) throws Exception {
        return new MembershipAdvertiser(hdfs, () -> members, site, () -> mayBecomeActiveIn)
                .callBlockingMethod(ClientNamenodeProtocol.getDescriptor().findMethodByName(method), null, null);
    }

    @Test
    void serviceStateAnswerNamesMembers() throws Exception {
        HAServiceStateResponseProto sent = HAServiceStateResponseProto.parseFrom(
                queryServiceState(List.of("a:1", "b:2")).toByteArray());
        assertThat(sent.getState()).isEqualTo(HAServiceStateProto.STANDBY);
        assertThat(sent.getUnknownFields().getField(MembershipAdvertiser.FIELD).getLengthDelimitedList())
                .extracting(ByteString::toStringUtf8)
                .containsExactly("a:1", "b:2");
    }

    /** Clients of every release read these fields by their numbers. */
    @Test
    void serviceStateAnswerMatchesRelease() throws Exception {
        site = "west";
        GoldenFiles.forCurrentModule()
                .assertMatchesNewestRelease(
                        "wire/role", queryServiceState(List.of("a:1", "b:2")).toByteArray());
    }

    @Test
    void serviceStateAnswerIncludesConfiguredSite() throws Exception {
        assertThat(queryServiceState(List.of("a:1")).getUnknownFields().hasField(MembershipAdvertiser.SITE_FIELD))
                .isFalse();

        site = "west";
        assertThat(queryServiceState(List.of("a:1"))
                        .getUnknownFields()
                        .getField(MembershipAdvertiser.SITE_FIELD)
                        .getLengthDelimitedList())
                .extracting(ByteString::toStringUtf8)
                .containsExactly("west");
    }

    @Test
    void successorAdvertisesRetryTimeToClients() throws Exception {
        assertThat(queryServiceState(List.of()).getUnknownFields().hasField(MembershipAdvertiser.AGAIN_FIELD))
                .as("this one is not to be")
                .isFalse();

        mayBecomeActiveIn = Optional.of(Duration.ofMillis(300));
        assertThat(queryServiceState(List.of())
                        .getUnknownFields()
                        .getField(MembershipAdvertiser.AGAIN_FIELD)
                        .getVarintList())
                .singleElement()
                .satisfies(millis -> assertThat(millis).isBetween(310L, 320L));
    }

    @Test
    void retryDelayGrowsWithNumberOfCallers() {
        MembershipAdvertiser.AnnouncementPacer pace = new MembershipAdvertiser.AnnouncementPacer();
        long nanos = Duration.ofSeconds(7).toNanos();
        assertThat(pace.delayMillis(nanos)).isEqualTo(20);
        for (int i = 0; i < 999; i++) {
            pace.delayMillis(nanos);
        }
        assertThat(pace.delayMillis(nanos + Duration.ofMillis(50).toNanos()))
                .as("the thousand of a moment ago count")
                .isEqualTo(1_001);
        assertThat(pace.delayMillis(nanos + Duration.ofMillis(150).toNanos()))
                .as("not those of long ago")
                .isEqualTo(20);
    }

    @Test
    void leavesOtherAnswersUnchanged() throws Exception {
        assertThat(call(List.of("a:1"), "msync")).isSameAs(MsyncResponseProto.getDefaultInstance());
    }
}
