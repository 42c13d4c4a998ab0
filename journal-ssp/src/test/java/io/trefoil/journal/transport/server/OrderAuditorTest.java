/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.foundation.AuditLog;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.ChangeProgress.Stage;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.InboundRequest;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.codec.Samples;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which requests are recorded as orders, and as what. */
class OrderAuditorTest {
    private static final PoolRequest START_OVER = StartOverRequest.of(Samples.NODE, Incarnation.NONE);
    private static final PoolRequest ADD = ChangeMembersRequest.of(MemberChange.add("t1", NodeAddress.of("h2", 8487)));
    private static final PoolRequest JOIN =
            ChangeMembersRequest.of(MemberChange.join("t2", NodeAddress.of("h2", 8487)));

    private final AuditLog log = new AuditLog();
    private final List<PoolReply> answers = new ArrayList<>();

    @Test
    void recordsOrderWithItsOutcome() {
        OrderAuditor audit = audit(CallerRole.READER);

        answer(audit, START_OVER, StartedOverReply.of(Samples.NODE, "/d/ns1.moved-1"));
        answer(audit, START_OVER, FailedReply.of(Samples.NODE, "the disk is full"));
        audit.recordRefusal(START_OVER, Samples.NODE, "no right");

        assertThat(log.countDone()).isEqualTo(1);
        assertThat(log.countFailed()).isEqualTo(1);
        assertThat(log.countRefused()).isEqualTo(1);
        assertThat(answers).hasSize(2);
    }

    @Test
    void recordsRepeatedOrderOnce() {
        OrderAuditor audit = audit(CallerRole.READER);

        for (int i = 0; i < 5; i++) {
            answer(audit, ADD, ChangeReply.of(Samples.NODE, ChangeProgress.of("t1", Stage.UNDER_WAY, "wait " + i)));
        }
        for (int i = 0; i < 5; i++) {
            answer(audit, ADD, ChangeReply.of(Samples.NODE, ChangeProgress.of("t1", Stage.DONE, "done")));
        }

        assertThat(log.countDone()).isEqualTo(1);
        assertThat(answers).hasSize(10);
    }

    @Test
    void repeatedRejectionDoesNotFloodLog() {
        OrderAuditor audit = audit(CallerRole.READER);

        for (int i = 0; i < 1000; i++) {
            audit.recordRefusal(START_OVER, Samples.NODE, "no right");
        }

        assertThat(log.countRefused()).isEqualTo(1);
    }

    /** Who hands on calls says who their users are. */
    @Test
    void recordsRejectedNonOrders() {
        audit(CallerRole.READER).recordRefusal(ForwardRequest.of(Bytes.EMPTY), Samples.NODE, "no right");
        audit(CallerRole.READER).recordRefusal(JOIN, Samples.NODE, "no right");

        assertThat(log.countRefused()).isEqualTo(2);
    }

    @Test
    void queriesJoinsAndWriterRequestsAreNotOrders() {
        OrderAuditor audit = audit(CallerRole.READER);
        answer(audit, StatusRequest.create(), FailedReply.of(Samples.NODE, "no"));
        answer(audit, JOIN, ChangeReply.of(Samples.NODE, ChangeProgress.of("t2", Stage.DONE, "done")));
        answer(audit(CallerRole.WRITER), Samples.append(1), Samples.appended(1));

        assertThat(log.countDone() + log.countFailed() + log.countRefused()).isZero();
    }

    private OrderAuditor audit(CallerRole role) {
        return new OrderAuditor(
                log,
                new RefusalAuditor(log, () -> 0),
                Samples.hello(role),
                Caller.of("the host 127.0.0.1", EnumSet.allOf(AccessRight.class)),
                InetAddress.getLoopbackAddress());
    }

    private void answer(OrderAuditor audit, PoolRequest request, PoolReply reply) {
        audit.watch(
                        new InboundRequest() {
                            @Override
                            public PoolRequest request() {
                                return request;
                            }

                            @Override
                            public void answer(PoolReply reply) {
                                answers.add(reply);
                            }
                        },
                        Samples.NODE)
                .answer(reply);
    }
}
