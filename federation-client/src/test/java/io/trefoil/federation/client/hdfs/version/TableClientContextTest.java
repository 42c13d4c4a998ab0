/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;

class TableClientContextTest {

    private static CallerContext.Builder userContext(String context) {
        return new CallerContext.Builder(context);
    }

    @Test
    void contextIsSetWithoutUserContext() {
        assertThat(TableClientContext.isPresentIn(
                        TableClientContext.mergedWith(null).getContext()))
                .isTrue();
        assertThat(TableClientContext.mergedWith(userContext("").build()))
                .isEqualTo(TableClientContext.mergedWith(null));
    }

    @Test
    void keepsUserContextAndSignature() {
        CallerContext with = TableClientContext.mergedWith(userContext("job_1,clientIp:10.0.0.1")
                .setSignature(new byte[] {1, 2})
                .build());

        assertThat(with.getContext()).startsWith("job_1,clientIp:10.0.0.1,");
        assertThat(with.getSignature()).containsExactly(1, 2);
        assertThat(TableClientContext.isPresentIn(with.getContext())).isTrue();
    }

    @Test
    void addsContextOnce() {
        CallerContext once = TableClientContext.mergedWith(userContext("job_1").build());

        assertThat(TableClientContext.mergedWith(once)).isSameAs(once);
    }

    @Test
    void matchesOnlyEntireField() {
        String field = TableClientContext.mergedWith(null).getContext();

        assertThat(TableClientContext.isPresentIn("job_1," + field + ",more")).isTrue();
        assertThat(TableClientContext.isPresentIn("job_" + field)).isFalse();
        assertThat(TableClientContext.isPresentIn("job_1")).isFalse();
    }
}
