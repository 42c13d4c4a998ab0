/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Hello.CallerRole;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.TestCaller;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.Identity;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.authentication.Protection;
import io.trefoil.journal.transport.client.NettyTransport;
import io.trefoil.journal.transport.codec.Samples;
import io.trefoil.journal.transport.server.NettyPoolServer;
import io.trefoil.journal.transport.server.ServerLimits;
import io.trefoil.journal.transport.tls.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Pool nodes prove who they are, too. */
class KerberosNodeTest extends KerberosCallers {
    @Test
    void callerRejectsUnauthenticatedNode() throws Exception {
        NettyPoolServer impostor = NettyPoolServer.start(
                "localhost",
                0,
                node,
                AccessController.OPEN,
                impostorAuthentication(),
                ServerLimits.USUAL,
                TlsSettings.OFF);
        open.push(impostor);

        connect("nn/localhost", conf, CallerRole.WRITER, impostor.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("without having authenticated itself");
    }

    @Test
    void callerRejectsNodeWithWrongPrincipal() throws Exception {
        NettyPoolServer other = NettyPoolServer.start(
                "localhost",
                0,
                node,
                AccessController.OPEN,
                authentication("dn/localhost", conf, "dn/_HOST"),
                ServerLimits.USUAL,
                TlsSettings.OFF);
        open.push(other);

        connect("nn/localhost", conf, CallerRole.WRITER, other.boundAddress());

        assertThat(caller.next()).startsWith("refused").contains("could not authenticate");
        assertThat(node.accepted).hasValue(0);
    }

    /** A writer ends when it hears that its journal is no more (rule R11). */
    @Test
    void callerAcceptsDifferentIncarnationOnlyFromAuthenticatedNode() throws Exception {
        Stranger ofImpostor = new Stranger();
        node.doorman = hello -> {
            throw new SessionRefusedException(
                    SessionRefusedException.Reason.WRONG_CLUSTER, "another", Optional.of(Incarnation.of(7, 7)));
        };
        NettyPoolServer impostor = NettyPoolServer.start(
                "localhost",
                0,
                node,
                AccessController.OPEN,
                impostorAuthentication(),
                ServerLimits.USUAL,
                TlsSettings.OFF);
        open.push(impostor);
        connect("nn/localhost", conf, CallerRole.WRITER, impostor.boundAddress(), ofImpostor);
        assertThat(ofImpostor.next()).isEqualTo("refused another");
        assertThat(ofImpostor.heard).isEmpty();

        Stranger ofNode = new Stranger();
        serve();
        connect("nn/localhost", conf, CallerRole.WRITER, server.boundAddress(), ofNode);
        assertThat(ofNode.next()).isEqualTo("refused another");
        assertThat(ofNode.heard).containsOnly(Incarnation.of(7, 7));
        assertThat(ofImpostor.heard).isEmpty();
    }

    /** Hears which incarnation a node keeps, each time that it is refused. */
    private static final class Stranger extends TestCaller {
        private final List<Incarnation> heard = new CopyOnWriteArrayList<>();

        @Override
        public void onForeignIncarnation(Link link, Incarnation keptIncarnation) {
            heard.add(keptIncarnation);
        }
    }

    @Test
    void explainsKerberosMismatchToBothSides() throws Exception {
        serve();
        NettyTransport plain = NettyTransport.start("plain");
        open.push(plain);
        plain.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), caller);
        assertThat(caller.next()).startsWith("refused").contains("GSSAPI", "hadoop.security.authentication");

