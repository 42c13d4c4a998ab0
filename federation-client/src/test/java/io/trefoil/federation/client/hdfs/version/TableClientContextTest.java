/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;

class TableClientContextTest {

    private static CallerContext.Builder users(String context) {
        return new CallerContext.Builder(context);
    }

    @Test
    void contextIsSetWithoutUserContext() {
        assertThat(TableClientContext.isIn(TableClientContext.with(null).getContext()))
                .isTrue();
        assertThat(TableClientContext.with(users("").build())).isEqualTo(TableClientContext.with(null));
    }

    @Test
    void keepsUserContextAndSignature() {
        CallerContext with = TableClientContext.with(
                users("job_1,clientIp:10.0.0.1").setSignature(new byte[] {1, 2}).build());

        assertThat(with.getContext()).startsWith("job_1,clientIp:10.0.0.1,");
        assertThat(with.getSignature()).containsExactly(1, 2);
        assertThat(TableClientContext.isIn(with.getContext())).isTrue();
    }

    @Test
    void addsContextOnce() {
        CallerContext once = TableClientContext.with(users("job_1").build());

        assertThat(TableClientContext.with(once)).isSameAs(once);
    }

    @Test
    void matchesOnlyWholeField() {
        String field = TableClientContext.with(null).getContext();

        assertThat(TableClientContext.isIn("job_1," + field + ",more")).isTrue();
        assertThat(TableClientContext.isIn("job_" + field)).isFalse();
        assertThat(TableClientContext.isIn("job_1")).isFalse();
    }
}
