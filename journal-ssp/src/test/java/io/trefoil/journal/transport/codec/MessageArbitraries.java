/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.transport.codec;

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
import io.trefoil.journal.model.RetiredStorage;
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
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** Every message that there is, with every value that its fields take. */
final class MessageArbitraries {

    private static final Arbitrary<Long> ANY = Arbitraries.longs();
    private static final Arbitrary<Long> NATURAL = Arbitraries.longs().greaterOrEqual(0);
    private static final Arbitrary<Epoch> EPOCHS = NATURAL.map(Epoch::of);
    private static final Arbitrary<Incarnation> INCARNATIONS =
            Combinators.combine(NATURAL, ANY).as(Incarnation::of);
    private static final Arbitrary<String> WORDS = Arbitraries.strings()
            .alpha()
            .numeric()
            .withChars("-.äß水")
            .ofMinLength(1)
            .ofMaxLength(40);
    private static final Arbitrary<String> TEXTS =
            Arbitraries.strings().alpha().withChars(" \näß水").ofMaxLength(200);
    private static final Arbitrary<NodeId> NODES = WORDS.map(NodeId::of);
    private static final Arbitrary<WriterId> WRITERS = WORDS.map(WriterId::of);
    private static final Arbitrary<LogCompleteness> COMPLETENESS = Arbitraries.of(LogCompleteness.class);
    private static final Arbitrary<LogPosition> POSITIONS =
            Combinators.combine(EPOCHS, NATURAL).as(LogPosition::of);
    private static final Arbitrary<Bytes> BYTES =
            Arbitraries.bytes().array(byte[].class).ofMaxSize(100).map(Bytes::wrap);
    private static final Arbitrary<NodeAddress> ADDRESSES =
            Combinators.combine(WORDS, Arbitraries.integers().between(1, 65535)).as(NodeAddress::of);
    private static final Arbitrary<NamespaceId> NAMESPACES = Arbitraries.oneOf(
            Arbitraries.just(NamespaceId.UNKNOWN),
            Combinators.combine(WORDS, Arbitraries.integers()).as(NamespaceId::of));

    private MessageArbitraries() {}

    static Arbitrary<PoolRequest> requests() {
        return Arbitraries.oneOf(
                Combinators.combine(EPOCHS, WRITERS, ANY).as(NewEpochRequest::of),
                Combinators.combine(INCARNATIONS, EPOCHS, WRITERS, ANY, POSITIONS, entryLists(), POSITIONS, ANY)
                        .as(AppendRequest::of),
                Combinators.combine(EPOCHS, ANY, INCARNATIONS)
                        .as((epoch, sn, incarnation) ->
                                CommitRequest.of(epoch, sn).withIncarnation(incarnation)),
                Combinators.combine(EPOCHS, INCARNATIONS)
                        .as((epoch, incarnation) -> StepDownRequest.of(epoch).withIncarnation(incarnation)),
                Combinators.combine(EPOCHS, WRITERS, ANY, summaries()).as(RebaseRequest::of),
                Combinators.combine(ANY, Arbitraries.integers(), EPOCHS, INCARNATIONS)
                        .as((sn, bytes, epoch, incarnation) ->
                                FetchRequest.of(sn, bytes, epoch).withIncarnation(incarnation)),
                Arbitraries.just(StatusRequest.create()),
                Combinators.combine(ANY, ANY).as(AwaitCommitRequest::of),
                ANY.map(SegmentsRequest::of),
                Combinators.combine(NAMESPACES, NODES, summaries(), entryLists(), Arbitraries.of(true, false))
                        .as(FormatRequest::of),
                Combinators.combine(EPOCHS, ANY, INCARNATIONS)
                        .as((epoch, txId, incarnation) ->
                                PurgeRequest.of(epoch, txId).withIncarnation(incarnation)),
                changes().map(ChangeMembersRequest::of),
                Combinators.combine(EPOCHS, progress().list().ofMaxSize(3)).as(CollectChangesRequest::of),
                Combinators.combine(EPOCHS, NODES, INCARNATIONS)
                        .as((epoch, node, incarnation) ->
                                RetireRequest.of(epoch, node).withIncarnation(incarnation)),
                Combinators.combine(NODES, INCARNATIONS).as(StartOverRequest::of),
                Arbitraries.just(ImagesRequest.create()),
                Combinators.combine(images(), Arbitraries.integers()).as(ImagePartRequest::of),
                BYTES.map(ForwardRequest::of));
    }

