/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.pool.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.trefoil.foundation.TestPorts;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Link;
import io.trefoil.journal.transport.LinkListener;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.access.AccessController;
import io.trefoil.journal.transport.access.AccessRight;
import io.trefoil.journal.transport.access.AccessSettings;
import io.trefoil.journal.transport.access.Caller;
import io.trefoil.journal.transport.access.CallerCredentials;
import io.trefoil.journal.transport.authentication.Authentication;
import io.trefoil.journal.transport.authentication.AuthenticationExchange;
import io.trefoil.journal.transport.client.NettyTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that is told that the cluster has other NameNodes judges those who call from then on by that. */
class AccessRulesReloadTest {
    @TempDir
    Path directory;

    private final NodeAddress address = NodeAddress.of("127.0.0.1", TestPorts.free());
    private final NettyTransport transport = NettyTransport.start("caller");
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final List<Link> links = new ArrayList<>();
    private PoolNode node;

    @BeforeEach
    void start() throws IOException {
        node = PoolNode.start(NodeSettings.builder()
                .address(address)
                .bindHost("127.0.0.1")
                .directory(directory)
                .logFileBytes(64 << 10)
                .build());
    }

    @AfterEach
    void stop() throws IOException {
        links.forEach(Link::close);
        transport.close();
        node.close();
    }

    @Test
    void newRulesApplyToNewCallersOnly() throws Exception {
        call("first");
        await().until(() -> heard.contains("first is in"));

        node.replaceAccess(AccessSettings.MEMBERS_ONLY, new GuardedAuthentication(new DenyingAccessController()));
        call("second");
        await().until(() -> heard.contains("second is refused: closed"));

        node.replaceAccess(AccessSettings.MEMBERS_ONLY, Authentication.NONE);
        call("third");
        await().until(() -> heard.contains("third is in"));
        assertThat(heard).noneMatch(word -> word.startsWith("first is down"));
    }

    /** As the host of a pool node that is no longer a member. */
    @Test
    void revokedRightsEndWithinOpenSession() throws Exception {
        ChangingAccessController door = new ChangingAccessController();
        node.replaceAccess(AccessSettings.MEMBERS_ONLY, new GuardedAuthentication(door));
        call("first");
        await().until(() -> heard.contains("first is in"));
        Link link = links.get(0);
        sendRequest(link);
        await().until(() -> heard.contains("first is answered"));

        door.edition = new Object();
        sendRequest(link);
        await().until(() ->
                heard.stream().anyMatch(word -> word.startsWith("first fails: anybody has no right to READ")));
        assertThat(heard).filteredOn("first is answered"::equals).hasSize(1);
    }

    /** Those who are not expected share a few places. */
    @Test
    void newestRulesDecideExpectedCallers() throws Exception {
        ChangingAccessController door = new ChangingAccessController();
        node.replaceAccess(AccessSettings.MEMBERS_ONLY, new GuardedAuthentication(door));
        call("first");
        await().until(() -> heard.contains("first is in"));
        assertThat(door.askedAbout).containsExactly(InetAddress.getByName("127.0.0.1"));
    }

    private void sendRequest(Link link) {
        transport.schedule(
                () -> {
                    link.send(StatusRequest.create());
                    link.flush();
                },
                Duration.ZERO);
    }

    /** Who comes in has all rights, until the door changes its mind. */
    private static final class ChangingAccessController implements AccessController {
        private final Object first = new Object();
        private volatile Object edition = first;
        private final Set<InetAddress> askedAbout = ConcurrentHashMap.newKeySet();

        @Override
        public boolean expectsCallsFrom(InetAddress from) {
            askedAbout.add(from);
            return true;
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            return CompletableFuture.completedFuture(Caller.of("anybody", EnumSet.allOf(AccessRight.class)));
        }

        @Override
        public Object rightsVersion() {
            return edition;
        }

        @Override
        public Caller recheck(Hello hello, CallerCredentials credentials, Caller admitted) {
            return edition == first ? admitted : admitted.withoutRights();
        }
    }

    @Test
    void keepsRulesWhenProcessCannotAuthenticateAsNode() {
        assertThatThrownBy(() -> node.replaceAccess(AccessSettings.MEMBERS_ONLY, new GuardedAuthentication(null)))
                .isInstanceOf(IOException.class)
                .hasMessage("no login");

        call("first");
        await().until(() -> heard.contains("first is in"));
    }

    private void call(String name) {
        Hello hello =
                Hello.of(JournalId.of("journal"), NamespaceId.UNKNOWN, Hello.CallerRole.READER, name, Optional.empty());
        links.add(transport.connect(address, hello, new Listener(name)));
    }

    /** No caller comes in. */
    private static final class DenyingAccessController implements AccessController {
        @Override
        public boolean expectsCallsFrom(InetAddress from) {
            return true;
        }

        @Override
        public CompletionStage<Caller> admit(Hello hello, CallerCredentials credentials) {
            CompletableFuture<Caller> refused = new CompletableFuture<>();
            refused.completeExceptionally(
                    new SessionRefusedException(SessionRefusedException.Reason.FORBIDDEN, "closed"));
            return refused;
        }
    }

    /** Proves nothing, and has a accessController of its own; no login if that is null. */
    private record GuardedAuthentication(AccessController ownController) implements Authentication {
        @Override
        public String mechanism() {
            return NONE.mechanism();
        }

        @Override
        public AuthenticationExchange beginAsCaller(InetAddress calledAddress) throws IOException {
            return NONE.beginAsCaller(calledAddress);
        }

        @Override
        public AuthenticationExchange beginAsNode(InetAddress from) throws IOException {
            return NONE.beginAsNode(from);
        }

        @Override
        public AccessController wrapAccessController(AccessController byAddress) throws IOException {
            if (ownController == null) {
                throw new IOException("no login");
            }
            return ownController;
        }
    }

    /** What a caller hears. */
    private final class Listener implements LinkListener {
        private final String name;

        Listener(String name) {
            this.name = name;
        }

        @Override
        public void onUp(Link link, Welcome answer) {
            heard.add(name + " is in");
        }

        @Override
        public void onDown(Link link, String reason) {
            heard.add(name + " is down: " + reason);
        }

        @Override
        public void onRefused(Link link, String reason) {
            heard.add(name + " is refused: " + reason);
        }

        @Override
        public void onReply(Link link, PoolRequest request, PoolReply reply, long sentNanos) {
            heard.add(
                    reply instanceof FailedReply failed ? name + " fails: " + failed.reason() : name + " is answered");
        }

        @Override
        public void onReadCompleted(Link link) {}
    }
}
