/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs.promote;

import io.trefoil.foundation.hdfs.LocalOrder;
import io.trefoil.journal.hdfs.config.NodeConfiguration;
import io.trefoil.journal.hdfs.edits.EditFrames;
import io.trefoil.journal.hdfs.edits.NamespaceCounters;
import io.trefoil.journal.hdfs.restore.TimelineStartEdits;
import io.trefoil.journal.model.Bytes;
import io.trefoil.journal.model.Entry;
import io.trefoil.journal.model.EntryKind;
import io.trefoil.journal.model.Epoch;
import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.model.JournalId;
import io.trefoil.journal.model.LogCompleteness;
import io.trefoil.journal.model.LogSummary;
import io.trefoil.journal.model.Member;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.NodeId;
import io.trefoil.journal.model.Promise;
import io.trefoil.journal.model.StorageRecord;
import io.trefoil.journal.model.WriterId;
import io.trefoil.journal.protocol.PoolReply;
import io.trefoil.journal.protocol.StatusReply;
import io.trefoil.journal.replica.Promotion;
import io.trefoil.journal.storage.JournalStorage;
import io.trefoil.journal.storage.RecoveredJournal;
import io.trefoil.journal.storage.StorageIdentity;
import io.trefoil.journal.storage.device.FileStorageDevice;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;

/**
 * Promotes the pool node of this host while neither it nor the host's NameNode runs ({@code docs/design/lost-site.md}).
 * Keeps that NameNode from starting until {@code close}. Not thread-safe.
 *
 * <p>One step decides, and it is the last one: the new storage gets its name. Earlier steps have no effect without it,
 * so an interrupted promotion is simply started again.
 */
public final class JournalPromoter implements Closeable {

    private static final int READ_BYTES = 4 << 20;

    private final JournalId journal;
    private final Path directory;
    private final NameDirectories names;
    private final FileStorageDevice device;
    /** The directory in which an earlier, interrupted promotion left the storage; empty if there was none. */
    private final Optional<Path> movedTo;

    private final NavigableMap<Long, Path> images;
    private final Map<Path, Long> edits;
    private final NamespaceCounters counters;
    private final Promotion.Survivor own;
    private final StorageIdentity identity;
    private final LogSummary base;
    private final int layoutVersion;
    private final long writtenMillis;
    private final Optional<Long> lastEditMillis;

    private JournalPromoter(JournalId journal, Path directory, NameDirectories names, ImageReader reader)
            throws IOException {
        this.journal = journal;
        this.directory = directory;
        this.names = names;
        this.device = InterruptedPromotion.newDevice(directory);
        this.movedTo = InterruptedPromotion.oldStorage(directory);
        Path present = movedTo.orElse(directory);
        FileStorageDevice found = InterruptedPromotion.newDevice(present);
        if (!found.isFormatted()) {
            throw new IOException("The pool node of this host keeps no storage of journal " + journal
                    + ": there is none in " + directory + "; trefoil.journal.dir says where it is");
        }
        this.images = names.images();
        this.edits = names.edits();
        NamespaceCounters known = NamespaceCounters.NONE;
        for (Path image : images.values()) {
            known = known.max(reader.counters(image));
        }
        this.writtenMillis = lastWriteMillis(present);
        try (JournalStorage storage = found.open()) {
            RecoveredJournal recovered = storage.recoveredJournal();
            this.identity = recovered.identity();
            this.base = storage.base();
            LogSummary end = recovered.committedSummary();
            for (Entry entry : recovered.tail()) {
                end = end.plus(entry);
            }
            int layout = end.storage()
                    .map(StorageRecord::version)
                    .map(StorageRecord.Version::layoutVersion)
                    .orElse(0);
            NavigableMap<Long, Epoch> epochs = new TreeMap<>();
            epochs.put(base.position().sn(), base.position().epoch());
            EditTimes times = new EditTimes();
            long next = base.position().sn() + 1;
            while (next <= storage.lastSn()) {
                for (Entry entry : storage.read(next, READ_BYTES)) {
                    next++;
                    if (!epochs.lastEntry().getValue().equals(entry.epoch())) {
                        epochs.put(entry.sn(), entry.epoch());
                    }
                    if (entry.kind() == EntryKind.EDITS) {
                        times.read(entry.payload());
                        known = EditFrames.countersAfter(entry.payload(), known);
                    } else if (entry.kind() == EntryKind.SEGMENT_START) {
                        layout = Integer.parseInt(entry.payload().utf8());
                    }
                }
            }
            this.layoutVersion = layout;
            this.lastEditMillis = times.lastMillis();
            this.own = Promotion.Survivor.of(
                    identity.node(),
                    recovered.promise(),
                    recovered.completeness(),
                    recovered.committedSummary(),
                    end,
                    epochs);
            if (!own.member().isPresent()) {
                throw new IOException("The storage in " + present + " is not a member of journal " + journal
                        + "; the members are " + end.members());
            }
        }
        this.counters = known;
    }

