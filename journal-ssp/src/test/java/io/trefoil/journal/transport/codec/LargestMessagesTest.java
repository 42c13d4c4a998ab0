/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.codec.SummaryCodec;
import io.trefoil.journal.model.Barrier;
import io.trefoil.journal.model.Barriers;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogPosition;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.MemberChange;
import io.trefoil.journal.model.Members;
import io.trefoil.journal.model.NamespaceId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.RetiredStorage;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.SessionRefusedException;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.codec.field.WireWriter;
import io.trefoil.journal.transport.connection.ConnectionMemory;
import io.trefoil.journal.transport.connection.RefusalCounters;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever the model lets callers make can be sent, received and kept: the largest of everything, through real frames. */
class LargestMessagesTest {

    private static final String MAX_LENGTH_WORD = "w".repeat(512);
    private static final Epoch EPOCH = Epoch.of(Long.MAX_VALUE);
    private static final WriterId WRITER = WriterId.of(MAX_LENGTH_WORD);
    private static final NodeId NODE = NodeId.of(MAX_LENGTH_WORD);
    private static final NamespaceId NAMESPACE = NamespaceId.of(MAX_LENGTH_WORD, Integer.MIN_VALUE);

    private static String longestName(int i) {
        return String.format("%03d", i) + "w".repeat(509);
    }

    private static NodeAddress address(int i) {
        return NodeAddress.of(longestName(i), 65535);
    }

