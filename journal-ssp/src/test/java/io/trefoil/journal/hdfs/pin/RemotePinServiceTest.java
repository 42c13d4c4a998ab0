/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.pin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.trefoil.journal.hdfs.config.PoolUri;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

/** NameNodes that do not answer: the error names them in the order in which they were asked. */
class RemotePinServiceTest {
    private static final String JOURNAL = "ssp://127.0.0.1:8487/ns1";

    @Test
    void queriesLikelyActiveFirst() {
        AtomicReference<Optional<String>> active = new AtomicReference<>(Optional.of("ns1.nn3"));
        PinService pins = RemotePinService.of(
                conf(), PoolUri.parse(URI.create(JOURNAL), conf()).journal(), Duration.ofSeconds(5), active::get);

        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn3", "ns1.nn1", "ns1.nn2");
        active.set(Optional.of("ns1.unknown"));
        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn1", "ns1.nn2", "ns1.nn3");
        active.set(Optional.empty());
        assertThat(queriedNameNodes(pins)).containsExactly("ns1.nn1", "ns1.nn2", "ns1.nn3");
    }

    private static List<String> queriedNameNodes(PinService pins) {
        Throwable nobody = catchThrowable(() -> pins.unpinAfterRenewal("nn2"));
        return Pattern.compile("^(ns1[.]\\w+): ", Pattern.MULTILINE)
                .matcher(nobody.getMessage())
                .results()
                .map(line -> line.group(1))
                .toList();
    }

    private static Configuration conf() {
        Configuration conf = new Configuration(false);
        conf.set("dfs.nameservices", "ns1");
        conf.set("dfs.ha.namenodes.ns1", "nn1,nn2,nn3");
        conf.set("dfs.namenode.shared.edits.dir", JOURNAL);
        for (int i = 1; i <= 3; i++) {
            // Nobody listens there.
            conf.set("dfs.namenode.rpc-address.ns1.nn" + i, "127.0.0.1:" + i);
        }
        return conf;
    }
}
