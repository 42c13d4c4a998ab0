/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.AuditLog.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AuditLogTest {

    private static final AuditedOrder FAILOVER =
            AuditedOrder.of("failover", "one.nn1", "alice@EXAMPLE.COM", "10.1.2.3");

    @Test
    void lineStatesOrderCallerAndOutcome() {
        assertThat(AuditLog.formatLine(FAILOVER, Outcome.DONE, ""))
                .isEqualTo("order=failover object=one.nn1 caller=alice@EXAMPLE.COM address=10.1.2.3 outcome=done"
                        + " reason=\"\"");
        assertThat(AuditLog.formatLine(FAILOVER, Outcome.REFUSED, "It is a junior, 5000 transactions behind."))
                .endsWith("outcome=refused reason=\"It is a junior, 5000 transactions behind.\"");
    }

    @Test
    void escapesForgedCallerText() {
        String forged = "x outcome=done\r\n2026-01-01 INFO order=\"format\" caller=root\\";
        String line = AuditLog.formatLine(
                AuditedOrder.of("pin", forged, "eve\u2028\u0085\u001b[2J", ""), Outcome.REFUSED, "no\0body");

        assertThat(line)
                .isEqualTo("order=pin object=\"x outcome=done\\u000d\\u000a2026-01-01 INFO order=\\\"format\\\""
                        + " caller=root\\\\\" caller=\"eve\\u2028\\u0085\\u001b[2J\" address=\"\" outcome=refused"
                        + " reason=\"no\\u0000body\"");
    }

    @Test
    void noCharacterBreaksLineOrValue() {
        IntStream.rangeClosed(Character.MIN_VALUE, Character.MAX_VALUE).forEach(code -> {
            String line =
                    AuditLog.formatLine(AuditedOrder.of("pin", "a" + (char) code + "b", "c", "d"), Outcome.DONE, "");
            assertThat(line.chars().allMatch(c -> c >= ' ' && c < 127))
                    .as("line with character %04x", code)
                    .isTrue();
            assertThat(line.replaceAll("\"(?:[^\"\\\\]|\\\\.)*\"", "Q").split(" "))
                    .as("values with character %04x", code)
                    .hasSize(6);
        });
    }

    @Test
    void truncatesLongValue() {
        String line = AuditLog.formatLine(AuditedOrder.of("pin", "y".repeat(1_000_000), "c", "d"), Outcome.DONE, "");

        assertThat(line).contains("y...\" caller=c").hasSizeLessThan(AuditLog.MAX_VALUE_LENGTH + 100);
    }

    @Test
    @Timeout(120)
    void hungLogDelaysLinesButNotOrders() throws InterruptedException {
        CountDownLatch thawed = new CountDownLatch(1);
        List<String> written = new CopyOnWriteArrayList<>();
        AuditLog audit = new AuditLog(line -> {
            try {
                thawed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            written.add(line);
        });

        audit.recordStart(FAILOVER);
        audit.recordSuccess(FAILOVER);
        assertThat(written).isEmpty();

        thawed.countDown();
        await().untilAsserted(() -> assertThat(written)
                .containsExactly(
                        AuditLog.formatLine(FAILOVER, Outcome.BEGUN, ""),
                        AuditLog.formatLine(FAILOVER, Outcome.DONE, "")));
    }

    @Test
    void writesLineBeforeOrderContinues() {
        List<String> written = new CopyOnWriteArrayList<>();
        AuditLog audit = new AuditLog(written::add, Duration.ofMinutes(1));
        for (int i = 1; i <= 100; i++) {
            audit.recordStart(FAILOVER);
            assertThat(written).hasSize(i);
        }
    }

    @Test
    void eachAuditLogCountsItsOrdersOnly() {
        AuditLog one = new AuditLog();
        AuditLog other = new AuditLog();
        one.recordStart(FAILOVER);
        one.recordSuccess(FAILOVER);
        one.recordRefusal(FAILOVER, "no");
        one.recordRefusal(FAILOVER, "no");
        other.recordFailure(FAILOVER, "the disk is full");

        assertThat(one.countDone()).isEqualTo(1);
        assertThat(one.countRefused()).isEqualTo(2);
        assertThat(one.countFailed()).isZero();
        assertThat(other.countRefused()).isZero();
        assertThat(other.countFailed()).isEqualTo(1);
    }
}
