/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.AuditLog;
import io.trefoil.foundation.AuditedOrder;
import io.trefoil.foundation.OrderRefusedException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.RefreshResponse;
import org.junit.jupiter.api.Test;

class AuditedRefreshTest {
    private final AuditLog audit = new AuditLog();
    private final AuditedRefresh refresh =
            new AuditedRefresh("trefoil-test", OrderAccess.forNameNodePort(new Configuration(false), audit));

    @Test
    void namesCommandAndItsArgument() throws IOException {
        AuditedOrder order = refresh.admit(Arrays.asList("pin", "one", "two"));
        assertThat(order.order()).isEqualTo("pin");
        assertThat(order.object()).isEqualTo("one two");
        assertThat(refresh.admit(Collections.emptyList()).order()).isEqualTo(AuditedOrder.UNKNOWN);
    }

    @Test
    void answersAndRecordsCompletedOrder() throws IOException {
        RefreshResponse response = refresh.execute(order(), () -> "pinned");
        assertThat(response.getReturnCode()).isZero();
        assertThat(response.getMessage()).isEqualTo("pinned");
        assertThat(response.getSenderName()).isEqualTo("trefoil-test");
        assertThat(audit.countDone()).isEqualTo(1);
    }

    @Test
    void answersAndRecordsRejectedOrder() throws IOException {
        RefreshResponse response = refresh.execute(order(), AuditedRefreshTest::refuse);
        assertThat(response.getReturnCode()).isEqualTo(1);
        assertThat(response.getMessage()).isEqualTo("not active");
        assertThat(audit.countRefused()).isEqualTo(1);
        assertThat(audit.countDone()).isZero();
    }

    @Test
    void recordsAndRethrowsFailure() throws IOException {
        AuditedOrder order = order();
        assertThatThrownBy(() -> refresh.execute(order, () -> {
                    throw new IOException("disk");
                }))
                .hasMessage("disk");
        assertThat(audit.countFailed()).isEqualTo(1);
        assertThat(audit.countDone()).isZero();
    }

    @Test
    void recordsQueryOnlyWhenRejected() throws IOException {
        assertThat(refresh.executeQuery(order(), () -> "nothing").getReturnCode())
                .isZero();
        assertThat(audit.countDone()).isZero();
        refresh.executeQuery(order(), AuditedRefreshTest::refuse);
        assertThat(audit.countRefused()).isEqualTo(1);
    }

    private static String refuse() throws IOException {
        throw new OrderRefusedException("not active");
    }

    private AuditedOrder order() throws IOException {
        return refresh.admit(Arrays.asList("pin", "one"));
    }
}
