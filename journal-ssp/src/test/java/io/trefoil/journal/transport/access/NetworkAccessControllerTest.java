/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.codec.Samples;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whom a node trusts by address, and how it finds out. */
class NetworkAccessControllerTest {
    private static final Hello HELLO = Samples.hello(Hello.CallerRole.READER);
    private static final Set<AccessRight> ALL = EnumSet.allOf(AccessRight.class);

    /** Of a network that has no owner: those of examples are given to containers, and its own host is always let in. */
    private final Map<String, String> names = new ConcurrentHashMap<>(Map.of("nn1", "240.0.0.1", "nn2", "240.0.0.2"));

    private final Set<String> members = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lookups = new AtomicInteger();
    private final AtomicLong now = new AtomicLong();
    private final CountDownLatch nameServer = new CountDownLatch(1);
    private NetworkAccessController accessController;

    @AfterEach
    void close() {
        nameServer.countDown();
        accessController.close();
    }

    @Test
    void grantsAllRightsToConfiguredHostsAndMembers() throws Exception {
        members.add("nn2");
        start(Set.of("nn1"));

        assertThat(admit("240.0.0.1").rights()).isEqualTo(ALL);
        assertThat(admit("240.0.0.2").rights()).isEqualTo(ALL);
        assertThat(refusal("240.0.0.3"))
                .contains("240.0.0.3", "networks.operators", "networks.nodes")
                .doesNotContain("240.0.0.1");
    }

