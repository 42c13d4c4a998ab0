/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client.hdfs;

import io.trefoil.client.MemberAnswer;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.HAServiceStateResponseProto;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.ipc.ProtocolTranslator;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;

/**
 * Asks one NameNode for its role. A NameNode with {@code namenode-ha} also names the members of the group and its own
 * site, and says when to ask again if it may be active then. All of it is in the answer to {@code getHAServiceState}, which every user
 * may call, over a connection authenticated like that of the calls.
 *
 * <p>All but the role is in fields of that answer that HDFS does not know and ignores.
 *
 * <p>Uses {@code NameNodeProxiesClient.createNonHAProxyWithClientProtocol}; {@code
 * ProtocolTranslator.getUnderlyingProxyObject}; {@code ClientNamenodeProtocolPB.getHAServiceState} and its messages;
 * {@code UserGroupInformation.isSecurityEnabled}.
 */
final class RoleRequest implements Closeable {
    /**
     * The field number of the group's members, each as {@code host:port}, written by {@code MembershipAdvertiser} of
     * {@code namenode-ha}.
     */
    static final int MEMBERS_FIELD = 20_191;
    /** The site of the answering NameNode. */
    static final int SITE_FIELD = 20_192;
    /** The field number of the delay, in milliseconds, after which the answering NameNode may be active. */
    static final int AGAIN_FIELD = 20_193;

    /** The upper bound of a stated delay, longer than any lease. */
    private static final long MAX_PROBE_DELAY_MILLIS = TimeUnit.HOURS.toMillis(1);

    private final ClientProtocol proxy;
    private final ClientNamenodeProtocolPB wire;
    /** Whether the server cannot or does not want to authenticate; set by HDFS. */
    private final AtomicBoolean unauthenticated = new AtomicBoolean();

    /**
     * Loads the HDFS classes that this class needs. If a client's libraries rename them, as Trino's do, its creation
     * fails: otherwise every call would wait for an answer that cannot be read.
     *
     * @throws LinkageError if a class is missing
     */
    static void loadClasses() {
        HAServiceStateRequestProto.getDefaultInstance().getUnknownFields();
    }

    /** Creates a request without sending it. */
    RoleRequest(InetSocketAddress address, Configuration conf, UserGroupInformation ugi) throws IOException {
        this.proxy =
                NameNodeProxiesClient.createNonHAProxyWithClientProtocol(address, conf, ugi, false, unauthenticated);
        this.wire = (ClientNamenodeProtocolPB) ((ProtocolTranslator) proxy).getUnderlyingProxyObject();
    }

    /** @throws IOException if there was no answer */
    MemberAnswer send() throws IOException {
        HAServiceStateResponseProto answer;
        try {
            answer = wire.getHAServiceState(null, HAServiceStateRequestProto.getDefaultInstance());
        } catch (ServiceException e) {
            return failureAnswer(e.getCause() instanceof IOException ? (IOException) e.getCause() : new IOException(e));
        }
        return toMemberAnswer(answer)
                .withMembers(trustedMembers(answer))
                .withSite(site(answer))
                .withProbeAfter(nextProbeDelay(answer));
    }

    private static MemberAnswer toMemberAnswer(HAServiceStateResponseProto answer) {
        switch (answer.getState()) {
            case ACTIVE:
                return MemberAnswer.active();
            case OBSERVER:
                return MemberAnswer.observer();
            default:
                return MemberAnswer.inOtherState(answer.getState().toString().toLowerCase(Locale.ROOT));
        }
    }

    private static MemberAnswer failureAnswer(IOException failure) throws IOException {
        switch (Failure.of(failure)) {
            case LATER:
                return MemberAnswer.busy(failure.toString());
            case ANSWER:
                if (!Failure.isInterruption(failure)) {
                    return MemberAnswer.refused(failure.toString());
                }
                throw failure;
            default:
                throw failure;
        }
    }

    /** The members that the client trusts: none if security is on and the server has not authenticated itself. */
    private List<String> trustedMembers(HAServiceStateResponseProto answer) {
        if (UserGroupInformation.isSecurityEnabled() && unauthenticated.get()) {
            return Collections.emptyList();
        }
        return answer.getUnknownFields().getField(MEMBERS_FIELD).getLengthDelimitedList().stream()
                .map(ByteString::toStringUtf8)
                .collect(Collectors.toList());
    }

    /** The site in the answer. It is believed even without authentication: it only decides which NameNode is asked first. */
    private static String site(HAServiceStateResponseProto answer) {
        return answer.getUnknownFields().getField(SITE_FIELD).getLengthDelimitedList().stream()
                .map(ByteString::toStringUtf8)
                .findFirst()
                .orElse("");
    }

    /**
     * The delay, stated in an answer, after which to probe again. It is believed without authentication, too, because a server that
     * asks for probes does not get as many as it likes (see {@code PendingOperation}).
     */
    private static Optional<Duration> nextProbeDelay(HAServiceStateResponseProto answer) {
        return answer.getUnknownFields().getField(AGAIN_FIELD).getVarintList().stream()
                .map(millis -> Duration.ofMillis(Math.max(0, Math.min(MAX_PROBE_DELAY_MILLIS, millis))))
                .findFirst();
    }

    @Override
    public void close() {
        RPC.stopProxy(proxy);
    }
}
