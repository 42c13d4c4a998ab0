/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.federation.datanode.LinkOrder.Check;
import io.trefoil.federation.datanode.LinkOutcome.Verdict;
import io.trefoil.foundation.GoldenFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LinkOrderTest {
    private static final BlockLink LINK = BlockLink.parse("blk_1073741825_1001:134217728>blk_1073750000_5001");

    @Test
    void linkOrderRoundTrips() {
        LinkOrder order = LinkOrder.of(
                "BP-1-10.0.0.1-1", "BP-2-10.0.0.2-2", Check.BYTES, List.of(LINK, BlockLink.parse("blk_7_1:0>blk_8_1")));

        assertThat(LinkOrder.parse(order.tokens())).isEqualTo(order);
        assertThat(order.tokens())
                .containsExactly(
                        "link",
                        "BP-1-10.0.0.1-1",
                        "BP-2-10.0.0.2-2",
                        "bytes",
                        "blk_1073741825_1001:134217728>blk_1073750000_5001",
                        "blk_7_1:0>blk_8_1");
    }

    @Test
    void ordersOfAllReleasesAreUnderstood() throws IOException {
        List<BlockLink> links = List.of(LINK, BlockLink.parse("blk_7_1:0>blk_8_1"));
        List<LinkOrder> orders = List.of(
                LinkOrder.of("BP-1-10.0.0.1-1", "BP-2-10.0.0.2-2", Check.BYTES, links),
                LinkOrder.of("BP-1-10.0.0.1-1", "BP-2-10.0.0.2-2", Check.CHECKSUMS, links));
        List<LinkOutcome> outcomes = List.of(
                LinkOutcome.of(LINK.to(), Verdict.LINKED, "d41d8cd98f00b204e9800998ecf8427e"),
                LinkOutcome.of(LINK.to(), Verdict.REFUSED, "the replica is not finalized"),
                LinkOutcome.of(LINK.to(), Verdict.FAILED, "java.io.IOException: disk"));
        GoldenFiles golden = GoldenFiles.forCurrentModule();
        golden.assertMatchesNewestRelease("links/orders", lines(orders, order -> String.join("\t", order.tokens())));
        golden.assertMatchesNewestRelease("links/outcomes", lines(outcomes, LinkOutcome::toString));

        for (String release : golden.readAllReleasesAsText("links/orders").values()) {
            assertThat(release.lines().map(line -> LinkOrder.parse(List.of(line.split("\t")))))
                    .containsExactlyElementsOf(orders);
        }
        for (String release : golden.readAllReleasesAsText("links/outcomes").values()) {
            assertThat(release.lines().map(LinkOutcome::parse)).containsExactlyElementsOf(outcomes);
        }
    }

    private static <T> String lines(List<T> all, Function<T, String> line) {
        return all.stream().map(one -> line.apply(one) + "\n").collect(Collectors.joining());
    }

    @Test
    void linkOutcomeRoundTripsInOneLine() {
        LinkOutcome outcome = LinkOutcome.of(LINK.to(), Verdict.REFUSED, "two\nlines");

        assertThat(outcome.toString()).isEqualTo("blk_1073750000_5001 refused two lines");
        assertThat(LinkOutcome.parse(outcome.toString())).isEqualTo(outcome);
        assertThatThrownBy(() -> LinkOutcome.parse("blk_1_1 copied it")).hasMessageContaining("Unknown outcome");
        assertThatThrownBy(() -> LinkOutcome.parse("blk_1_1 linked")).hasMessageContaining("Wanted a block");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "blk_-9223372036854775792_1001:1>blk_1_1",
                "blk_1_1:1>blk_-9223372036854775792_1001",
                "blk_1_1>blk_2_1",
                "blk_1_1:-1>blk_2_1",
                "blk_1:1>blk_2_1",
                "blk_1_1:1>blk_2_0",
                "blk_01_1:1>blk_2_1",
                "blk_1_1:9999999999999999999>blk_2_1",
                "blk_9999999999999999999_1:1>blk_2_1",
                "../../etc_1:1>blk_2_1",
                ""
            })
    void refusesMalformedLink(String text) {
        assertThatThrownBy(() -> BlockLink.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesErasureCodedBlockWithReason() {
        assertThatThrownBy(() -> BlockLink.parse("blk_-9223372036854775792_1001:1>blk_1_1"))
                .hasMessageContaining("erasure-coded");
    }

    @Test
    void refusesInvalidOrder() {
        assertThatThrownBy(() -> LinkOrder.of("BP-1", "BP-1", Check.CHECKSUMS, List.of(LINK)))
                .hasMessageContaining("two block pools");
        assertThatThrownBy(() -> LinkOrder.of("BP-1", "", Check.CHECKSUMS, List.of(LINK)))
                .hasMessageContaining("two block pools");
        assertThatThrownBy(() -> LinkOrder.of("BP-1", "BP-2", Check.CHECKSUMS, List.of()))
                .hasMessageContaining("found 0");
        assertThatThrownBy(() -> LinkOrder.of("BP-1", "BP-2", Check.CHECKSUMS, List.of(LINK, LINK)))
                .hasMessageContaining("Two blocks are to become");
        List<BlockLink> many = new ArrayList<>();
        for (int i = 1; i <= LinkOrder.MAX_LINKS + 1; i++) {
            many.add(BlockLink.parse("blk_" + i + "_1:1>blk_" + i + "_1"));
        }
        assertThatThrownBy(() -> LinkOrder.of("BP-1", "BP-2", Check.CHECKSUMS, many))
                .hasMessageContaining("found 1001");
        assertThatThrownBy(() -> LinkOrder.parse(List.of("unlink", "BP-1", "BP-2", "bytes", LINK.toString())))
                .hasMessageContaining("Wanted link");
        assertThatThrownBy(() -> LinkOrder.parse(List.of("link", "BP-1", "BP-2", "nothing", LINK.toString())))
                .hasMessageContaining("Wanted checksums or bytes");
        assertThatThrownBy(() -> LinkOrder.parse(List.of())).hasMessageContaining("found 0 words");
    }
}