    /** The longest summary: as many members, retired storages, readers and barriers as there can be, each as long as it can be. */
    static LogSummary longest() {
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < Members.MAX_COUNT; i++) {
            members.add(Member.permanentLearner(NodeId.of(longestName(i)), address(i)));
        }
        Members all = Members.of(members);
        for (int i = Members.MAX_COUNT; i < 3 * Members.MAX_COUNT; i++) {
            all = all.without(NodeId.of(longestName(i - Members.MAX_COUNT)), RetiredStorage.Cause.REPLACED)
                    .with(Member.permanentLearner(NodeId.of(longestName(i)), address(i)));
        }
        for (int i = 0; all.canAddReader(); i++) {
            all = all.withReader(NodeId.of(longestName(i)));
        }
        List<Barrier> barriers = new ArrayList<>();
        for (int i = 0; i < Barriers.MAX_COUNT; i++) {
            barriers.add(Barrier.of(
                    String.format("%064d", i), Long.MAX_VALUE - 1, Long.MAX_VALUE, "t".repeat(Barrier.MAX_TEXT_BYTES)));
        }
        StorageRecord.Version version = StorageRecord.Version.of(Integer.MIN_VALUE, Long.MIN_VALUE);
        StorageRecord.RollbackPoint rollbackPoint = StorageRecord.RollbackPoint.of(version, Long.MIN_VALUE);
        return LogSummary.of(
                        LogPosition.of(EPOCH, Long.MAX_VALUE),
                        all,
                        Long.MAX_VALUE,
                        Optional.of(Long.MAX_VALUE),
                        Optional.of(
                                StorageRecord.of(StorageRecord.Event.PRE_UPGRADE, version, Optional.of(rollbackPoint))))
                .with(Barriers.of(barriers));
    }

    private static Entry largestEntry() {
        return Entry.of(
                LogPosition.of(EPOCH, Long.MAX_VALUE),
                EntryKind.EDITS,
                TxRange.of(1, Long.MAX_VALUE - 1),
                Bytes.wrap(new byte[EntryCodec.MAX_PAYLOAD_SIZE]));
    }

    static Stream<PoolReply> answers() {
        List<MemberChange> changes = Collections.nCopies(100, MemberChange.replace(MAX_LENGTH_WORD, NODE, address(0)));
        return Stream.of(
                PromiseReply.of(NODE, EPOCH, longest(), 1, LogPosition.ORIGIN, 1, LogCompleteness.COMPLETE),
                PurgedReply.of(NODE, longest()),
                StatusReply.of(
                        NODE,
                        NAMESPACE,
                        Promise.of(EPOCH, WRITER, 1),
                        longest(),
                        longest(),
                        1,
                        LogCompleteness.COMPLETE,
                        1),
                EntriesReply.of(NODE, List.of(largestEntry()), 1),
                ChangesReply.of(NODE, changes));
    }

    static Stream<PoolRequest> requests() {
        List<ChangeProgress> progress = Collections.nCopies(
                200, ChangeProgress.of(MAX_LENGTH_WORD, ChangeProgress.Stage.UNDER_WAY, "p".repeat(2048)));
        return Stream.of(
                RebaseRequest.of(EPOCH, WRITER, 1, longest()),
                AppendRequest.of(EPOCH, WRITER, 1, LogPosition.ORIGIN, List.of(largestEntry()), LogPosition.ORIGIN, 1),
                CollectChangesRequest.of(EPOCH, progress));
    }

    static Stream<PoolRequest> requestsOfReaders() {
        Entry members = Entry.of(
                LogPosition.of(Epoch.FORMAT, 1),
                EntryKind.MEMBERS,
                TxRange.NONE,
                longest().members().toPayload());
        return Stream.of(
                FormatRequest.of(NAMESPACE, NODE, longest(), List.of(members), true),
                ChangeMembersRequest.of(MemberChange.replace(MAX_LENGTH_WORD, NODE, address(0))));
    }

    private static Object roundTrip(WireFrameDecoder decoder, ByteBuf bytes) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        channel.writeInbound(bytes);
        WireFrame frame = channel.readInbound();
        channel.finishAndReleaseAll();
        return frame.message();
    }

    @ParameterizedTest
    @MethodSource("answers")
    void largestAnswersArrive(PoolReply reply) {
        assertThat(roundTrip(
                                WireFrameDecoder.ofReplies(),
                                MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, 1, reply))
                        .equals(reply))
                .isTrue();
    }

    @Test
    void acceptsMaximumSegmentsAndRejectsMore() {
        TxRange range = TxRange.of(1, Long.MAX_VALUE - 1);
        SegmentInfo segment = SegmentInfo.of(range, true, -67, range, Long.MAX_VALUE);
        PoolReply most = segments(Collections.nCopies(SegmentsReply.MAX_SEGMENTS, segment));

        assertThat(roundTrip(
                                WireFrameDecoder.ofReplies(),
                                MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, 1, most))
                        .equals(most))
                .isTrue();
        assertThatThrownBy(() -> segments(Collections.nCopies(SegmentsReply.MAX_SEGMENTS + 1, segment)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most 1000000 segments, got 1000001");
    }

    private static PoolReply segments(List<SegmentInfo> segments) {
        return SegmentsReply.of(NODE, segments, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    @ParameterizedTest
    @MethodSource("requests")
    void largestWriterRequestsArrive(PoolRequest request) {
        assertThat(roundTrip(
                                WireFrameDecoder.ofRequestsOfWriter(java.nio.ByteBuffer::allocate, anyMemory()),
                                MessageCodec.encodeRequest(UnpooledByteBufAllocator.DEFAULT, 1, request))
                        .equals(request))
                .isTrue();
    }

    @ParameterizedTest
    @MethodSource("requestsOfReaders")
    void largestReaderRequestsArrive(PoolRequest request) {
        assertThat(roundTrip(
                                WireFrameDecoder.ofRequests(WireFrame.MAX_READER_REQUEST_LENGTH),
                                MessageCodec.encodeRequest(UnpooledByteBufAllocator.DEFAULT, 1, request))
                        .equals(request))
                .isTrue();
    }

    @Test
    void longestHandshakesArrive() throws SessionRefusedException {
        Hello hello = Hello.of(
                JournalId.of("j".repeat(128)),
                NAMESPACE,
                Hello.CallerRole.WRITER,
                "\u6c34".repeat(1000),
                Optional.of(address(0)));
        ByteBuf greeting =
                MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Greeting(hello));
        Welcome welcome = Welcome.of(NODE, true, NAMESPACE, EPOCH);
        ByteBuf answer =
                MessageCodec.encodeHandshake(UnpooledByteBufAllocator.DEFAULT, new Handshake.Acceptance(welcome));
        ByteBuf refusal = MessageCodec.encodeHandshake(
                UnpooledByteBufAllocator.DEFAULT, new Handshake.Refusal("\u6c34".repeat(9000)));

        assertThat(((Handshake.Greeting) roundTrip(WireFrameDecoder.ofGreeting(), greeting)).helloInKnownVersion())
                .isEqualTo(hello);
        assertThat(((Handshake.Acceptance) roundTrip(WireFrameDecoder.ofAnswerToGreeting(), answer)).welcome())
                .isEqualTo(welcome);
        assertThat(((Handshake.Refusal) roundTrip(WireFrameDecoder.ofAnswerToGreeting(), refusal)).reason())
                .hasSize(WireWriter.MAX_EXPLANATION_CHARS);
    }

    @Test
    void truncatesOverlongExplanation() {
        PoolReply reply = FailedReply.of(NODE, "\u6c34".repeat(100_000));

        FailedReply arrived = (FailedReply) roundTrip(
                WireFrameDecoder.ofReplies(), MessageCodec.encodeReply(UnpooledByteBufAllocator.DEFAULT, 1, reply));

        assertThat(arrived.reason()).hasSize(WireWriter.MAX_EXPLANATION_CHARS);
    }

    @Test
    void longestSummaryStaysWithinLimit() {
        assertThat(SummaryCodec.encode(longest()).length).isBetween(SummaryCodec.MAX_SIZE / 2, SummaryCodec.MAX_SIZE);
    }

    private static ConnectionMemory.Share anyMemory() {
        return new ConnectionMemory(Long.MAX_VALUE, new RefusalCounters(), System::nanoTime)
                .openShare(new EmbeddedChannel());
    }
}
