/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.writer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.writer.events.WriterSettings;
import org.junit.jupiter.api.Test;

/** What a writer may be told, and what follows from it. */
class WriterSettingsTest {

    @Test
    void rejectsNonPositiveTimesAndReplicasAndNegativeRate() {
        assertThat(settings().leaseMillis(1).build().leaseMillis()).isEqualTo(1);
        assertThat(settings().ackTimeoutMillis(1).build().ackTimeoutMillis()).isEqualTo(1);
        assertThat(settings().retryMillis(1).build().retryMillis()).isEqualTo(1);
        assertThat(settings().minReplicas(1).build().minReplicas()).isEqualTo(1);
        assertThat(settings().catchUpBytesPerSecond(0).build().catchUpBytesPerSecond())
                .isZero();

        assertRefused(settings().leaseMillis(0), "Times must be above 0 ms");
        assertRefused(settings().ackTimeoutMillis(0), "Times must be above 0 ms");
        assertRefused(settings().retryMillis(0), "Times must be above 0 ms");
        assertRefused(settings().minReplicas(0), "At least one replica");
        assertRefused(settings().catchUpBytesPerSecond(-1), "at least 0 bytes per second");
    }

    @Test
    void rejectsMemoryBelowOneByte() {
        assertThat(settings().windowBytes(1).build().windowBytes()).isEqualTo(1);
        assertThat(settings().partBytes(1).build().partBytes()).isEqualTo(1);

        assertRefused(settings().windowBytes(0), "bytes");
        assertRefused(settings().partBytes(0), "bytes");
    }

    private static void assertRefused(WriterSettings.Builder settings, String reason) {
        assertThatThrownBy(settings::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
    }

    @Test
    void leaseContainsFiveHeartbeats() {
        assertThat(settings().leaseMillis(5_000).build().heartbeatMillis()).isEqualTo(1_000);
        assertThat(settings().leaseMillis(1).build().heartbeatMillis()).isEqualTo(1);
    }

    @Test
    void aloneTimeIsFourFifthsOfNodesMinimumGrant() {
        assertThat(settings().leaseMillis(10).build().soleWriterMillis()).isEqualTo(8);
        assertThat(settings().leaseMillis(3_600_000).build().soleWriterMillis())
                .isEqualTo(Promise.ALONE_MILLIS * 4 / 5);
    }

    private static WriterSettings.Builder settings() {
        return Bench.settings(2, NodeAddress.of("a", 1));
    }
}
