/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.trefoil.foundation.GoldenFiles;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.HeldImage;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.Incarnation;
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
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.TxRange;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.AppendRequest;
import io.trefoil.journal.protocol.AppendedReply;
import io.trefoil.journal.protocol.AwaitCommitRequest;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.ChangesReply;
import io.trefoil.journal.protocol.CollectChangesRequest;
import io.trefoil.journal.protocol.CommitRequest;
import io.trefoil.journal.protocol.DoneReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.FormatRequest;
import io.trefoil.journal.protocol.ForwardRequest;
import io.trefoil.journal.protocol.ForwardedReply;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.LeaseHeldReply;
import io.trefoil.journal.protocol.MismatchReply;
import io.trefoil.journal.protocol.NewEpochRequest;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.OtherIncarnationReply;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PromiseReply;
import io.trefoil.journal.protocol.PurgeRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.RebaseRequest;
import io.trefoil.journal.protocol.RetireRequest;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StaleEpochReply;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.protocol.StatusRequest;
import io.trefoil.journal.protocol.StepDownRequest;
import io.trefoil.journal.transport.Hello;
import io.trefoil.journal.transport.Welcome;
import io.trefoil.journal.transport.codec.field.BadFrameException;
import io.trefoil.journal.transport.connection.WireFrameDecoder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The bytes are those of {@code docs/design/wire-format.md}, for every message that there is. */
public class WireFormatTest {

    private static final ByteBufAllocator HEAP = UnpooledByteBufAllocator.DEFAULT;
    private static final Path PAGE = Path.of("..", "docs", "design", "wire-format.md");