    static Arbitrary<PoolReply> replies() {
        Arbitrary<Promise> promises =
                Combinators.combine(EPOCHS, WRITERS, NATURAL).as(Promise::of);
        return Arbitraries.oneOf(
                Combinators.combine(NODES, EPOCHS, summaries(), ANY, POSITIONS, ANY, COMPLETENESS)
                        .as(PromiseReply::of),
                Combinators.combine(NODES, EPOCHS, ANY, COMPLETENESS).as(AppendedReply::of),
                Combinators.combine(NODES, EPOCHS, POSITIONS, ANY, COMPLETENESS).as(MismatchReply::of),
                Combinators.combine(NODES, EPOCHS).as(StaleEpochReply::of),
                Combinators.combine(NODES, EPOCHS, ANY).as(LeaseHeldReply::of),
                NODES.map(NotFormattedReply::of),
                NODES.map(DoneReply::of),
                Combinators.combine(NODES, entryLists(), ANY).as(EntriesReply::of),
                Combinators.combine(NODES, summaries()).as(PurgedReply::of),
                Combinators.combine(
                                Combinators.combine(
                                                NODES,
                                                NAMESPACES,
                                                promises,
                                                summaries(),
                                                summaries(),
                                                ANY,
                                                COMPLETENESS,
                                                ANY)
                                        .as(StatusReply::of),
                                ANY,
                                TEXTS)
                        .as((reply, silent, edit) ->
                                reply.withDiskStallMillis(silent).withUnappliedEdit(edit)),
                Combinators.combine(NODES, segments().list().ofMaxSize(3), ANY, ANY)
                        .as(SegmentsReply::of),
                Combinators.combine(NODES, TEXTS).as(FailedReply::of),
                Combinators.combine(NODES, INCARNATIONS).as(OtherIncarnationReply::of),
                Combinators.combine(NODES, progress()).as(ChangeReply::of),
                Combinators.combine(NODES, changes().list().ofMaxSize(3)).as(ChangesReply::of),
                Combinators.combine(NODES, TEXTS).as(StartedOverReply::of),
                Combinators.combine(NODES, heldImages().list().ofMaxSize(3)).as(ImagesReply::of),
                Combinators.combine(NODES, BYTES).as(ImagePartReply::of),
                Combinators.combine(NODES, BYTES).as(ForwardedReply::of));
    }

    private static Arbitrary<ImageId> images() {
        return Combinators.combine(NATURAL, Arbitraries.longs().between(1, 10L << 20), Arbitraries.longs())
                .as((txId, length, digest) -> ImageId.of(txId, length, String.format("%032x", digest)));
    }

    private static Arbitrary<HeldImage> heldImages() {
        return Combinators.combine(images(), TEXTS).as((id, version) -> {
            long parts = (id.length() + HeldImage.PART_BYTES - 1) / HeldImage.PART_BYTES;
            return HeldImage.of(id, Bytes.wrap(new byte[(int) parts * HeldImage.CHECKSUM_BYTES]), version);
        });
    }

    private static Arbitrary<MemberChange> changes() {
        return Arbitraries.oneOf(
                Combinators.combine(WORDS, ADDRESSES).as(MemberChange::join),
                Combinators.combine(WORDS, ADDRESSES).as(MemberChange::add),
                Combinators.combine(WORDS, ADDRESSES).as(MemberChange::addLearner),
                Combinators.combine(WORDS, NODES).as(MemberChange::remove),
                Combinators.combine(WORDS, NODES).as(MemberChange::forcedRemove),
                Combinators.combine(WORDS, NODES, ADDRESSES).as(MemberChange::replace));
    }

    private static Arbitrary<ChangeProgress> progress() {
        return Combinators.combine(WORDS, Arbitraries.of(ChangeProgress.Stage.class), TEXTS)
                .as(ChangeProgress::of);
    }

    static Arbitrary<Hello> hellos() {
        Arbitrary<JournalId> journals = Arbitraries.of("ns1", "a-b_c.d").map(JournalId::of);
        return Combinators.combine(
                        journals,
                        NAMESPACES,
                        Arbitraries.of(Hello.CallerRole.class),
                        TEXTS,
                        ADDRESSES.optional(),
                        WORDS,
                        BYTES)
                .as(Hello::of);
    }

    static Arbitrary<Welcome> welcomes() {
        return Combinators.combine(NODES, Arbitraries.of(true, false), NAMESPACES, EPOCHS)
                .as(Welcome::of);
    }

    static Arbitrary<String> texts() {
        return TEXTS;
    }

    private static Arbitrary<List<Entry>> entryLists() {
        Arbitrary<TxRange> ranges = Combinators.combine(
                        Arbitraries.longs().between(0, Long.MAX_VALUE / 2),
                        Arbitraries.longs().between(1, 1000))
                .as((first, count) -> TxRange.of(first, first + count - 1));
        Arbitrary<LogPosition> places = Combinators.combine(
                        EPOCHS, Arbitraries.longs().greaterOrEqual(1))
                .as(LogPosition::of);
        return Combinators.combine(places, Arbitraries.of(EntryKind.class), ranges, BYTES)
                .as(Entry::of)
                .list()
                .ofMaxSize(4);
    }

    private static Arbitrary<LogSummary> summaries() {
        Member voter = Member.voter(NodeId.of("node-1"), NodeAddress.of("host1.example", 8485));
        Member learner = Member.learner(NodeId.of("node-2"), NodeAddress.of("[fe80::1]", 8486));
        Arbitrary<Members> members = Arbitraries.of(
                Members.NONE,
                Members.of(List.of(voter)),
                Members.of(List.of(voter, learner)),
                Members.of(List.of(voter, learner)).without(learner.id(), RetiredStorage.Cause.REMOVED));
        Arbitrary<StorageRecord> records = Combinators.combine(Arbitraries.integers(), ANY)
                .as((layout, cTime) -> StorageRecord.ofFormat(StorageRecord.Version.of(layout, cTime)));
        return Combinators.combine(POSITIONS, members, ANY, ANY.optional(), records.optional(), INCARNATIONS)
                .as((position, all, lastTxId, open, record, incarnation) ->
                        LogSummary.of(position, all, lastTxId, open, record).with(incarnation));
    }

    private static Arbitrary<SegmentInfo> segments() {
        Arbitrary<TxRange> ranges = Combinators.combine(
                        Arbitraries.longs().between(0, Long.MAX_VALUE / 2),
                        Arbitraries.longs().between(0, 1000))
                .as((first, count) -> TxRange.of(first, first + count - 1));
        return Combinators.combine(ranges, Arbitraries.of(true, false), Arbitraries.integers(), ranges, ANY)
                .as(SegmentInfo::of);
    }
}
