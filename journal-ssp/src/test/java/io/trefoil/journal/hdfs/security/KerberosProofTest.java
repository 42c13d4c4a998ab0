/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.WireFormatTest;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What proves nothing: tokens that are cut, changed, repeated or made up, and callers who send everything but a proof. */
class KerberosProofTest extends KerberosCallers {
    /** Each has got its challenge, for which it costs what it can; half of them have valid credentials. */
    @Test
    void floodOfIncompleteProofsDoesNotBlockOtherCallers() throws Exception {
        serve();
        List<RawCaller> masses = new ArrayList<>();
        TestCaller steady = new TestCaller();
        Link writer = connect("nn/localhost", conf, CallerRole.READER, server.boundAddress(), steady);
        assertThat(steady.next()).startsWith("up");
        try {
            for (int i = 0; i < 160; i++) {
                RawCaller one = new RawCaller(server.boundAddress());
                masses.add(one);
                String user = i % 2 == 0 ? "nn/localhost" : "stranger";
                one.send(RawCaller.hello(authenticatedHello(user)));
                assertThat(one.readFrame()[1]).isEqualTo(MessageType.CHALLENGE.code());
                if (i % 50 == 25) {
                    transportOf(writer).execute(() -> {
                        writer.send(Samples.request(CallerRole.READER, 1));
                        writer.flush();
                    });
                    assertThat(steady.reply()).isNotNull();
                    assertThat(firstReply("nn/localhost")).startsWith("up");
                }
            }
            // The oldest, by those that come after them, or at their deadline.
            await().until(() -> server.refusals().count(RefusalCause.HANDSHAKE_LIMIT)
                            + server.refusals().count(RefusalCause.HANDSHAKE_TIMEOUT)
                    >= 60 - 5);
            // A refusal is counted before the connection is closed.
            await().until(() -> server.connectionCount() <= 100 + 5);
            assertThat(Thread.getAllStackTraces().keySet().stream()
                            .filter(thread -> thread.getName().startsWith("ssp-dialogue")))
                    .hasSizeLessThanOrEqualTo(4);
        } finally {
            for (RawCaller one : masses) {
                one.close();
            }
        }
        await().until(() -> server.connectionCount() <= 1);
    }

    @Test
    void callerWithoutTicketFailsWithoutSending() throws Exception {
        serve();
        connect("nobody", conf, CallerRole.READER, server.boundAddress());
        assertThat(caller.next()).startsWith("refused").contains("nobody", "No valid credentials provided");
        assertThat(server.connectionCount()).isZero();
    }

    @Test
    void rejectsCallerWithoutCredentialsForEveryRequest() throws Exception {
        serve();
        for (CallerRole role : CallerRole.values()) {
            for (PoolRequest request : WireFormatTest.requests()) {
                RawCaller stranger = raw().send(RawCaller.hello(Samples.hello(role)));
                byte[] answer = stranger.readFrame();
                assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
                assertThat(text(answer)).contains("GSSAPI", "hadoop.security.authentication");
                try {
                    stranger.send(RawCaller.request(1, request));
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(reset|broken).*");
                }
                stranger.assertClosed();
            }
        }
        assertThat(node.accepted).hasValue(0);
        assertThat(performed).isEmpty();
    }

    @Test
    void requestInsteadOfChallengeResponseClosesConnection() throws Exception {
        serve();
        for (PoolRequest request : WireFormatTest.requests()) {
            RawCaller stranger = raw().send(RawCaller.hello(authenticatedHello("nn/localhost")));
            assertThat(stranger.readType()).isEqualTo(MessageType.CHALLENGE.code());
            stranger.send(RawCaller.request(1, request));
            stranger.assertClosed();
        }
        RawCaller again = raw().send(RawCaller.hello(authenticatedHello("nn/localhost")));
        again.readType();
        again.send(RawCaller.hello(authenticatedHello("nn/localhost"))).assertClosed();
        assertThat(node.accepted).hasValue(0);
        assertThat(performed).isEmpty();
    }