    /**
     * Examines this host; changes nothing, except that it opens the storage as a starting node does.
     *
     * @param nameDirectories of the NameNode of this host
     * @param editsDirectories those in which that NameNode keeps edits in addition to the journal, its name directories or others
     * @param reader reads images
     * @throws IllegalArgumentException if a setting is missing or wrong; the text names the property
     * @throws IOException if the pool node or the NameNode runs, or there is nothing to promote
     */
    public static JournalPromoter open(
            Configuration conf,
            JournalId journal,
            List<Path> nameDirectories,
            List<Path> editsDirectories,
            ImageReader reader)
            throws IOException {
        Path directory = NodeConfiguration.directory(conf).resolve(journal.text());
        return open(directory, journal, nameDirectories, editsDirectories, reader);
    }

    static JournalPromoter open(
            Path directory,
            JournalId journal,
            List<Path> nameDirectories,
            List<Path> editsDirectories,
            ImageReader reader)
            throws IOException {
        requireOwner(directory);
        NameDirectories names = NameDirectories.lock(nameDirectories, editsDirectories);
        try {
            return new JournalPromoter(journal, directory, names, reader);
        } catch (IOException | RuntimeException e) {
            names.close();
            throw e;
        }
    }

    /** Refuses any user other than the owner: the NameNode could neither read nor lock that user's files. */
    private static void requireOwner(Path directory) throws IOException {
        Path owned = Files.exists(directory) ? directory : directory.getParent();
        if (!Files.exists(owned)) {
            return;
        }
        UserPrincipal owner = Files.getOwner(owned);
        // Compares the owners of two files: in a container, not every user has a name to compare.
        Path probe = Files.createTempFile("trefoil", ".owner");
        try {
            UserPrincipal user = Files.getOwner(probe);
            if (!user.equals(owner)) {
                throw new IOException(owned + " belongs to " + owner.getName() + ", and this command runs as "
                        + user.getName() + ": the NameNode could not use what it writes. Run it as " + owner.getName()
                        + ". Nothing was changed");
            }
        } finally {
            Files.delete(probe);
        }
    }

    /** Reads the counters of an image. */
    public interface ImageReader {
        /** @throws IOException if it is not an image, or is damaged */
        NamespaceCounters counters(Path image) throws IOException;
    }

