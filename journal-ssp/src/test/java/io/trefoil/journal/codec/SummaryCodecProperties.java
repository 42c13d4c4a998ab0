/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.StorageRecord;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;

class SummaryCodecProperties {

    @Property
    void decodesEncodedSummary(@ForAll("summaries") LogSummary summary) throws MalformedBytesException {
        ByteBuffer in = ByteBuffer.wrap(SummaryCodec.encode(summary));

        assertThat(SummaryCodec.decode(in)).isEqualTo(summary);
        assertThat(in.hasRemaining()).isFalse();
    }

    @Example
    void emptyLogSummaryRoundTrips() throws MalformedBytesException {
        assertThat(SummaryCodec.decode(ByteBuffer.wrap(SummaryCodec.encode(LogSummary.ORIGIN))))
                .isEqualTo(LogSummary.ORIGIN);
    }

    @Property
    void detectsAnyTruncation(@ForAll("summaries") LogSummary summary, @ForAll int index) {
        byte[] bytes = SummaryCodec.encode(summary);
        byte[] cut = Arrays.copyOf(bytes, Math.floorMod(index, bytes.length));

        assertThatThrownBy(() -> SummaryCodec.decode(ByteBuffer.wrap(cut))).isInstanceOf(MalformedBytesException.class);
    }

    @Property
    void decodesOrRejectsHostileBytes(@ForAll @Size(max = 80) byte[] bytes) {
        try {
            assertThat(SummaryCodec.decode(ByteBuffer.wrap(bytes))).isNotNull();
        } catch (MalformedBytesException e) {
            assertThat(e).hasMessageContaining("summary of a log");
        }
    }

    @Provide
    Arbitrary<LogSummary> summaries() {
        Arbitrary<Long> numbers = Arbitraries.longs().greaterOrEqual(0);
        Arbitrary<StorageRecord> formatted = Combinators.combine(Arbitraries.integers(), numbers)
                .as((layout, cTime) -> StorageRecord.ofFormat(StorageRecord.Version.of(layout, cTime)));
        Arbitrary<StorageRecord> records =
                Arbitraries.oneOf(formatted, formatted.map(record -> record.beforeUpgrade(17)));
        return Combinators.combine(
                        numbers, numbers, numbers, numbers.optional(), records.optional(), members(), barriers())
                .as((epoch, sn, lastTxId, openSegment, storage, members, barriers) -> LogSummary.of(
                                LogPosition.of(Epoch.of(epoch), sn), members, lastTxId, openSegment, storage)
                        .with(barriers));
    }

    private static Arbitrary<Barriers> barriers() {
        Barrier first = Barrier.of("first", 10, 1, "text\n");
        Barrier second = Barrier.of("second", 20, 21, "");
        return Arbitraries.of(Barriers.NONE, Barriers.of(List.of(first)), Barriers.of(List.of(first, second)));
    }

    private static Arbitrary<Members> members() {
        Member voter = Member.voter(NodeId.of("node-1"), NodeAddress.of("host1.example", 8485));
        Member learner = Member.learner(NodeId.of("node-2"), NodeAddress.of("[fe80::1]", 8486));
        return Arbitraries.of(Members.NONE, Members.of(List.of(voter)), Members.of(List.of(voter, learner)));
    }
}
