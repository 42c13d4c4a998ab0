/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.checkpoint.Checkpoints;
import io.trefoil.checkpoint.archive.HistoricalFile;
import io.trefoil.checkpoint.archive.store.ArchiveStore;
import io.trefoil.checkpoint.archive.store.CommittedLog;
import io.trefoil.checkpoint.archive.store.ServedNamespace;
import io.trefoil.checkpoint.hdfs.archive.FileSystemStore;
import io.trefoil.checkpoint.hdfs.undelete.Undelete;
import io.trefoil.checkpoint.undelete.UndeleteOptions;
import io.trefoil.checkpoint.undelete.UndeleteStep;
import io.trefoil.foundation.Progress;
import io.trefoil.foundation.linkage.MissingMember;
import io.trefoil.journal.codec.EntryCodec;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.pin.FakePinService;
import io.trefoil.journal.hdfs.pin.PinService;
import io.trefoil.journal.hdfs.promote.JournalPromoter;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.ChangeProgress;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.HeldImage;
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
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.pool.StoreStatus;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.ChangeMembersRequest;
import io.trefoil.journal.protocol.ChangeReply;
import io.trefoil.journal.protocol.EntriesReply;
import io.trefoil.journal.protocol.FailedReply;
import io.trefoil.journal.protocol.FetchRequest;
import io.trefoil.journal.protocol.ImagePartReply;
import io.trefoil.journal.protocol.ImagePartRequest;
import io.trefoil.journal.protocol.ImagesReply;
import io.trefoil.journal.protocol.ImagesRequest;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.PoolRequest;
import io.trefoil.journal.protocol.PurgedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.protocol.StartOverRequest;
import io.trefoil.journal.protocol.StartedOverReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.storage.PurgedException;
import io.trefoil.tools.TrefoilCommand;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;

/** A cluster as the command sees it: nodes 1, 2, 3 of journal ns1, each with a log that a test may change. */
public final class FakePool implements Installation {
    /** Whether this host's NameNode keeps its edits in a pool. */
    public boolean poolConfigured = true;

    /** What this host's Hadoop lacks. */
    public List<MissingMember> missingOfHadoop = List.of();

    /** What keeps the journal instead of a pool. */
    public Optional<StoreStatus> store = Optional.empty();

    public List<String> givenUp = List.of();
    public Optional<String> loginFailure = Optional.empty();
    public Promotions promotion = nameNode -> {
        throw new IOException("nothing to promote");
    };
    static final NamespaceId NAMESPACE = NamespaceId.of("CID-1", 7);
    public static final Epoch EPOCH = Epoch.of(3);

    final Map<NodeAddress, FakeNode> nodes = new LinkedHashMap<>();
    public final List<SegmentInfo> segments = new ArrayList<>();
    public Optional<String> asked = Optional.empty();
    public Optional<SegmentInfo> unreadableSegment = Optional.empty();
    public Duration timeout = Duration.ZERO;
    /** The unexpected error with which asking fails. */
    public Optional<RuntimeException> bug = Optional.empty();
    /** The silent nodes for which a caller waits until its time is up. */
    public final Set<NodeAddress> waitedFor = new LinkedHashSet<>();
    /** What was asked of the members, asked again or not. */
    public final List<MemberChange> changes = new ArrayList<>();
    /** How far the writer says it is. */
    public Function<MemberChange, ChangeProgress> writer =
            change -> ChangeProgress.of(change.ticket(), ChangeProgress.Stage.NO_WRITER, "no writer has been heard");

    public final FakeNameNodes nameNodes = new FakeNameNodes();
    public final FakePinService pinService = new FakePinService();
    private final Map<Class<?>, Object> parts = new HashMap<>();

