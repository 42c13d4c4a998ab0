/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses a list of networks holds. */
class NetworksTest {

    @Test
    void networkContainsAddressesWithItsPrefix() throws UnknownHostException {
        Networks networks = Networks.parse("10.1.128.0/17, 192.168.7.20, fd00:12::/32");

        assertThat(contains(networks, "10.1.128.0")).isTrue();
        assertThat(contains(networks, "10.1.255.255")).isTrue();
        assertThat(contains(networks, "10.1.127.255")).isFalse();
        assertThat(contains(networks, "10.2.128.1")).isFalse();
        assertThat(contains(networks, "192.168.7.20")).isTrue();
        assertThat(contains(networks, "192.168.7.21")).isFalse();
        assertThat(contains(networks, "fd00:12:ffff::1")).isTrue();
        assertThat(contains(networks, "fd00:13::1")).isFalse();
    }

    @Test
    void emptyListContainsNoAddress() throws UnknownHostException {
        assertThat(Networks.parse(" , ")).isEqualTo(Networks.NONE);
        assertThat(contains(Networks.NONE, "10.0.0.1")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nn1",
                "nn1.example.com/24",
                "10.0.0",
                "10.0.0.0/33",
                "10.0.0.0/x",
                "0.0.0.0/0",
                "::/0",
                "128.0.0.0/1"
            })
    void rejectsInvalidAndTooWideNetworks(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Networks.parse("10.9.0.0/16," + text))
                .withMessageContaining(text);
    }

    private static boolean contains(Networks networks, String address) throws UnknownHostException {
        return networks.contains(InetAddress.getByName(address));
    }
}
