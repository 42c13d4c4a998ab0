/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.forward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.NodeAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** At which hosts the active may be that calls are handed on to. */
class ActiveLocatorTest {
    private final Map<String, List<String>> names = new HashMap<>(Map.of(
            "localhost", List.of("127.0.0.1"),
            "127.0.0.1", List.of("127.0.0.1"),
            "host1.example.com", List.of("10.0.0.1", "fd00::1"),
            "host1", List.of("10.0.0.1"),
            "10.0.0.1", List.of("10.0.0.1"),
            "elsewhere", List.of("10.0.0.9")));
    private Optional<NodeAddress> shown = Optional.empty();
    private long nowNanos;
    private int callerLookups;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private Executor thread = Runnable::run;

    private InetAddress[] resolve(String host) throws UnknownHostException {
        callerLookups++;
        if (!names.containsKey(host)) {
            throw new UnknownHostException(host);
        }
        List<String> addresses = names.get(host);
        InetAddress[] resolved = new InetAddress[addresses.size()];
        for (int i = 0; i < resolved.length; i++) {
            resolved[i] = InetAddress.getByName(addresses.get(i));
        }
        return resolved;
    }

    private ActiveLocator locatorWithHosts(String... hosts) {
        return new ActiveLocator(
                () -> shown, () -> List.of(hosts), this::resolve, () -> nowNanos, work -> thread.execute(work));
    }

    private Optional<String> findHost(ActiveLocator active, String node) {
        shown = Optional.of(NodeAddress.parse(node));
        return active.get().map(NodeAddress::toString);
    }

    @Test
    void configuredNameDoesNotNeedLookup() {
        ActiveLocator active = locatorWithHosts("host1.example.com");

        assertThat(findHost(active, "host1.example.com:8487")).contains("host1.example.com:8487");
        assertThat(findHost(active, "HOST1.example.com:8487")).contains("host1.example.com:8487");
        assertThat(callerLookups).isZero();
    }

    @Test
    void addressesHostByConfiguredName() {
        assertThat(findHost(locatorWithHosts("localhost"), "127.0.0.1:8487")).contains("localhost:8487");
        assertThat(findHost(locatorWithHosts("127.0.0.1"), "localhost:8487")).contains("127.0.0.1:8487");
        assertThat(findHost(locatorWithHosts("host1.example.com"), "10.0.0.1:8487"))
                .contains("host1.example.com:8487");
        assertThat(findHost(locatorWithHosts("10.0.0.1"), "host1:8487")).contains("10.0.0.1:8487");
    }

    @Test
    void ignoresHostOutsideConfiguration() {
        ActiveLocator active = locatorWithHosts("host1.example.com", "nowhere");

        assertThat(findHost(active, "elsewhere:8487")).isEmpty();
        assertThat(findHost(active, "unknown:8487")).isEmpty();
        shown = Optional.empty();
        assertThat(active.get()).isEmpty();
    }

    @Test
    void repeatsNameLookupAfterDelay() {
        ActiveLocator active = locatorWithHosts("host1.example.com");
        assertThat(findHost(active, "moved:8487")).isEmpty();
        int before = callerLookups;
        names.put("moved", List.of("fd00::1"));

        assertThat(findHost(active, "moved:8487")).isEmpty();
        assertThat(callerLookups).isEqualTo(before);
        nowNanos += TimeUnit.SECONDS.toNanos(31);
        assertThat(findHost(active, "moved:8487")).contains("host1.example.com:8487");
    }

    @Test
    void callsDoNotWaitForNameServer() {
        ActiveLocator active = locatorWithHosts("host1.example.com");
        thread = waiting::add;

        assertThat(findHost(active, "host1:8487")).isEmpty();
        assertThat(findHost(active, "host1:8487")).isEmpty();
        assertThat(callerLookups).isZero();
        assertThat(waiting).as("one look-up at a time").hasSize(1);
        waiting.remove().run();
        assertThat(findHost(active, "host1:8487")).contains("host1.example.com:8487");

        nowNanos += TimeUnit.SECONDS.toNanos(31);
        names.remove("host1");
        assertThat(findHost(active, "host1:8487"))
                .as("what was found last counts until then")
                .contains("host1.example.com:8487");
        waiting.remove().run();
        assertThat(findHost(active, "host1:8487")).isEmpty();
    }

    @Test
    void nextCallRetriesLookupAfterThreadCreationFails() {
        ActiveLocator active = locatorWithHosts("host1.example.com");
        thread = work -> {
            throw new OutOfMemoryError("no thread, in this test");
        };
        assertThatThrownBy(() -> findHost(active, "host1:8487")).isInstanceOf(OutOfMemoryError.class);

        thread = Runnable::run;

        assertThat(findHost(active, "host1:8487")).contains("host1.example.com:8487");
    }
}
