/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HostResolverTest {
    private static final String OLD = "10.0.0.1";
    private static final String NEW = "10.0.0.2";

    private final FakeNames names = new FakeNames();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicLong now = new AtomicLong();
    private final HostResolver hosts =
            new HostResolver(names, threads, now::get, Duration.ofMillis(50), Duration.ofMillis(200));

    @AfterEach
    void release() {
        names.release();
        threads.shutdownNow();
    }

    @Test
    void remembersHostsWhenNamesDoNotResolve() throws Exception {
        names.setAddress("nn1", OLD);
        assertThat(hosts.find("nn1")).containsExactly(address(OLD));

        names.vanish();

        assertThat(hosts.find("NN1")).containsExactly(address(OLD));
        assertThatExceptionOfType(UnknownHostException.class).isThrownBy(() -> hosts.find("never-met"));
    }

    @Test
    void remembersHostsWhenNameServerHangs() throws Exception {
        names.setAddress("nn1", OLD);
        hosts.find("nn1");

        names.hang();

        assertThat(hosts.find("nn1")).containsExactly(address(OLD));
        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> hosts.find("never-met"))
                .withMessageContaining("no name server has answered");
    }

    @Test
    void startsSingleLookupWhenItHangs() throws Exception {
        hosts.restore("nn1", List.of(address(OLD)), LocalDate.EPOCH);
        names.hang();

        for (int call = 0; call < 5; call++) {
            hosts.find("nn1");
        }

        assertThat(names.lookupCount()).isEqualTo(1);
    }

    @Test
    void prefersAnswersToRecalledAddresses() throws Exception {
        names.setAddress("nn1", NEW);
        hosts.restore("nn1", List.of(address(OLD)), LocalDate.EPOCH);

        assertThat(hosts.find("nn1")).containsExactly(address(NEW));
        hosts.restore("nn1", List.of(address(OLD)), LocalDate.EPOCH);
        assertThat(hosts.lastAnswer("nn1")).containsExactly(address(NEW));
    }

    @Test
    void triesResolvedAddressBeforeLastReachedAddress() throws Exception {
        names.setAddress("nn1", NEW);
        hosts.rememberReachable("nn1", address(OLD));

        assertThat(hosts.find("nn1")).containsExactly(address(NEW), address(OLD));
    }

    @Test
    void trustsAddressOnlyAfterFreshLookup() throws Exception {
        names.setAddress("nn1", OLD);
        hosts.find("nn1");
        assertThat(hosts.isFresh("nn1")).as("the JVM may keep old answers").isFalse();

        hosts.markSuspect("nn1");
        hosts.find("nn1");
        assertThat(hosts.isFresh("nn1")).isTrue();

        names.vanish();
        now.addAndGet(Duration.ofMinutes(1).toNanos());
        hosts.markSuspect("nn1");
        assertThat(hosts.find("nn1")).containsExactly(address(OLD));
        assertThat(hosts.isFresh("nn1")).isFalse();
        assertThat(hosts.isFresh(OLD)).as("an address").isTrue();
    }

    @Test
    void findsMovedHostDespiteJvmCache() throws Exception {
        names.setAddress("nn1", OLD);
        hosts.find("nn1");
        names.setAddress("nn1", NEW);
        assertThat(hosts.find("nn1")).as("what the JVM keeps").containsExactly(address(OLD));

        hosts.markSuspect("nn1");

        assertThat(hosts.find("nn1")).containsExactly(address(NEW));
        assertThat(hosts.find("nn1")).as("later than what the JVM keeps").containsExactly(address(NEW));
    }

    @Test
    void looksUpSuspectedHostOncePerTwoSeconds() throws Exception {
        names.setAddress("nn1", OLD);
        for (int miss = 0; miss < 5; miss++) {
            hosts.markSuspect("nn1");
            hosts.find("nn1");
        }
        assertThat(names.lookupCount()).isEqualTo(1);

        now.addAndGet(TimeUnit.SECONDS.toNanos(2));
        hosts.find("nn1");
        assertThat(names.lookupCount()).isEqualTo(2);
    }

    @Test
    void resolvesLiteralAddressWithoutLookup() throws Exception {
        assertThat(hosts.find(OLD)).containsExactly(address(OLD));
        assertThat(hosts.find("::1")).containsExactly(address("::1"));

        assertThat(names.lookupCount()).isZero();
    }

    @Test
    void lookupBypassesJvmCache() throws Exception {
        assertThat(new SystemNameService().lookUpUncached("localhost"))
                .isNotEmpty()
                .allMatch(InetAddress::isLoopbackAddress)
                .allMatch(address -> address.getHostName().equals("localhost"));
    }

    @Test
    void systemAddressesKeepJvmOrder() throws Exception {
        List<InetAddress> found = List.of(address("2001:db8::1"), address("10.0.0.1"));
        assertThat(SystemNameService.sort(found, null)).containsExactly(address("10.0.0.1"), address("2001:db8::1"));
        assertThat(SystemNameService.sort(found, "true")).containsExactly(address("2001:db8::1"), address("10.0.0.1"));
        assertThat(SystemNameService.sort(found, "system")).isEqualTo(found);
    }

    private static InetAddress address(String text) throws UnknownHostException {
        return InetAddress.getByName(text);
    }
}