    public Supplier<Checkpoints> checkpoints = () -> {
        throw new IllegalArgumentException("There are no checkpoints here");
    };
    public Supplier<HostPlan> plan = () -> {
        throw new IllegalArgumentException("This is no host of a NameNode");
    };
    public Supplier<HostFacts> facts = () -> {
        throw new IllegalArgumentException("This host says nothing of itself");
    };
    public final List<Path> nameDirectories = new ArrayList<>();
    /** Operations whose progress an operator would see. */
    public final List<String> begun = new ArrayList<>();

    public final CountedProgress counted = new CountedProgress();
    /** What is to be done to bring any path back. */
    public List<UndeleteStep> undeleteSteps = List.of();

    public final List<UndeleteOptions> undeleteOptions = new ArrayList<>();
    public final List<UndeleteStep> undeleted = new ArrayList<>();
    /** Why nothing can be brought back. */
    public Optional<String> undeleteFailure = Optional.empty();

    public boolean cannotReserveIds;
    /** The ids above which a namespace was last told to assign some. */
    public NamespaceCounters reservedAbove = NamespaceCounters.NONE;

    /** The newest incarnation that the last order to reserve ids named. */
    public Incarnation newestKnown = Incarnation.NONE;

    public NamespaceCounters imageCounters = NamespaceCounters.NONE;
    public String output = "";
    public String errors = "";

    public FakePool(int nodeCount) {
        for (int number = 1; number <= nodeCount; number++) {
            nodes.put(address(number), new FakeNode(number));
        }
    }

    public static NodeAddress address(int number) {
        return NodeAddress.of("host" + number, 8487);
    }

    public static NodeId id(int number) {
        return NodeId.of("id" + number);
    }

    public FakeNode node(int number) {
        return nodes.get(address(number));
    }

    public Collection<FakeNode> all() {
        return nodes.values();
    }

    @Override
    public PinService openPinService(JournalLocation location, Duration wait) {
        return pinService;
    }

    @Override
    public Optional<StoreStatus> readStoreStatus(Optional<String> wanted) {
        return store;
    }

    @Override
    public boolean isPoolConfigured() {
        return poolConfigured;
    }

    @Override
    public Optional<JournalLocation> journalOf(String nameservice, String nameNode) {
        return poolConfigured ? Optional.of(find(Optional.empty())) : Optional.empty();
    }

    @Override
    public LocalNameNode localNameNode() {
        return LocalNameNode.of("nn2", find(Optional.empty()), nameDirectories);
    }

    @Override
    public List<Path> storageDirectories(LocalNameNode nameNode) {
        return nameNode.nameDirectories();
    }

    @Override
    public void logInAsLocalNameNode() throws IOException {
        if (loginFailure.isPresent()) {
            throw new IOException(loginFailure.get());
        }
    }

    @Override
    public JournalPromoter openPromotion(LocalNameNode nameNode) throws IOException {
        return promotion.get(nameNode);
    }

    /** What there is on this host to be promoted. */
    public interface Promotions {
        JournalPromoter get(LocalNameNode nameNode) throws IOException;
    }

    @Override
    public HostPlan hostPlan() {
        return plan.get();
    }

    @Override
    public Checkpoints checkpoints() {
        return checkpoints.get();
    }

    @Override
    public Progress progress() {
        return (what, units) -> {
            begun.add(what + ", " + units);
            return counted;
        };
    }

    /** Has a part that another feature brings. */
    public <T> FakePool withPort(Class<T> port, T part) {
        parts.put(port, part);
        return this;
    }

    @Override
    public <T> Optional<T> findPart(Class<T> port) {
        return Optional.ofNullable(port.cast(parts.get(port)));
    }

    @Override
    public HostFacts hostFacts() {
        return facts.get();
    }

    @Override
    public NameNodes nameNodes() {
        return nameNodes;
    }