    private static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 7);
    private static final NodeId NODE = NodeId.of("n1");
    private static final WriterId WRITER = WriterId.of("w1");
    private static final Epoch EPOCH = Epoch.of(3);
    private static final LogPosition POSITION = LogPosition.of(Epoch.of(2), 41);
    private static final List<Entry> ENTRIES = List.of(
            Entry.of(LogPosition.of(EPOCH, 42), EntryKind.EDITS, TxRange.of(1000, 1001), Bytes.ofUtf8("two edits")));
    private static final ImageId IMAGE = ImageId.of(900, 17, "00112233445566778899aabbccddeeff");
    private static final ChangeProgress PROGRESS = ChangeProgress.of("t1", ChangeProgress.Stage.UNDER_WAY, "wait");
    private static final Incarnation INCARNATION = Incarnation.of(5, 0xabcdefL);
    private static final LogSummary SUMMARY = LogSummary.of(
                    POSITION,
                    Members.of(List.of(Member.voter(NODE, NodeAddress.of("h1", 8485)))),
                    999,
                    Optional.of(900L),
                    Optional.of(StorageRecord.ofFormat(StorageRecord.Version.of(-66, 5))))
            .with(INCARNATION);

    @Test
    void bytesMatchPage() throws IOException {
        assertThat(frames().entrySet().stream()
                        .map(frame -> frame.getKey() + " " + frame.getValue())
                        .collect(Collectors.toList()))
                .isEqualTo(pageLines());
    }

    @Test
    void pageListsEveryMessage() throws IOException {
        assertThat(pageLines())
                .extracting(line -> line.substring(0, line.indexOf(' ')))
                .containsExactlyElementsOf(
                        Arrays.stream(MessageType.values()).map(Enum::name).toList());
    }

    @Test
    void decodesBytesOfPage() throws Exception {
        decodesAll(String.join("\n", pageLines()));
    }

    @Test
    void framesMatchRelease() throws IOException {
        GoldenFiles.forCurrentModule()
                .assertMatchesNewestRelease(
                        "wire/frames",
                        frames().entrySet().stream()
                                .map(frame -> frame.getKey() + " " + frame.getValue() + "\n")
                                .collect(Collectors.joining()));
    }

    @Test
    void decodesFramesOfEveryRelease() throws Exception {
        for (String frames : GoldenFiles.forCurrentModule()
                .readAllReleasesAsText("wire/frames")
                .values()) {
            decodesAll(frames);
        }
    }

    private static void decodesAll(String frames) throws Exception {
        Map<String, String> page = Arrays.stream(frames.split("\n"))
                .map(line -> line.split(" "))
                .collect(Collectors.toMap(words -> words[0], words -> words[1]));
        for (PoolRequest request : requests()) {
            String type = typeOfReleased(MessageCodec.encodeRequest(HEAP, 1, request));
            assertThat(decode(WireFrameDecoder.ofRequests(WireFrame.MAX_LENGTH), page.get(type)))
                    .isEqualTo(request);
        }
        for (PoolReply reply : replies()) {
            String type = typeOfReleased(MessageCodec.encodeReply(HEAP, 1, reply));
            assertThat(decode(WireFrameDecoder.ofReplies(), page.get(type))).isEqualTo(reply);
        }
        assertThat(((Handshake.Greeting) decode(WireFrameDecoder.ofGreeting(), page.get("HELLO")))
                        .helloInKnownVersion())
                .isEqualTo(hello());
        assertThat(((Handshake.Token) decode(WireFrameDecoder.ofGreetingWithProof(), page.get("RESPONSE"))).bytes())
                .isEqualTo(Bytes.ofUtf8("me"));
        assertThat(((Handshake.Token) decode(WireFrameDecoder.ofAnswerToGreeting(), page.get("CHALLENGE"))).bytes())
                .isEqualTo(Bytes.ofUtf8("who?"));
    }

    @Test
    void authenticatedNodeEchoesDigestOfHello() throws Exception {
        ByteBuf hello = MessageCodec.encodeHandshake(HEAP, new Handshake.Greeting(hello()));
        Bytes said = MessageCodec.digest(hello);
        Handshake.Greeting heard = (Handshake.Greeting) decode(WireFrameDecoder.ofGreeting(), hex(hello));
        assertThat(heard.digest()).isEqualTo(said);

        Welcome welcome = Welcome.of(NODE, true, NAMESPACE, EPOCH);
        Handshake.Acceptance accepted = (Handshake.Acceptance) decode(
                WireFrameDecoder.ofAnswerToGreeting(),
                hex(MessageCodec.encodeHandshake(HEAP, new Handshake.Acceptance(welcome, said))));
        assertThat(accepted.welcome()).isEqualTo(welcome);
        assertThat(accepted.helloDigest()).isEqualTo(said);
    }

    private static Map<String, String> frames() {
        Map<String, String> frames = new LinkedHashMap<>();
        add(frames, MessageCodec.encodeHandshake(HEAP, new Handshake.Greeting(hello())));
        add(
                frames,
                MessageCodec.encodeHandshake(HEAP, new Handshake.Acceptance(Welcome.of(NODE, true, NAMESPACE, EPOCH))));
        add(frames, MessageCodec.encodeHandshake(HEAP, new Handshake.Refusal("no")));
        add(frames, MessageCodec.encodeHandshake(HEAP, Handshake.Token.challenge(Bytes.ofUtf8("who?"))));
        add(frames, MessageCodec.encodeHandshake(HEAP, Handshake.Token.response(Bytes.ofUtf8("me"))));
        for (PoolRequest request : requests()) {
            add(frames, MessageCodec.encodeRequest(HEAP, 1, request));
        }
        for (PoolReply reply : replies()) {
            add(frames, MessageCodec.encodeReply(HEAP, 1, reply));
        }
        return frames;
    }

    private static Hello hello() {
        return Hello.of(
                JournalId.of("ns1"),
                NAMESPACE,
                Hello.CallerRole.WRITER,
                "nn1",
                Optional.of(NodeAddress.of("h1", 8485)),
                "NONE",
                Bytes.EMPTY);
    }

    /** One of each, in the order of the page. */
    public static List<PoolRequest> requests() {
        return List.of(
                NewEpochRequest.of(EPOCH, WRITER, 10_000),
                AppendRequest.of(
                        INCARNATION, EPOCH, WRITER, 10_000, POSITION, ENTRIES, LogPosition.of(Epoch.of(2), 40), 42),
                CommitRequest.of(EPOCH, 42).withIncarnation(INCARNATION),
                StepDownRequest.of(EPOCH).withIncarnation(INCARNATION),
                RebaseRequest.of(EPOCH, WRITER, 10_000, SUMMARY),
                FetchRequest.of(17, 1024, Epoch.NONE).withIncarnation(INCARNATION),
                StatusRequest.create(),
                AwaitCommitRequest.of(42, 1000),
                SegmentsRequest.of(1000),
                FormatRequest.of(NAMESPACE, NODE, LogSummary.ORIGIN, ENTRIES, true),
                PurgeRequest.of(EPOCH, 500).withIncarnation(INCARNATION),
                ChangeMembersRequest.of(MemberChange.replace("t1", NODE, NodeAddress.of("h2", 8485))),
                CollectChangesRequest.of(EPOCH, List.of(PROGRESS)),
                RetireRequest.of(EPOCH, NODE).withIncarnation(INCARNATION),
                StartOverRequest.of(NODE, INCARNATION),
                ImagesRequest.create(),
                ImagePartRequest.of(IMAGE, 1),
                ForwardRequest.of(Bytes.ofUtf8("call")));
    }

    private static List<PoolReply> replies() {
        return List.of(
                PromiseReply.of(NODE, EPOCH, SUMMARY, 40, LogPosition.of(Epoch.of(2), 43), 1, LogCompleteness.COMPLETE),
                AppendedReply.of(NODE, EPOCH, 42, LogCompleteness.COMPLETE),
                MismatchReply.of(NODE, EPOCH, POSITION, 40, LogCompleteness.REFETCHING),
                StaleEpochReply.of(NODE, EPOCH),
                LeaseHeldReply.of(NODE, EPOCH, 250),
                NotFormattedReply.of(NODE),
                DoneReply.of(NODE),
                EntriesReply.of(NODE, ENTRIES, 42),
                PurgedReply.of(NODE, SUMMARY),
                StatusReply.of(
                                NODE,
                                NAMESPACE,
                                Promise.of(EPOCH, WRITER, 10_000),
                                SUMMARY,
                                LogSummary.ORIGIN,
                                1,
                                LogCompleteness.COMPLETE,
                                250)
                        .withDiskStallMillis(3_500)
                        .withUnappliedEdit("transaction 7, MkdirOp: no"),
                SegmentsReply.of(
                        NODE,
                        List.of(SegmentInfo.of(TxRange.of(900, 1001), false, -66, TxRange.of(1000, 1001), 42)),
                        42,
                        1001),
                FailedReply.of(NODE, "no"),
                ChangeReply.of(NODE, PROGRESS),
                ChangesReply.of(NODE, List.of(MemberChange.add("t1", NodeAddress.of("h2", 8485)))),
                OtherIncarnationReply.of(NODE, INCARNATION),
                StartedOverReply.of(NODE, "/d/ns1.moved-1"),
                ImagesReply.of(
                        NODE, List.of(HeldImage.of(IMAGE, Bytes.wrap(new byte[] {1, 2, 3, 4}), "layoutVersion=-66"))),
                ImagePartReply.of(NODE, Bytes.ofUtf8("part")),
                ForwardedReply.of(NODE, Bytes.ofUtf8("done")));
    }

    private static void add(Map<String, String> frames, ByteBuf frame) {
        String type = typeOf(frame);
        frames.put(type, hex(frame));
    }

    private static String hex(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes).release();
        return HexFormat.of().formatHex(bytes);
    }

    private static String typeOfReleased(ByteBuf frame) {
        try {
            return typeOf(frame);
        } finally {
            frame.release();
        }
    }

    private static String typeOf(ByteBuf frame) {
        try {
            return MessageType.ofCode(frame.getByte(5)).name();
        } catch (BadFrameException e) {
            throw new AssertionError(e);
        }
    }

    private static Object decode(WireFrameDecoder decoder, String hex) {
        EmbeddedChannel channel = new EmbeddedChannel(decoder);
        channel.writeInbound(Unpooled.wrappedBuffer(HexFormat.of().parseHex(hex)));
        WireFrame frame = channel.readInbound();
        return frame.message();
    }

    private static List<String> pageLines() throws IOException {
        return Files.readAllLines(PAGE).stream()
                .filter(line -> line.matches("[A-Z_]+ [0-9a-f]+"))
                .toList();
    }
}
