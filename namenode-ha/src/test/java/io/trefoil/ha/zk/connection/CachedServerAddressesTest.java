/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.zk.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.trefoil.foundation.names.FakeNames;
import io.trefoil.foundation.names.HostResolver;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class CachedServerAddressesTest {
    private final FakeNames names = new FakeNames();
    private final CachedServerAddresses servers =
            new CachedServerAddresses(HostResolver.with(names), Collections.emptyMap());

    @Test
    void knowsServersWhenNamesDoNotResolve() throws Exception {
        names.setAddress("zk1", "10.0.0.1");
        servers.find("zk1");

        names.vanish();

        assertThat(servers.find("zk1")).containsExactly(InetAddress.getByName("10.0.0.1"));
        assertThatExceptionOfType(UnknownHostException.class).isThrownBy(() -> servers.find("zk2"));
    }
}