    private static long lastWriteMillis(Path directory) throws IOException {
        long newest = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "log-*")) {
            for (Path file : files) {
                newest = Math.max(newest, Files.getLastModifiedTime(file).toMillis());
            }
        }
        return newest;
    }

    /** Addresses of the other members, which must be asked before a promotion. */
    public List<NodeAddress> otherMembers() {
        List<NodeAddress> others = new ArrayList<>();
        for (Member member : own.end().members().list()) {
            if (!member.id().equals(own.node())) {
                others.add(member.address());
            }
        }
        return others;
    }

    /**
     * Returns the effect that a promotion would have. Decides from the answers, from the storage and images as {@code
     * open} read them, and from the incarnations and void images in the name directories, which it reads now.
     *
     * @param answers of all members that answered
     * @param lostMembers members that, as the operator guarantees, will never come back
     */
    public PromotionPlan plan(Map<NodeAddress, PoolReply> answers, Set<NodeAddress> lostMembers) {
        List<String> refusals = new ArrayList<>();
        if (!own.isPromoted()) {
            refusals.addAll(Promotion.refusalReasons(own, answers, lostMembers));
            refusals.addAll(imageRefusals());
            // Transaction ids do not tell the timelines apart.
            NamespaceTimeline.of(journal, names.imageDirectories())
                    .refusalReason(own.end().incarnation(), own.end().members().lostRanges())
                    .ifPresent(refusals::add);
        }
        if (movedTo.isPresent() && !refusals.isEmpty()) {
            refusals.add("A promotion that was interrupted has left the storage in " + movedTo.get()
                    + ": before this pool node starts again without being promoted, rename that to " + directory);
        }
        return PromotionPlan.builder()
                .address(own.member().get().address())
                .incarnation(own.end().incarnation())
                .alreadyPromoted(own.isPromoted())
                .committedTxId(own.committedSummary().lastTxId())
                .lastTxId(own.end().lastTxId())
                .lastWriteMillis(writtenMillis)
                .lastEditMillis(lastEditMillis)
                .refetching(own.completeness() == LogCompleteness.REFETCHING)
                .lostMembers(new ArrayList<>(lostMembers))
                .refusals(refusals)
                .build();
    }

    private List<String> imageRefusals() {
        List<String> refusals = new ArrayList<>();
        long lastTxId = own.end().lastTxId();
        images.tailMap(lastTxId, false)
                .values()
                .forEach(image -> refusals.add("The image " + image + " of this host's NameNode has transactions "
                        + "after "
                        + lastTxId
                        + ", the last one in the log here: its namespace cannot go on with this log. "
                        + "Promote a node whose log has them, or give them up by moving the image out "
                        + "of the directory"));
        edits.forEach((file, last) -> {
            if (last > lastTxId) {
                refusals.add("The file " + file + " of this host's NameNode has edits up to transaction " + last
                        + ", after "
                        + lastTxId
                        + ", the last one in the log here: clients may have been told that they are done, and "
                        + "once active it would apply them as if the log went on with them. Promote a node "
                        + "whose log has them, or give them up by moving the file out of the directory");
            }
        });
        if (images.subMap(base.lastTxId(), true, Math.max(base.lastTxId(), lastTxId), true)
                .isEmpty()) {
            refusals.add("This host's NameNode has no image that the log here continues: wanted one at a transaction "
                    + "from "
                    + base.lastTxId() + " and " + lastTxId + " in " + names.imageDirectories() + ", found "
                    + images.keySet());
        }
        return refusals;
    }

    /**
     * Promotes the pool node.
     *
     * @return where the old storage is now
     * @throws IOException if the plan is refused, if the node has been started since, or if a disk failed: then the
     *     journal may or may not be promoted, and the same order finds out which
     */
    public String execute(PromotionPlan plan, Map<NodeAddress, PoolReply> answers) throws IOException {
        if (plan.alreadyPromoted() || !plan.refusals().isEmpty()) {
            throw new IOException("Promotion refused: " + plan.refusals());
        }
        return LocalOrder.executeAudited(
                "promote", "journal " + journal + " at " + plan.address(), () -> promote(plan, answers));
    }

    private String promote(PromotionPlan plan, Map<NodeAddress, PoolReply> answers) throws IOException {
        Set<NodeAddress> lostMembers = new LinkedHashSet<>(plan.lostMembers());
        Epoch epoch = Promotion.nextEpoch(own, answers.values());
        NodeId heir = NodeId.of(UUID.randomUUID().toString());
        Incarnation next = nextIncarnation(answers);
        NamespaceCounters risen =
                counters.startOfNextTimelineAt(System.currentTimeMillis(), newestIncarnation(answers));
        TimelineStartEdits first = TimelineStartEdits.of(own.end().lastTxId() + 1, risen, layoutVersion);
        Promotion.CounterIncrease rise = Promotion.CounterIncrease.of(
                first.txIds(),
                Bytes.ofUtf8(Integer.toString(first.layoutVersion())),
                first.edits(),
                risen.contiguousId());
        List<Entry> behind = Promotion.newEntries(own, epoch, heir, lostMembers, rise);
        if (movedTo.isPresent()) {
            device.moveBack(movedTo.get());
        }
        NamespaceTimeline.of(journal, names.imageDirectories()).expect(own.end().incarnation(), next);
        return device.createSuccessor(
                own.end().position(),
                StorageIdentity.of(heir, identity.namespace(), next),
                Promise.of(epoch, WriterId.NOBODY, 0),
                behind);
    }

    private Incarnation nextIncarnation(Map<NodeAddress, PoolReply> answers) {
        long number =
                Math.max(System.currentTimeMillis(), newestIncarnation(answers).number() + 1);
        return Incarnation.ofPromotion(number, new SecureRandom().nextLong());
    }

    private Incarnation newestIncarnation(Map<NodeAddress, PoolReply> answers) {
        Incarnation newest = own.end().incarnation();
        for (PoolReply reply : answers.values()) {
            if (reply instanceof StatusReply
                    && ((StatusReply) reply).end().incarnation().isAbove(newest)) {
                newest = ((StatusReply) reply).end().incarnation();
            }
        }
        return newest;
    }

    /** The directory of the storage. */
    public Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        names.close();
    }
}