    @Test
    void rejectsTruncatedAlteredReplayedAndForgedTokens() throws Exception {
        serve();
        Hello good = authenticatedHello("nn/localhost");
        byte[] token = good.credentials().toByteArray();
        for (int length : new int[] {0, 1, 20, token.length / 2, token.length - 1}) {
            assertThat(refusalOf(Arrays.copyOf(token, length))).contains("could not authenticate");
        }
        for (int at : new int[] {0, 10, token.length / 3, token.length - 20}) {
            byte[] changed = token.clone();
            changed[at] ^= 0x20;
            assertThat(refusalOf(changed)).contains("could not authenticate");
        }
        assertThat(refusalOf(new byte[70_000])).contains("could not authenticate");

        RawCaller first = raw().send(RawCaller.hello(good));
        byte[] challenge = first.readFrame();
        assertThat(challenge[1]).isEqualTo(MessageType.CHALLENGE.code());
        assertThat(refusalOf(token)).as("the same token again").contains("could not authenticate");
        // What the node says, said to itself.
        byte[] reflected = Arrays.copyOfRange(challenge, 14, challenge.length);
        assertThat(refusalOf(reflected)).contains("could not authenticate");
        first.send(frame(MessageType.RESPONSE, reflected));
        assertThat(text(first.readFrame())).contains("could not authenticate");
        first.assertClosed();

        RawCaller giant = raw().send(ByteBuffer.allocate(4).putInt(80_000).array());
        giant.assertClosed();
        assertThat(server.refusals().count(RefusalCause.GIANT_FRAME)).isEqualTo(1);
        assertThat(node.accepted).hasValue(0);
    }

    @Test
    void endlessEmptyResponsesDoNotAuthenticateCaller() throws Exception {
        serve();
        RawCaller stranger = raw().send(RawCaller.hello(authenticatedHello("nn/localhost")));
        byte[] heard = stranger.readFrame();
        int rounds = 0;
        while (heard[1] == MessageType.CHALLENGE.code()) {
            rounds++;
            stranger.send(frame(MessageType.RESPONSE, new byte[0]));
            heard = stranger.readFrame();
        }
        assertThat(heard[1]).isEqualTo(MessageType.REFUSAL.code());
        assertThat(rounds).isLessThanOrEqualTo(4);
        assertThat(node.accepted).hasValue(0);
    }

    @Test
    void detectsHelloAlteredInTransit() throws Exception {
        conf.set("hadoop.rpc.protection", "integrity");
        serve();
        // "ns1" is the journal: the same rights there, and another log.
        WireTap relay = relay((index, words) -> List.of(index == 0 ? replace(words, "ns1", "ns2") : words));

        connect("nn/localhost", conf, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("refused").contains("changed on its way");
    }

    private RawCaller raw() throws IOException {
        RawCaller raw = new RawCaller(server.boundAddress());
        open.push(raw);
        return raw;
    }

    private String refusalOf(byte[] token) throws IOException {
        RawCaller stranger = raw().send(RawCaller.hello(Samples.hello(CallerRole.WRITER)
                .withAuthentication(KerberosAuthentication.MECHANISM, Bytes.wrap(token))));
        byte[] answer = stranger.readFrame();
        assertThat(answer[1]).isEqualTo(MessageType.REFUSAL.code());
        stranger.assertClosed();
        return text(answer);
    }

    private static byte[] replace(byte[] words, String from, String to) {
        String text = new String(words, StandardCharsets.ISO_8859_1);
        int at = text.indexOf(from);
        assertThat(at).isPositive();
        byte[] changed = words.clone();
        System.arraycopy(to.getBytes(StandardCharsets.ISO_8859_1), 0, changed, at, to.length());
        return changed;
    }

    private static String text(byte[] frame) {
        return new String(frame, StandardCharsets.UTF_8);
    }
}
