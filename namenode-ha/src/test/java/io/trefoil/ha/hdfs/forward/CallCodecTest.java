/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.junit.jupiter.api.Test;

class CallCodecTest {
    private static final SerializedCall CALL = SerializedCall.builder()
            .method("mkdirs")
            .request(Bytes.ofUtf8("request"))
            .clientId(Bytes.wrap(new byte[16]))
            .callId(17)
            .retryCount(2)
            .context(Optional.of(SerializedCall.Context.of("job", Bytes.ofUtf8("signed"))))
            .user(SerializedUser.of(
                    "alice@R", "PROXY", Optional.of(SerializedUser.of("hue/h@R", "KERBEROS", Optional.empty()))))
            .address(Bytes.wrap(new byte[] {10, 0, 0, 7}))
            .port(4711)
            .build();

    @Test
    void callRoundTrips() throws IOException {
        for (SerializedCall call : List.of(
                CALL,
                CALL.toBuilder()
                        .context(Optional.empty())
                        .user(SerializedUser.of("bob", "SIMPLE", Optional.empty()))
                        .address(Bytes.wrap(new byte[16]))
                        .build())) {
            assertThat(CallCodec.decodeCall(CallCodec.encode(call))).isEqualTo(call);
        }
    }

    @Test
    void answerRoundTrips() throws IOException {
        for (SerializedResponse answer : List.of(
                SerializedResponse.returned(7, Bytes.ofUtf8("answer")),
                SerializedResponse.failed(8, "java.io.IOException", "why"),
                SerializedResponse.aborted("the term ended"),
                SerializedResponse.notExecuted("too late"),
                SerializedResponse.notActive("not active"))) {
            assertThat(CallCodec.decodeAnswer(CallCodec.encode(answer))).isEqualTo(answer);
        }
    }

    @Test
    void encodingIsUnchanged() throws IOException {
        SerializedResponse answer = SerializedResponse.failed(8, "java.io.IOException", "why");
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("wire/call", CallCodec.encode(CALL).toByteArray());
        golden.assertMatchesNewestRelease(
                "wire/answer", CallCodec.encode(answer).toByteArray());

        for (byte[] call : golden.readAllReleases("wire/call").values()) {
            assertThat(CallCodec.decodeCall(Bytes.wrap(call))).isEqualTo(CALL);
        }
        for (byte[] bytes : golden.readAllReleases("wire/answer").values()) {
            assertThat(CallCodec.decodeAnswer(Bytes.wrap(bytes))).isEqualTo(answer);
        }
    }

    @Test
    void rejectsMalformedCallBytes() {
        byte[] whole = CallCodec.encode(CALL).toByteArray();
        for (int length = 0; length < whole.length; length++) {
            Bytes part = Bytes.wrap(Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> CallCodec.decodeCall(part)).isInstanceOf(IOException.class);
        }
        Bytes longer = Bytes.wrap(Arrays.copyOf(whole, whole.length + 1));
        assertThatThrownBy(() -> CallCodec.decodeCall(longer)).hasMessageContaining("left after its end");
        byte[] giant = whole.clone();
        giant[1] = 0x7f;
        assertThatThrownBy(() -> CallCodec.decodeCall(Bytes.wrap(giant))).hasMessageContaining("are announced");
    }

    @Test
    void refusesUnknownFormatByName() {
        byte[] later = CallCodec.encode(CALL).toByteArray();
        later[0] = 2;
        assertThatThrownBy(() -> CallCodec.decodeCall(Bytes.wrap(later))).hasMessageContaining("format 2");
        assertThatThrownBy(() -> CallCodec.decodeAnswer(Bytes.wrap(new byte[] {1, 9})))
                .hasMessageContaining("kind 9");
    }

    @Test
    void userKeepsRealUserAndAuthenticationMethod() {
        UserGroupInformation real = UserGroupInformation.createRemoteUser("hue");
        real.setAuthenticationMethod(AuthenticationMethod.KERBEROS);
        UserGroupInformation user = SerializedUser.of(UserGroupInformation.createProxyUser("alice", real))
                .user();
        assertThat(user.getUserName()).isEqualTo("alice");
        assertThat(user.getAuthenticationMethod()).isEqualTo(AuthenticationMethod.PROXY);
        assertThat(user.getRealUser().getUserName()).isEqualTo("hue");
        assertThat(user.getRealUser().getAuthenticationMethod()).isEqualTo(AuthenticationMethod.KERBEROS);

        UserGroupInformation byToken = UserGroupInformation.createRemoteUser("bob");
        byToken.setAuthenticationMethod(AuthenticationMethod.TOKEN);
        assertThat(SerializedUser.of(byToken).user().getAuthenticationMethod()).isEqualTo(AuthenticationMethod.TOKEN);
    }

    @Test
    void callerContextKeepsSignature() {
        CallerContext context =
                new CallerContext.Builder("job").setSignature(new byte[] {1, 2}).build();
        assertThat(SerializedCall.Context.of(context).map(SerializedCall.Context::context))
                .contains(context);
        assertThat(SerializedCall.Context.of((CallerContext) null)).isEmpty();
    }
}
