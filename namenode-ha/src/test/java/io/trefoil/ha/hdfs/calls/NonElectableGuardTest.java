/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.ha.hdfs.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.ha.HAServiceProtocol.RequestSource;
import org.apache.hadoop.ha.HAServiceProtocol.StateChangeRequestInfo;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.junit.jupiter.api.Test;

/** What an operator forces upon a NameNode that is not electable. */
class NonElectableGuardTest {
    private static final StateChangeRequestInfo FORCED =
            new StateChangeRequestInfo(RequestSource.REQUEST_BY_USER_FORCED);

    private final List<String> passedOn = new ArrayList<>();
    private final NonElectableGuard guard = new NonElectableGuard(
            (NamenodeProtocols) Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {NamenodeProtocols.class},
                    (proxy, method, arguments) -> {
                        passedOn.add(method.getName());
                        return null;
                    }),
            "nn3");

    @Test
    void refusesForcedTransitionToActiveWithReason() {
        assertThatThrownBy(() -> guard.transitionToActive(FORCED))
                .isInstanceOf(ServiceFailedException.class)
                .hasMessageContainingAll("nn3 cannot be active", "trefoil.ha.electable is false");

        assertThat(passedOn).isEmpty();
    }

    @Test
    void passesOtherTransitionsToHdfs() throws Exception {
        guard.transitionToStandby(FORCED);
        guard.transitionToObserver(FORCED);
        guard.monitorHealth();

        assertThat(passedOn).containsExactly("transitionToStandby", "transitionToObserver", "monitorHealth");
    }
}
