/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.RawCaller;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.MessageType;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.codec.field.RefusalCause;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import javax.security.sasl.Sasl;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is sent after the proof: each quality of protection, and what an attacker in the middle makes of it. */
class KerberosProtectionTest extends KerberosCallers {
    private static final int LARGE = 300_000;

    @ParameterizedTest
    @ValueSource(strings = {"authentication", "integrity", "privacy"})
    void nameNodeWritesAndReadsWithEveryProtectionQuality(String protection) throws Exception {
        conf.set("hadoop.rpc.protection", protection);
        node.turn = requests -> requests.forEach(one ->
                one.answer(EntriesReply.of(Samples.NODE, List.of(Samples.entry(1, LARGE), Samples.entry(2, 10)), 2)));
        serve();
        WireTap relay = relay((index, words) -> List.of(words));
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("up");
        assertThat(request(link, Samples.append(1, LARGE)))
                .isInstanceOfSatisfying(EntriesReply.class, reply -> assertThat(reply.entries())
                        .containsExactly(Samples.entry(1, LARGE), Samples.entry(2, 10)));
        assertThat(request(link, Samples.append(2))).isInstanceOf(EntriesReply.class);

        boolean isReadable = relay.said.stream().skip(3).anyMatch(KerberosProtectionTest::isAppend);
        assertThat(isReadable).isEqualTo(protection.equals("authentication"));
    }

    private static boolean isAppend(byte[] words) {
        return words[0] == 1 && words[1] == MessageType.APPEND.code();
    }

    @Test
    void callersFirstCommonProtectionWins() throws Exception {
        conf.set("hadoop.rpc.protection", "authentication,privacy");
        serve();
        Configuration wantsMore = new Configuration(false);
        wantsMore.set("hadoop.rpc.protection", "privacy,authentication");
        WireTap relay = relay((index, words) -> List.of(words));

        Link link = connect("nn/localhost", wantsMore, CallerRole.WRITER, relay.address());

        assertThat(caller.next()).startsWith("up");
        request(link, Samples.append(1));
        assertThat(relay.said.stream().anyMatch(KerberosProtectionTest::isAppend))
                .isFalse();
    }

    /** NameNodes have both so that clients choose; what a client sent encrypted must not be forwarded readable. */
    @Test
    void forwarderPrefersStrongestCommonProtection() throws Exception {
        conf.set("hadoop.rpc.protection", "authentication,privacy,integrity");
        serve();
        WireTap relay = relay((index, words) -> List.of(words));
        NettyTransport transport = NettyTransport.start(
                "forwarder", authentication("nn/localhost", conf, "nn/_HOST").withStrongestProtection());
        open.push(transport);
        Link link = transport.connect(Samples.addressOf(relay.address()), Samples.hello(CallerRole.WRITER), caller);
        transports.put(link, transport);

        assertThat(caller.next()).startsWith("up");
        request(link, Samples.append(1));
        assertThat(relay.said.stream().anyMatch(KerberosProtectionTest::isAppend))
                .isFalse();
        assertThat(SaslProtection.sortStrongestFirst(Map.of(Sasl.QOP, "auth, auth-int")))
                .containsExactly(Map.entry(Sasl.QOP, "auth-int,auth"));
    }

    @Test
    void rejectsSessionWithoutCommonProtection() throws Exception {
        conf.set("hadoop.rpc.protection", "authentication");
        serve();
        Configuration wantsMore = new Configuration(false);
        wantsMore.set("hadoop.rpc.protection", "privacy");

        connect("nn/localhost", wantsMore, CallerRole.WRITER, server.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("No common protection layer");
        assertThat(node.accepted).hasValue(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"change", "repeat", "leave out", "cut", "exchange", "plain"})
    void tamperedProtectedMessageClosesConnection(String modification) throws Exception {
        conf.set("hadoop.rpc.protection", modification.equals("plain") ? "privacy" : "integrity");
        serve();
        // A hello and two responses come first.
        byte[][] held = new byte[2][];
        WireTap relay = relay((index, words) -> {
            if (index == 3 || index == 4) {
                held[index - 3] = words;
            }
            if (index < 4) {
                return List.of(words);
            }
            return switch (modification) {
                case "change" -> List.of(alter(words));
                case "repeat" -> List.of(held[0], words);
                case "leave out" -> index == 4 ? List.of() : List.of(words);
                case "cut" -> List.of(Arrays.copyOf(words, words.length - 1));
                case "exchange" -> index == 4 ? List.of() : List.of(words, held[1]);
                default -> List.of(withoutLength(RawCaller.request(9, Samples.append(9))));
            };
        });
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());
        assertThat(caller.next()).startsWith("up");
        request(link, Samples.append(1));

        transportOf(link).execute(() -> {
            link.send(Samples.append(2));
            link.send(Samples.append(3));
            link.flush();
        });

        assertThat(caller.next()).startsWith("down");
        await().untilAsserted(() ->
                assertThat(server.refusals().count(RefusalCause.PROTECTION)).isEqualTo(1));
        assertThat(performed).contains(Samples.append(1)).doesNotContain(Samples.append(9));
        assertThat(performed.stream().filter(Samples.append(1)::equals)).hasSize(1);
    }

    private static byte[] withoutLength(byte[] frame) {
        return Arrays.copyOfRange(frame, 4, frame.length);
    }

    @Test
    void rejectsOversizedForgedMessage() throws Exception {
        conf.set("hadoop.rpc.protection", "privacy");
        serve();
        WireTap relay = relay((index, words) -> index < 3 ? List.of(words) : List.of(new byte[100_000]));
        Link link = connect("nn/localhost", conf, CallerRole.WRITER, relay.address());
        assertThat(caller.next()).startsWith("up");

        transportOf(link).execute(() -> {
            link.send(Samples.append(1));
            link.flush();
        });

        assertThat(caller.next()).startsWith("down");
        await().untilAsserted(() ->
                assertThat(server.refusals().count(RefusalCause.GIANT_FRAME)).isEqualTo(1));
    }
}
