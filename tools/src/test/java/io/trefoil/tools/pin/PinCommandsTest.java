/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.pin;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Pin;
import io.trefoil.tools.cluster.FakePool;
import io.trefoil.tools.cluster.Logs;
import io.trefoil.tools.output.ExitCode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PinCommandsTest {

    private final FakePool pool = new FakePool(3);

    PinCommandsTest() {
        pool.all().forEach(node -> node.log.addAll(Logs.withBatches(5)));
    }

    private void holdImage(long txId) {
        HeldImage image = HeldImage.of(
                ImageId.of(txId, 10, "00112233445566778899aabbccddeeff"),
                Bytes.wrap(new byte[4]),
                "namespaceID=7\nclusterID=CID-1\n");
        pool.node(1).images.put(image, Bytes.EMPTY);
    }

    @Test
    void pinCoversImageNeededForRestore() {
        holdImage(100);
        holdImage(200);

        assertThat(pool.run("journal", "pin", "150", "--for", "12h")).isEqualTo(ExitCode.FINE);

        assertThat(pool.pinService.orders).containsExactly("pin 150 from 101 for PT12H");
        assertThat(pool.output).contains("begins with the image of transaction 100");
    }

    @Test
    void pinWithoutImageKeepsTransactions() {
        assertThat(pool.run("journal", "pin", "150")).isEqualTo(ExitCode.FINE);

        assertThat(pool.pinService.orders).containsExactly("pin 150 from 150");
        assertThat(pool.output).contains("no image at or below it");
    }

    @Test
    void warnsWhenUnresponsiveNodeMayHoldImage() {
        holdImage(200);
        pool.node(2).silence = "Connection refused";

        assertThat(pool.run("journal", "pin", "150")).isEqualTo(ExitCode.FINDING);

        assertThat(pool.pinService.orders).containsExactly("pin 150 from 150");
        assertThat(pool.output).contains("[host2:8487] may have one: when they answer again, unpin it");
        assertThat(pool.run("journal", "pin", "250")).isEqualTo(ExitCode.FINE);
    }

    @Test
    void rejectsInvalidArgumentsBeforeSendingOrders() {
        assertThat(pool.run("journal", "pin", "0")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.run("journal", "pin", "x")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.run("journal", "pin", "5", "--for", "tomorrow")).isEqualTo(ExitCode.USAGE);
        assertThat(pool.errors).contains("as 30m; got tomorrow");
        assertThat(pool.pinService.orders).isEmpty();
    }

    @Test
    void printsRefusal() {
        pool.pinService.refusal = Optional.of("ns1.nn1 refuses: behind the end");

        assertThat(pool.run("journal", "pin", "5")).isEqualTo(ExitCode.FINDING);
        assertThat(pool.errors).contains("refuses: behind the end");
        assertThat(pool.run("journal", "unpin", "5")).isEqualTo(ExitCode.FINDING);
    }

    @Test
    void unpinTakesNameOrTransaction() {
        assertThat(pool.run("journal", "unpin", "150")).isEqualTo(ExitCode.FINE);
        assertThat(pool.run("journal", "unpin", "pin-nn3-7")).isEqualTo(ExitCode.FINE);

        assertThat(pool.pinService.orders).containsExactly("unpin pin-150", "unpin pin-nn3-7");
    }

    @Test
    void pinsCommandListsPinsWithoutCheckpoints() {
        Barriers barriers = Barriers.of(List.of(
                Pin.ofOperator(150, 101, Optional.empty()).barrier(),
                Barrier.of("nightly.7f3a9c12", 9, 9, "{}"),
                Pin.ofNameNode("nn3", 40, Instant.parse("2026-11-21T20:00:00Z")).barrier()));
        pool.all().forEach(node -> node.base = node.base.with(barriers));

        assertThat(pool.run("journal", "pins")).isEqualTo(ExitCode.FINE);

        assertThat(pool.output)
                .containsPattern("pin-150 +150 +101 +operator +unpinned")
                .containsPattern("pin-nn3-40 +40 +41 +nn3 +2026-11-21T20:00:00Z")
                .doesNotContain("nightly");
        assertThat(pool.run("journal", "pins", "--json")).isEqualTo(ExitCode.FINE);
        assertThat(pool.output).contains("\"name\": \"pin-150\"").contains("\"until\": null");
    }
}
