/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.ipc.CallerContext;
import org.junit.jupiter.api.Test;

class FollowerContextTest {

    private static CallerContext.Builder users(String context) {
        return new CallerContext.Builder(context);
    }

    @Test
    void contextIsSetWithoutUserContext() {
        assertThat(FollowerContext.isIn(FollowerContext.with(null).getContext()))
                .isTrue();
        assertThat(FollowerContext.with(users("").build())).isEqualTo(FollowerContext.with(null));
    }

    @Test
    void keepsUserContextAndSignature() {
        CallerContext with = FollowerContext.with(
                users("job_1,clientIp:10.0.0.1").setSignature(new byte[] {1, 2}).build());

        assertThat(with.getContext()).startsWith("job_1,clientIp:10.0.0.1,");
        assertThat(with.getSignature()).containsExactly(1, 2);
        assertThat(FollowerContext.isIn(with.getContext())).isTrue();
    }

    @Test
    void addsContextOnce() {
        CallerContext once = FollowerContext.with(users("job_1").build());

        assertThat(FollowerContext.with(once)).isSameAs(once);
    }

    @Test
    void matchesOnlyWholeField() {
        String field = FollowerContext.with(null).getContext();

        assertThat(FollowerContext.isIn("job_1," + field + ",more")).isTrue();
        assertThat(FollowerContext.isIn("job_" + field)).isFalse();
        assertThat(FollowerContext.isIn("job_1")).isFalse();
    }
}
