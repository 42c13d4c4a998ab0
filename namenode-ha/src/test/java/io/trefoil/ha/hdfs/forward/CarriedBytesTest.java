/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.junit.jupiter.api.Test;

class CarriedBytesTest {
    private static final CarriedCall CALL = CarriedCall.builder()
            .method("mkdirs")
            .request(Bytes.ofUtf8("request"))
            .clientId(Bytes.wrap(new byte[16]))
            .callId(17)
            .retryCount(2)
            .context(Optional.of(CarriedCall.Context.of("job", Bytes.ofUtf8("signed"))))
            .user(CarriedUser.of(
                    "alice@R", "PROXY", Optional.of(CarriedUser.of("hue/h@R", "KERBEROS", Optional.empty()))))
            .address(Bytes.wrap(new byte[] {10, 0, 0, 7}))
            .port(4711)
            .build();

    @Test
    void aCallComesOutAsItWentIn() throws IOException {
        for (CarriedCall call : List.of(
                CALL,
                CALL.toBuilder()
                        .context(Optional.empty())
                        .user(CarriedUser.of("bob", "SIMPLE", Optional.empty()))
                        .address(Bytes.wrap(new byte[16]))
                        .build())) {
            assertThat(CarriedBytes.call(CarriedBytes.of(call))).isEqualTo(call);
        }
    }

    @Test
    void anAnswerComesOutAsItWentIn() throws IOException {
        for (CarriedAnswer answer : List.of(
                CarriedAnswer.returned(7, Bytes.ofUtf8("answer")),
                CarriedAnswer.threw(8, "java.io.IOException", "why"),
                CarriedAnswer.brokeOff("the term ended"),
                CarriedAnswer.notExecuted("not active"))) {
            assertThat(CarriedBytes.answer(CarriedBytes.of(answer))).isEqualTo(answer);
        }
    }

    @Test
    void bytesThatAreNoCallAreAnErrorAndNeverACallOfSomebodyElse() {
        byte[] whole = CarriedBytes.of(CALL).toByteArray();
        for (int length = 0; length < whole.length; length++) {
            Bytes part = Bytes.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> CarriedBytes.call(part)).isInstanceOf(IOException.class);
        }
        Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> CarriedBytes.call(longer)).hasMessageContaining("left after its end");
        byte[] giant = whole.clone();
        giant[1] = 0x7f;
        assertThatThrownBy(() -> CarriedBytes.call(Bytes.wrap(giant))).hasMessageContaining("are announced");
    }

    @Test
    void anotherFormIsRefusedByName() {
        byte[] later = CarriedBytes.of(CALL).toByteArray();
        later[0] = 2;
        assertThatThrownBy(() -> CarriedBytes.call(Bytes.wrap(later))).hasMessageContaining("format 2");
        assertThatThrownBy(() -> CarriedBytes.answer(Bytes.wrap(new byte[] {1, 9})))
                .hasMessageContaining("kind 9");
    }

    @Test
    void theUserKeepsWhoActsForHimAndHowHeWasAuthenticated() {
        UserGroupInformation real = UserGroupInformation.createRemoteUser("hue");
        real.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
        UserGroupInformation user = CarriedUser.of(UserGroupInformation.createProxyUser("alice", real))
                .user();
        assertThat(user.getUserName()).isEqualTo("alice");
        assertThat(user.getAuthenticationMethod()).isEqualTo(AuthenticationMethod.PROXY);
        assertThat(user.getRealUser().getUserName()).isEqualTo("hue");
        assertThat(user.getRealUser().getAuthenticationMethod()).isEqualTo(AuthenticationMethod.KERBEROS);

        UserGroupInformation byToken = UserGroupInformation.createRemoteUser("bob");
        byToken.setAuthenticationMethod(AuthenticationMethod.TOKEN);
        assertThat(CarriedUser.of(byToken).user().getAuthenticationMethod()).isEqualTo(AuthenticationMethod.TOKEN);
    }

    @Test
    void theContextKeepsItsSignature() {
        CallerContext context =
                new CallerContext.Builder("job").setSignature(new byte[] {1, 2}).build();
        assertThat(CarriedCall.Context.of(context).map(CarriedCall.Context::context))
                .contains(context);
        assertThat(CarriedCall.Context.of((CallerContext) null)).isEmpty();
    }
}