        NettyPoolServer open =
                NettyPoolServer.start("localhost", 0, node, AccessController.OPEN, ServerLimits.USUAL, TlsSettings.OFF);
        this.open.push(open);
        TestCaller kerberised = new TestCaller();
        connect("nn/localhost", conf, CallerRole.READER, open.boundAddress(), kerberised);
        assertThat(kerberised.next()).startsWith("refused").contains("NONE", "hadoop.security.authentication");
    }

    @Test
    void processWithUnexpectedPrincipalCannotBecomeNode() {
        assertThatThrownBy(() ->
                        authentication("dn/localhost", conf, "nn/_HOST").wrapAccessController(AccessController.OPEN))
                .hasMessageContaining(kdc.principal("nn/_HOST"))
                .hasMessageContaining(kdc.principal("dn/localhost"));
    }

    @Test
    void nodeWithOwnPrincipalServesNameNodesAndReadsOthers() throws Exception {
        KerberosAuthentication authentication = authentication("ssp/localhost", conf, "ssp/_HOST");
        server = serve(authentication);
        TestCaller standAlone = new TestCaller();
        NettyTransport transport = NettyTransport.start("node", authentication);
        open.push(transport);
        transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.READER), standAlone);
        assertThat(standAlone.next()).startsWith("up");
        TestCaller writer = new TestCaller();
        transport.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.WRITER), writer);
        assertThat(writer.next()).contains("no right to WRITE");

        NettyTransport nameNode = NettyTransport.start("nn", authentication("nn/localhost", conf, "ssp/_HOST"));
        open.push(nameNode);
        nameNode.connect(Samples.addressOf(server.boundAddress()), Samples.hello(CallerRole.WRITER), caller);
        assertThat(caller.next()).startsWith("up");
    }

    @Test
    void nodeWithOwnPrincipalJoinsOnlyAsItself() throws Exception {
        NodeAddress address = NodeAddress.of("localhost", 8487);
        PoolRequest join = ChangeMembersRequest.of(MemberChange.join("t1", address));
        PoolRequest joinAnother = ChangeMembersRequest.of(MemberChange.join("t2", NodeAddress.of("localhost", 8488)));
        KerberosAuthentication authentication = authentication("ssp/localhost", conf, "ssp/_HOST");
        server = serve(authentication);

        Link honest = connectNode(authentication, address, caller);
        assertThat(caller.next()).startsWith("up");
        assertThat(request(honest, joinAnother)).isInstanceOf(FailedReply.class);
        assertThat(request(honest, join)).isNotInstanceOf(FailedReply.class);
        assertThat(performed).containsExactly(join);

        connectNode(authentication, NodeAddress.of("nowhere.invalid", 8487), caller);
        assertThat(caller.next()).startsWith("up");
        Link lying = connectNode(authentication, NodeAddress.of("192.0.2.1", 8487), caller);
        assertThat(caller.next()).startsWith("up");
        assertThat(request(lying, ChangeMembersRequest.of(MemberChange.join("t3", NodeAddress.of("192.0.2.1", 8487)))))
                .isInstanceOfSatisfying(
                        FailedReply.class, failed -> assertThat(failed.reason()).contains("no right to JOIN"));
        assertThat(performed).containsExactly(join);
    }

    private Link connectNode(KerberosAuthentication authentication, NodeAddress address, TestCaller listener) {
        NettyTransport transport = NettyTransport.start("node", authentication);
        open.push(transport);
        Hello hello = Hello.of(Samples.JOURNAL, Samples.NAMESPACE, CallerRole.READER, "node", Optional.of(address));
        Link link = transport.connect(Samples.addressOf(server.boundAddress()), hello, listener);
        transports.put(link, transport);
        return link;
    }

    /** Says that nothing is to be proved, in the name of Kerberos. */
    private static Authentication impostorAuthentication() {
        return new Authentication() {
            @Override
            public String mechanism() {
                return KerberosAuthentication.MECHANISM;
            }

            @Override
            public AuthenticationExchange beginAsCaller(InetAddress calledAddress) throws IOException {
                return NONE.beginAsCaller(calledAddress);
            }

            @Override
            public AuthenticationExchange beginAsNode(InetAddress from) throws IOException {
                return new TrustingAuthentication();
            }

            @Override
            public AccessController wrapAccessController(AccessController byAddress) {
                return byAddress;
            }
        };
    }

    /** Believes everything at once. */
    private static final class TrustingAuthentication implements AuthenticationExchange {
        @Override
        public Bytes process(Bytes message) {
            return Bytes.EMPTY;
        }

        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public Identity peer() {
            return Identity.of(Identity.Kind.PRINCIPAL, "anybody", Set.of());
        }

        @Override
        public Optional<Protection> protection() {
            return Optional.empty();
        }

        @Override
        public void close() {}
    }
}