    @Test
    void grantsAllRightsToLocalHost() throws Exception {
        start(Set.of());

        assertThat(admit("127.0.0.1").rights()).isEqualTo(ALL);
        for (NetworkInterface one : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress own : Collections.list(one.getInetAddresses())) {
                assertThat(admit(own.getHostAddress()).rights()).isEqualTo(ALL);
            }
        }
    }

    @Test
    void nodeNetworksGetAllRightsAndOperatorNetworksFewer() throws Exception {
        start(AccessSettings.of(Set.of(), Networks.parse("198.51.100.0/24"), Networks.parse("203.0.113.0/24")));

        assertThat(admit("198.51.100.7").rights()).isEqualTo(ALL);
        assertThat(admit("203.0.113.7").rights()).containsExactly(AccessRight.READ, AccessRight.ADMINISTER);
        assertThat(accessController.expectsCallsFrom(InetAddress.getByName("203.0.113.7")))
                .isTrue();
        assertThat(accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.9")))
                .isFalse();
    }

    @Test
    void admitsNewMemberAndForgetsRemovedOne() throws Exception {
        start(Set.of("nn1"));
        refusal("240.0.0.2");

        members.add("nn2");
        advance(1);
        assertThat(admit("240.0.0.2").rights()).isEqualTo(ALL);

        members.remove("nn2");
        advance(31);
        admit("240.0.0.1");
        advance(1);
        refusal("240.0.0.3");
        assertThat(refusal("240.0.0.2")).contains("240.0.0.2");
    }

    @Test
    void removedMemberLosesRightsInOpenSession() throws Exception {
        members.add("nn2");
        start(Set.of("nn1"));
        Caller admitted = admit("240.0.0.2");
        Object edition = accessController.rightsVersion();
        triggerLookup();
        assertThat(accessController.rightsVersion()).as("nothing has changed").isSameAs(edition);

        members.remove("nn2");
        triggerLookup();
        assertThat(accessController.rightsVersion()).isNotSameAs(edition);
        assertThat(readmit("240.0.0.2", admitted).rights()).isEmpty();

        members.add("nn2");
        triggerLookup();
        assertThat(readmit("240.0.0.2", admitted).rights()).isEqualTo(ALL);
    }

    /** Its name stays, so only the addresses say that something has changed. */
    @Test
    void hostChangingAddressLosesRightsInOpenSession() throws Exception {
        members.add("nn2");
        start(Set.of("nn1"));
        Caller admitted = admit("240.0.0.2");
        triggerLookup();
        Object edition = accessController.rightsVersion();

        names.put("nn2", "240.0.0.7");
        triggerLookup();

        assertThat(accessController.rightsVersion()).isNotSameAs(edition);
        assertThat(readmit("240.0.0.2", admitted).rights()).isEmpty();
    }

    /** It never had an address, so only the names say that something has changed. */
    @Test
    void removedMemberLosesCertificateRightsInOpenSession() throws Exception {
        members.add("nowhere");
        start(Set.of("nn1"));
        admit("240.0.0.1");
        Caller admitted = admitWithCertificate("240.0.0.1", "nowhere");
        assertThat(admitted.rights()).isEqualTo(ALL);
        triggerLookup();
        Object edition = accessController.rightsVersion();

        members.remove("nowhere");
        triggerLookup();

        assertThat(accessController.rightsVersion()).isNotSameAs(edition);
        assertThat(accessController
                        .recheck(HELLO, credentials("240.0.0.1", "nowhere"), admitted)
                        .rights())
                .isEmpty();
    }

    @Test
    void changedSettingsApplyToOpenSessions() throws Exception {
        start(Set.of("nn1", "nn2"));
        Caller admitted = admit("240.0.0.2");
        Object edition = accessController.rightsVersion();

        accessController.replaceSettings(AccessSettings.of(Set.of("nn1", "nn2"), Networks.NONE, Networks.NONE)
                .withWriters(PermittedWriters.of(Map.of(HELLO.journal(), Set.of("nn1")))));

        assertThat(accessController.rightsVersion()).isNotSameAs(edition);
        assertThat(readmit("240.0.0.2", admitted).rights())
                .containsExactly(AccessRight.READ, AccessRight.JOIN, AccessRight.ADMINISTER);
        assertThat(readmit("240.0.0.1", admit("240.0.0.1")).rights()).isEqualTo(ALL);
    }

    @Test
    void unresponsiveNameServerDoesNotRevokeRightsInOpenSessions() throws Exception {
        start(Set.of("nn1"));
        Caller admitted = admit("240.0.0.1");

        names.remove("nn1");
        triggerLookup();

        assertThat(readmit("240.0.0.1", admitted).rights()).isEqualTo(ALL);
    }

    private Caller readmit(String address, Caller admitted) throws Exception {
        return accessController.recheck(HELLO, CallerCredentials.from(InetAddress.getByName(address)), admitted);
    }

    /** Has a stranger call, who is refused once names have been looked up. */
    private void triggerLookup() throws Exception {
        advance(1);
        refusal("240.0.0.3");
    }

    @Test
    void removedMemberIsForgottenWithoutCalls() throws Exception {
        members.add("nn2");
        start(AccessSettings.MEMBERS_ONLY, Duration.ofMillis(10));
        await().until(() -> accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.2")));

        names.put("nn2", "240.0.0.7");
        await().until(() -> !accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.2")));
        assertThat(accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.7")))
                .isTrue();

        members.remove("nn2");
        await().until(() -> !accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.7")));
    }

    @Test
    void changedSettingsReplaceTrustedHosts() throws Exception {
        start(Set.of("nn1"));
        assertThat(admit("240.0.0.1").rights()).isEqualTo(ALL);
        refusal("240.0.0.2");

        advance(1);
        accessController.replaceSettings(AccessSettings.of(Set.of("nn2"), Networks.NONE, Networks.NONE));

        assertThat(admit("240.0.0.2").rights()).isEqualTo(ALL);
        assertThat(refusal("240.0.0.1")).contains("240.0.0.1");
    }

    @Test
    void unresolvedNameKeepsItsAddresses() throws Exception {
        start(Set.of("nn1"));
        admit("240.0.0.1");

        names.remove("nn1");
        advance(1);
        refusal("240.0.0.3");

        assertThat(admit("240.0.0.1").rights()).isEqualTo(ALL);
    }

    @Test
    void unknownCallersTriggerAtMostOneLookupPerSecond() throws Exception {
        start(Set.of("nn1"));
        refusal("240.0.0.3");
        int before = lookups.get();

        for (int i = 0; i < 100; i++) {
            refusal("240.0.0.3");
        }

        assertThat(lookups).hasValue(before);
    }

    @Test
    void knownCallerSkipsHungNameServer() throws Exception {
        members.add("hangs");
        start(AccessSettings.of(Set.of(), Networks.parse("198.51.100.0/24"), Networks.NONE));

        assertThat(admit("198.51.100.7").rights()).isEqualTo(ALL);
        assertThat(accessController
                        .admit(HELLO, CallerCredentials.from(InetAddress.getByName("240.0.0.1")))
                        .toCompletableFuture())
                .isNotDone();
    }

    @Test
    void limitsUnknownCallersWaitingForHungNameServer() throws Exception {
        members.add("hangs");
        start(Set.of());

        List<CompletableFuture<Caller>> strangers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            strangers.add(accessController
                    .admit(HELLO, CallerCredentials.from(InetAddress.getByName("240.0.0.3")))
                    .toCompletableFuture());
        }

        assertThat(strangers.stream().filter(stranger -> !stranger.isDone()))
                .hasSize(NetworkAccessController.MAX_WAITING_CALLERS);
        nameServer.countDown();
        await().until(() -> strangers.stream().allMatch(CompletableFuture::isCompletedExceptionally));
    }

    @Test
    void hungNameLookupDoesNotBlockOtherHosts() throws Exception {
        members.add("hangs");
        start(Set.of("nn1"));

        await().until(() -> accessController.expectsCallsFrom(InetAddress.getByName("240.0.0.1")));

        assertThat(admit("240.0.0.1").rights()).isEqualTo(ALL);
    }

    @Test
    void onlyNameNodesOfJournalGetWriteRight() throws Exception {
        members.add("nn2");
        start(AccessSettings.of(Set.of("nn1"), Networks.parse("198.51.100.0/24"), Networks.NONE)
                .withWriters(PermittedWriters.of(Map.of(HELLO.journal(), Set.of("nn1")))));

        assertThat(admit("240.0.0.1").rights()).isEqualTo(ALL);
        assertThat(admit("127.0.0.1").rights()).isEqualTo(ALL);
        assertThat(admit("198.51.100.7").rights()).isEqualTo(ALL);
        Caller other = admit("240.0.0.2");
        assertThat(other.rights()).containsExactly(AccessRight.READ, AccessRight.JOIN, AccessRight.ADMINISTER);
        assertThat(other.refusalOf(Hello.CallerRole.READER)).isEmpty();
        assertThat(other.refusalOf(Hello.CallerRole.WRITER).orElseThrow())
                .contains("240.0.0.2", "no right to WRITE", "[nn1]", "trefoil.journal.writers");
    }

    /** As at the start of all hosts: a member's name has an answer, and that of the NameNode there not yet. */
    @Test
    void unresolvedWriterIsNotMistakenForDifferentHost() throws Exception {
        names.put("member", "240.0.0.5");
        start(AccessSettings.of(Set.of("member"), Networks.NONE, Networks.NONE)
                .withWriters(PermittedWriters.of(Map.of(HELLO.journal(), Set.of("late")))));
        assertThat(admit("240.0.0.5").rights()).doesNotContain(AccessRight.WRITE);

        names.put("late", "240.0.0.5");
        assertThat(admit("240.0.0.5").rights()).as("looked a moment ago").doesNotContain(AccessRight.WRITE);
        advance(1);
        assertThat(admit("240.0.0.5").rights()).as("for reading, and for calls").isEqualTo(ALL);

        names.put("late", "240.0.0.6");
        advance(1);
        refusal("240.0.0.3");
        Caller reader = admit("240.0.0.5");
        assertThat(reader.rights()).doesNotContain(AccessRight.WRITE);
        names.put("late", "240.0.0.5");
        advance(1);
        assertThat(admit("240.0.0.5", Samples.hello(Hello.CallerRole.WRITER)).rights())
                .isEqualTo(ALL);
    }

    @Test
    void allClusterHostsWriteJournalWithUnknownNameNodes() throws Exception {
        start(AccessSettings.of(Set.of("nn1", "nn2"), Networks.NONE, Networks.NONE)
                .withWriters(PermittedWriters.of(Map.of(JournalId.of("other"), Set.of("nn1")))));

        assertThat(admit("240.0.0.2").rights()).isEqualTo(ALL);
    }

    @Test
    void certificateWritesOnlyJournalsOfItsHost() throws Exception {
        start(AccessSettings.of(Set.of("nn1", "nn2"), Networks.NONE, Networks.NONE)
                .withCertificates(Set.of("late"), Set.of())
                .withWriters(PermittedWriters.of(Map.of(HELLO.journal(), Set.of("NN1.")))));
        admit("240.0.0.1");

        assertThat(admitWithCertificate("240.0.0.1", "nn1").rights()).isEqualTo(ALL);
        for (String other : List.of("nn2", "late")) {
            assertThat(admitWithCertificate("127.0.0.1", other).rights())
                    .as(other)
                    .containsExactly(AccessRight.READ, AccessRight.JOIN, AccessRight.ADMINISTER);
        }
    }

    private Caller admitWithCertificate(String address, String host) throws Exception {
        return accessController
                .admit(HELLO, credentials(address, host))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private static CallerCredentials credentials(String address, String host) throws UnknownHostException {
        Identity certificate = Identity.of(Identity.Kind.CERTIFICATE, "CN=" + host, Set.of(host));
        return CallerCredentials.from(InetAddress.getByName(address)).withIdentity(certificate);
    }

    private void start(Set<String> hosts) {
        start(AccessSettings.of(hosts, Networks.NONE, Networks.NONE));
    }

    private void start(AccessSettings settings) {
        start(settings, Duration.ofHours(1));
    }

    private void start(AccessSettings settings, Duration interval) {
        accessController = new NetworkAccessController(
                "nn1:8487", settings, () -> Set.copyOf(members), this::lookUp, now::get, interval);
    }

    @Test
    void startingProcessAdmitsRememberedMembersWithoutNames() throws Exception {
        names.clear();
        Map<String, List<InetAddress>> earlierAddresses = Map.of("nn1", List.of(InetAddress.getByName("240.0.0.1")));
        accessController = new NetworkAccessController(
                "nn1:8487",
                AccessSettings.of(Set.of("nn1"), Networks.NONE, Networks.NONE),
                Set::of,
                namesRemembering(earlierAddresses, new CopyOnWriteArrayList<>()),
                now::get,
                Duration.ofHours(1));

        admit("240.0.0.1");
    }

    @Test
    void knownMembersDoNotAwaitHungNameLookups() throws Exception {
        Map<String, List<InetAddress>> earlierAddresses = Map.of("nn1", List.of(InetAddress.getByName("240.0.0.1")));
        accessController = new NetworkAccessController(
                "nn1:8487",
                AccessSettings.of(Set.of("hangs", "nn1"), Networks.NONE, Networks.NONE),
                Set::of,
                namesRemembering(earlierAddresses, new CopyOnWriteArrayList<>()),
                now::get,
                Duration.ofHours(1));

        admit("240.0.0.1");
        nameServer.countDown();
    }

    @Test
    void savesChangedAddressesForLaterProcess() throws Exception {
        List<Map<String, List<InetAddress>>> keptAddresses = new CopyOnWriteArrayList<>();
        accessController = new NetworkAccessController(
                "nn1:8487",
                AccessSettings.of(Set.of("nn1"), Networks.NONE, Networks.NONE),
                Set::of,
                namesRemembering(Map.of(), keptAddresses),
                now::get,
                Duration.ofMillis(5));
        await().until(() -> lookups.get() > 3);
        assertThat(keptAddresses).hasSize(1);

        names.put("nn1", "240.0.0.7");
        await().until(() -> keptAddresses.size() == 2);
        assertThat(keptAddresses.get(1)).containsEntry("nn1", List.of(InetAddress.getByName("240.0.0.7")));
    }

    private NetworkAccessController.Names namesRemembering(
            Map<String, List<InetAddress>> earlierAddresses, List<Map<String, List<InetAddress>>> keptAddresses) {
        return new NetworkAccessController.Names() {
            @Override
            public List<InetAddress> lookUp(String host) throws IOException {
                return NetworkAccessControllerTest.this.lookUp(host);
            }

            @Override
            public List<InetAddress> lastKnown(String host) {
                return earlierAddresses.getOrDefault(host, List.of());
            }

            @Override
            public void keep(Map<String, List<InetAddress>> addresses) {
                keptAddresses.add(addresses);
            }
        };
    }

    private List<InetAddress> lookUp(String host) throws IOException {
        lookups.incrementAndGet();
        if (host.equals("hangs")) {
            try {
                nameServer.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
        if (!names.containsKey(host)) {
            throw new UnknownHostException(host);
        }
        return List.of(InetAddress.getByName(names.get(host)));
    }

    private void advance(long seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
    }

    private Caller admit(String address) throws Exception {
        return admit(address, HELLO);
    }

    private Caller admit(String address, Hello hello) throws Exception {
        return accessController
                .admit(hello, CallerCredentials.from(InetAddress.getByName(address)))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
    }

    private String refusal(String address) throws Exception {
        try {
            throw new AssertionError("Let in: " + admit(address));
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(SessionRefusedException.class);
            return e.getCause().getMessage();
        }
    }
}
