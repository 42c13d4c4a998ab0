/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfirmedMembersTest {
    private static final long EXPIRY = 100;

    private final ConfirmedMembers<String> vouched = new ConfirmedMembers<>(EXPIRY);

    @Test
    void acceptsMembersNamedByAnyMember() {
        assertThat(vouched.recordVouchers("nn1", List.of("a:1", "b:1"), 0)).isTrue();
        assertThat(vouched.recordVouchers("nn2", List.of("b:1", "c:1"), 1)).isTrue();
        assertThat(vouched.recordVouchers("nn2", List.of("b:1", "c:1"), 2)).isFalse();
        assertThat(vouched.members()).containsExactlyInAnyOrder("a:1", "b:1", "c:1");
    }

    @Test
    void forgetsMemberNoLongerNamed() {
        vouched.recordVouchers("nn1", List.of("a:1", "b:1"), 0);
        vouched.recordVouchers("nn2", List.of("a:1", "b:1"), 0);
        assertThat(vouched.recordVouchers("nn1", List.of("a:1"), 1)).isFalse();
        assertThat(vouched.recordVouchers("nn2", List.of("a:1"), 1)).isTrue();
        assertThat(vouched.members()).containsExactly("a:1");
    }

    @Test
    void statementOfUnresponsiveMemberExpiresWhenOthersAnswer() {
        vouched.recordVouchers("nn1", List.of("a:1", "gone:1"), 0);
        vouched.recordVouchers("nn2", List.of("a:1"), EXPIRY);
        assertThat(vouched.members()).contains("gone:1");
        assertThat(vouched.recordVouchers("nn2", List.of("a:1"), EXPIRY + 1)).isTrue();
        assertThat(vouched.members()).containsExactly("a:1");
    }

    @Test
    void lastStatementHoldsWhileNoMemberAnswers() {
        vouched.recordVouchers("nn1", List.of("a:1"), 0);
        assertThat(vouched.members()).containsExactly("a:1");
    }

    @Test
    void limitsNumberOfMembers() {
        vouched.recordVouchers(
                "nn1",
                IntStream.range(0, 1_000).mapToObj(i -> "host" + i + ":1").toList(),
                0);
        assertThat(vouched.members()).hasSize(ConfirmedMembers.MAX_MEMBERS);
    }
}
