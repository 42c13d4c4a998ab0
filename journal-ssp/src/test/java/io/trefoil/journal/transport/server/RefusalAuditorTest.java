/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Refusals are in the audit log, however many there are. */
class RefusalAuditorTest {
    private final AuditLog log = new AuditLog();
    private final AtomicLong nanos = new AtomicLong();
    private final RefusalAuditor audit = new RefusalAuditor(log, nanos::get);

    @Test
    void logsSameRejectionOncePerMinute() {
        for (int i = 0; i < 1000; i++) {
            refuse("eve", "10.0.0.9", "ns1");
        }
        assertThat(log.countRefused()).isEqualTo(1);

        nanos.addAndGet(RefusalAuditor.MINUTE_NANOS);
        refuse("eve", "10.0.0.9", "ns1");

        assertThat(log.countRefused()).isEqualTo(2);
    }

    @Test
    void floodOfOneCallerDoesNotHideOtherRejections() {
        for (int i = 0; i < 100_000; i++) {
            refuse("eve", "10.0.0.9", "made-up-" + i);
        }
        assertThat(log.countRefused()).isEqualTo(RefusalAuditor.MAX_LINES_PER_CALLER);

        refuse("mallory", "10.0.0.9", "ns1");
        refuse("eve", "10.0.0.10", "ns1");

        assertThat(log.countRefused()).isEqualTo(RefusalAuditor.MAX_LINES_PER_CALLER + 2);
    }

    @Test
    void boundsLinesForUnlimitedCallers() {
        for (int i = 0; i < 100_000; i++) {
            refuse("eve", "10.0." + i / 250 + "." + i % 250, "ns1");
        }

        assertThat(log.countRefused()).isEqualTo(RefusalAuditor.MAX_TOTAL_LINES);
    }

    @Test
    void auditsRejectedSession() throws Exception {
        AccessController readersOnly = new AccessController() {
            @Override
            public boolean expectsCallsFrom(InetAddress address) {
                return true;
            }

            @Override
            public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
                return CompletableFuture.completedFuture(Caller.of("somebody", EnumSet.of(AccessRight.READ)));
            }
        };
        try (NettyPoolServer server = NettyPoolServer.start(
                        "127.0.0.1", 0, new TestNode(), readersOnly, ServerLimits.USUAL, TlsSettings.OFF);
                RawCaller caller = new RawCaller(server.boundAddress())) {
            caller.send(RawCaller.hello(Samples.hello(CallerRole.WRITER)));

            await().untilAsserted(
                            () -> assertThat(server.audit().countRefused()).isEqualTo(1));
        }
    }

    private void refuse(String caller, String address, String journal) {
        audit.recordRefusal(AuditedOrder.of("session", journal + " as WRITER", caller, address), "no right");
    }
}