    /** Runs the command; gives the exit code. */
    public int run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = TrefoilCommand.run(
                this,
                TrefoilCommand.PROFILE_COMMAND,
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                arguments);
        output = out.toString();
        errors = err.toString();
        return code;
    }

    @Override
    public String hadoopVersion() {
        return "3.4.3";
    }

    @Override
    public List<MissingMember> missingHadoopMembers() {
        return missingOfHadoop;
    }

    @Override
    public JournalLocation find(Optional<String> wanted) {
        asked = wanted;
        if (wanted.filter("none"::equals).isPresent()) {
            throw new IllegalArgumentException("Wanted one journal named 'none', found [ns1]");
        }
        List<NodeAddress> addresses = new ArrayList<>(nodes.keySet());
        addresses.removeIf(address -> !nodes.get(address).isInUri);
        return JournalLocation.of(JournalId.of("ns1"), addresses);
    }

    @Override
    public List<String> waivedGuarantees() {
        return givenUp;
    }

    @Override
    public PoolAdminClient openAdminClient(JournalLocation location, Duration wait) {
        timeout = wait;
        return new PoolAdminClient() {
            @Override
            public Map<NodeAddress, NodeAnswer> query(
                    Collection<NodeAddress> addresses,
                    PoolRequest request,
                    Predicate<Map<NodeAddress, NodeAnswer>> enough) {
                bug.ifPresent(failure -> {
                    throw failure;
                });
                Map<NodeAddress, NodeAnswer> answers = new LinkedHashMap<>();
                addresses.forEach(
                        address -> answers.put(address, nodes.get(address).answer(request)));
                addAwaitedAnswers(answers, enough);
                if (request instanceof ChangeMembersRequest asking) {
                    changes.add(asking.change());
                    ChangeProgress progress = writer.apply(asking.change());
                    answers.replaceAll(
                            (address, answer) -> NodeAnswer.ofReply(ChangeReply.of(nodes.get(address).id, progress)));
                }
                return answers;
            }

            @Override
            public void close() {
                // There is nothing behind it.
            }
        };
    }

    private void addAwaitedAnswers(
            Map<NodeAddress, NodeAnswer> answers, Predicate<Map<NodeAddress, NodeAnswer>> enough) {
        Map<NodeAddress, NodeAnswer> given = new LinkedHashMap<>(answers);
        given.values().removeIf(answer -> answer.reply().isEmpty());
        if (given.size() < answers.size() && !enough.test(given)) {
            waitedFor.addAll(answers.keySet());
            waitedFor.removeAll(given.keySet());
        }
    }

    /** The log of the first node. */
    @Override
    public CommittedLog openCommittedLog(JournalLocation location) {
        return new CommittedLog() {
            @Override
            public Incarnation incarnation() {
                return node(1).incarnation;
            }

            @Override
            public List<Entry> read(long firstSn, int maxBytes) throws IOException {
                PoolReply reply = node(1).fetch(FetchRequest.of(firstSn, maxBytes, Epoch.NONE));
                if (reply instanceof PurgedReply purged) {
                    throw new PurgedException(firstSn, purged.base());
                }
                return ((EntriesReply) reply).entries();
            }
        };
    }

    /** A file with the name of each file of the directory. */
    @Override
    public List<HistoricalFile> list(Path nameDirectory, String path) throws IOException {
        try (Stream<Path> files = Files.list(nameDirectory.resolve("current"))) {
            return files.map(file -> HistoricalFile.builder()
                            .path(path + "/" + file.getFileName())
                            .kind(HistoricalFile.Kind.FILE)
                            .permission("rw-r-----")
                            .owner("alice")
                            .group("staff")
                            .bytes(7)
                            .modifiedMillis(0)
                            .inode(file.getFileName().hashCode())
                            .build())
                    .sorted(Comparator.comparing(HistoricalFile::path))
                    .toList();
        }
    }

    @Override
    public List<HistoricalFile> listBelow(Path nameDirectory, String path) throws IOException {
        if (path.contains("never")) {
            throw new FileNotFoundException(path + " was not there: / had no 'never'");
        }
        return list(nameDirectory, path);
    }

    /** Serves for no time at all. */
    @Override
    public ServedNamespace serve(Path nameDirectory, InetSocketAddress rpc, InetSocketAddress http) {
        assertThat(nameDirectory.resolve("current/VERSION")).exists();
        return new ServedNamespace() {
            @Override
            public String uri() {
                return "hdfs://" + rpc.getHostString() + ":" + rpc.getPort();
            }

            @Override
            public String webAddress() {
                return "http://" + http.getHostString() + ":" + http.getPort();
            }

            @Override
            public void join() {}

            @Override
            public void close() {}
        };
    }

    /** Leaves a file that says so, if there is none that says that it fails. */
    @Override
    public Undelete openUndelete(String nameservice, ServedNamespace pastNamespace) {
        assertThat(nameservice).isEqualTo("ns1");
        assertThat(pastNamespace.uri()).startsWith("hdfs://");
        return new Undelete() {
            @Override
            public List<UndeleteStep> plan(String path, UndeleteOptions options) {
                undeleteOptions.add(options);
                return undeleteSteps;
            }

            @Override
            public List<UndeleteStep> execute(List<UndeleteStep> steps, Progress.Task task) {
                undeleted.addAll(steps);
                return undeleteFailure
                        .map(why ->
                                steps.stream().map(step -> step.asFailed(why)).toList())
                        .orElse(steps);
            }

            @Override
            public void close() {
                // There is nothing behind it.
            }
        };
    }

    @Override
    public void reserveIds(Path nameDirectory, NamespaceCounters usedCounters, Incarnation newest) throws IOException {
        reservedAbove = usedCounters;
        newestKnown = newest;
        if (cannotReserveIds) {
            throw new IOException("No space left on device");
        }
        Files.createFile(nameDirectory.resolve("current/successor"));
    }

    @Override
    public NamespaceCounters countersOf(Path image) {
        return imageCounters;
    }

    @Override
    public ArchiveStore openArchive(String directory) {
        try {
            return FileSystemStore.of(new Configuration(false), directory);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    @Override
    public EditsSource openEdits(JournalLocation location) {
        return new EditsSource() {
            @Override
            public List<SegmentInfo> segments(long fromTxId) throws IOException {
                if (all().stream().filter(node -> node.silence.isEmpty()).count() * 2 <= nodes.size()) {
                    throw new IOException("edits can be read when a majority answers");
                }
                return segments;
            }

            @Override
            public String fileName(SegmentInfo segment) {
                return "edits_" + segment.readableTxIds();
            }

            @Override
            public void write(SegmentInfo segment, OutputStream target) throws IOException {
                if (unreadableSegment.equals(Optional.of(segment))) {
                    throw new IOException(
                            "wanted transaction " + segment.readableTxIds().first() + ", found nothing");
                }
                target.write(("segment " + segment.readableTxIds()).getBytes(StandardCharsets.UTF_8));
            }

            @Override
            public void close() {
                // There is nothing behind it.
            }
        };
    }

    /** One node: its answers are made of its fields. */
    public static final class FakeNode {
        public final List<Entry> log = new ArrayList<>();
        public LogSummary base = LogSummary.ORIGIN;
        public NodeId id;
        public NamespaceId namespace = NAMESPACE;
        public Incarnation incarnation = Incarnation.NONE;
        public Epoch promised = EPOCH;
        public WriterId writer = WriterId.NOBODY;
        public long leaseHeldMillis;
        public LogCompleteness completeness = LogCompleteness.COMPLETE;
        public long diskSilentMillis;
        public String unapplied = "";
        public Members members = Members.of(List.of(
                Member.voter(id(1), address(1)), Member.voter(id(2), address(2)), Member.voter(id(3), address(3))));
        public boolean isInUri = true;
        public String silence = "";
        public Optional<PoolReply> insteadOfStatus = Optional.empty();
        public long unreadableSn;
        public long committedBeyondTheLog;
        /** What it fetches when it starts over. */
        public Optional<FakeNode> refetchesFrom = Optional.empty();

        public boolean startedOver;

        public final Map<HeldImage, Bytes> images = new LinkedHashMap<>();
        public List<SegmentInfo> segments = List.of();
        public Optional<PoolReply> insteadOfSegments = Optional.empty();

        FakeNode(int number) {
            id = id(number);
        }

        NodeAnswer answer(PoolRequest request) {
            if (!silence.isEmpty()) {
                return NodeAnswer.ofFailure(silence);
            }
            if (request instanceof FetchRequest fetch) {
                return NodeAnswer.ofReply(fetch(fetch));
            }
            if (request instanceof StartOverRequest start) {
                return NodeAnswer.ofReply(startRefetch(start));
            }
            if (request instanceof ImagesRequest) {
                return NodeAnswer.ofReply(ImagesReply.of(id, new ArrayList<>(images.keySet())));
            }
            if (request instanceof ImagePartRequest part) {
                return NodeAnswer.ofReply(images.entrySet().stream()
                        .filter(image -> image.getKey().id().equals(part.image()))
                        .map(image -> (PoolReply) ImagePartReply.of(id, image.getValue()))
                        .findFirst()
                        .orElse(FailedReply.of(id, "not held")));
            }
            if (request instanceof SegmentsRequest) {
                return NodeAnswer.ofReply(
                        insteadOfSegments.orElseGet(() -> SegmentsReply.of(id, segments, log.size(), 0)));
            }
            return NodeAnswer.ofReply(insteadOfStatus.orElseGet(this::status));
        }

        private PoolReply startRefetch(StartOverRequest request) {
            if (!request.node().equals(id)) {
                return FailedReply.of(id, "wanted node " + request.node());
            }
            if (request.incarnation().isKnown()) {
                incarnation = request.incarnation();
            }
            startedOver = true;
            insteadOfStatus = Optional.empty();
            log.clear();
            refetchesFrom.ifPresent(source -> log.addAll(source.log));
            return StartedOverReply.of(id, "/data/ns1.moved-1");
        }

        private PoolReply fetch(FetchRequest request) {
            long skipped = request.firstSn() - base.position().sn() - 1;
            if (skipped < 0) {
                return PurgedReply.of(id, base);
            }
            List<Entry> entries = new ArrayList<>();
            long bytes = 0;
            for (Entry entry : log.subList((int) Math.min(skipped, log.size()), log.size())) {
                if (entry.sn() == unreadableSn) {
                    return entries.isEmpty()
                            ? FailedReply.of(id, "checksum of entry " + unreadableSn + " is wrong")
                            : EntriesReply.of(id, entries, log.size());
                }
                bytes += EntryCodec.size(entry);
                if (!entries.isEmpty() && bytes > request.maxBytes()) {
                    break;
                }
                entries.add(entry);
            }
            return EntriesReply.of(id, entries, log.size());
        }

        private StatusReply status() {
            // Not summed up entry by entry: the log may be a wrong one.
            LogPosition last =
                    log.isEmpty() ? base.position() : log.get(log.size() - 1).position();
            long lastTxId = base.lastTxId();
            for (Entry entry : log) {
                lastTxId = entry.kind() == EntryKind.EDITS ? entry.txIds().last() : lastTxId;
            }
            LogSummary end = LogSummary.of(
                            LogPosition.of(last.epoch(), last.sn() + committedBeyondTheLog),
                            members,
                            lastTxId,
                            Optional.empty(),
                            Optional.empty())
                    .with(base.barriers())
                    .with(incarnation);
            Promise promise = Promise.of(promised, writer, leaseHeldMillis);
            return StatusReply.of(
                            id, namespace, promise, end, end, base.position().sn() + 1, completeness, leaseHeldMillis)
                    .withDiskStallMillis(diskSilentMillis)
                    .withUnappliedEdit(unapplied);
        }
    }
}
