/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.MethodDescriptor;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.thirdparty.protobuf.UnknownFieldSet;

/**
 * Tells clients the members of the group and the site of this NameNode together with its role, and, if it may soon be active, when to
 * ask again; over the connection on which this NameNode has authenticated itself to them.
 *
 * <p>It names the members in this NameNode's own configuration, which administrators write. It does not use the view in
 * ZooKeeper: any user who can write there could send the clients of a whole cluster to a host of their own.
 *
 * <p>All of it is in fields of HDFS's answer that HDFS does not know: its own clients ignore them.
 *
 * <p>Uses {@code UnknownFieldSet} of Hadoop's own protobuf.
 */
public final class MembershipAdvertiser extends ClientCalls {
    /** {@code host:port}, once for each member. {@code RoleRequest} of {@code smart-client} reads it. */
    static final int FIELD = 20_191;
    /** The site of the NameNode that answers, if it has one. {@code RoleRequest} reads it. */
    static final int SITE_FIELD = 20_192;
    /**
     * The number of milliseconds after which to ask again, if this NameNode may be active then. {@code RoleRequest} of
     * {@code smart-client} reads it.
     */
    static final int AGAIN_FIELD = 20_193;

    private static final String QUESTION = "getHAServiceState";

    private final Supplier<List<String>> members;
    private final String site;
    private final Supplier<Optional<Duration>> mayBecomeActiveIn;
    private final AnnouncementPacer pace = new AnnouncementPacer();

    /**
     * Computes for how long callers are sent away if this NameNode may already become active: for as many milliseconds as there were such
     * queries within a twentieth of a second or two, so that queries keep costing only a few percent of a core, however many callers there
     * are. Thread-safe.
     */
    static final class AnnouncementPacer {
        /** The shortest pause between queries; more frequent ones would take CPU time from the takeover that they wait for. */
        private static final long SOONEST_MILLIS = 20;

        private static final long SLOT_NANOS = Duration.ofMillis(50).toNanos();

        // Guarded by this.
        private long slot;
        private int before;
        private int now;

        synchronized long delayMillis(long nanoTime) {
            long current = Math.floorDiv(nanoTime, SLOT_NANOS);
            if (current != slot) {
                before = current == slot + 1 ? now : 0;
                now = 0;
                slot = current;
            }
            now++;
            return Math.max(SOONEST_MILLIS, before + now);
        }
    }

    /**
     * @param members the current members, as {@code host:port}
     * @param site of this NameNode; empty if it has none
     * @param mayBecomeActiveIn how long until this NameNode may become active; empty if it is not to be
     */
    public MembershipAdvertiser(
            BlockingService inner,
            Supplier<List<String>> members,
            String site,
            Supplier<Optional<Duration>> mayBecomeActiveIn) {
        super(inner);
        this.members = members;
        this.site = site;
        this.mayBecomeActiveIn = mayBecomeActiveIn;
    }

    /** The time of the next announcement, randomized: many callers may have lost the same active at the same moment. */
    private long nextAnnouncementMillis(Duration expected) {
        long half = pace.delayMillis(System.nanoTime()) / 2;
        return expected.toMillis() + half + ThreadLocalRandom.current().nextLong(half + 1);
    }

    private UnknownFieldSet encodeMembers() {
        UnknownFieldSet.Field.Builder field = UnknownFieldSet.Field.newBuilder();
        for (String member : members.get()) {
            field.addLengthDelimited(ByteString.copyFromUtf8(member));
        }
        UnknownFieldSet.Builder fields = UnknownFieldSet.newBuilder().addField(FIELD, field.build());
        if (!site.isEmpty()) {
            fields.addField(
                    SITE_FIELD,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8(site))
                            .build());
        }
        mayBecomeActiveIn
                .get()
                .ifPresent(wait -> fields.addField(
                        AGAIN_FIELD,
                        UnknownFieldSet.Field.newBuilder()
                                .addVarint(nextAnnouncementMillis(wait))
                                .build()));
        return fields.build();
    }

    @Override
    public Message callBlockingMethod(MethodDescriptor method, RpcController controller, Message request)
            throws ServiceException {
        Message answer = inner().callBlockingMethod(method, controller, request);
        return method.getName().equals(QUESTION)
                ? answer.toBuilder().mergeUnknownFields(encodeMembers()).build()
                : answer;
    }
}
