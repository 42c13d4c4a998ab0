/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.image;

import io.trefoil.journal.image.RenewalDecision;
import io.trefoil.journal.model.ImageId;
import io.trefoil.journal.model.NodeAddress;
import io.trefoil.journal.model.SegmentInfo;
import io.trefoil.journal.pool.client.NodeAnswer;
import io.trefoil.journal.pool.client.PoolAdminClient;
import io.trefoil.journal.protocol.NotFormattedReply;
import io.trefoil.journal.protocol.SegmentsReply;
import io.trefoil.journal.protocol.SegmentsRequest;
import io.trefoil.journal.storage.image.DamagedImages;
import io.trefoil.journal.storage.image.ImageSource;
import io.trefoil.journal.storage.image.ImageTarget;
import io.trefoil.journal.storage.image.NameDirectoryLock;
import io.trefoil.tools.cluster.Installation;
import io.trefoil.tools.cluster.JournalLocation;
import io.trefoil.tools.cluster.LocalNameNode;
import io.trefoil.tools.output.ExitCode;
import io.trefoil.tools.output.VersionOfJar;
import io.trefoil.tools.pool.JournalOptions;
import io.trefoil.tools.pool.survey.PoolStatus;
import io.trefoil.tools.pool.survey.PoolSurvey;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code trefoil renew}: prepares this host's NameNode to start (paper §4.2.3). */
@Command(
        name = "renew",
        mixinStandardHelpOptions = true,
        versionProvider = VersionOfJar.class,
        description = {
            "Makes the NameNode of this host fit to start: if it has no image, or its newest one is older than "
                    + "the journal reaches back, fetches the newest image from the pool into its name "
                    + "directories. Otherwise it does nothing.",
            "An image that does not have the MD5 that HDFS wrote beside it is moved out of \"current\" first.",
            "For the systemd unit, before the NameNode starts; refuses while it runs."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:the NameNode can start and catch up; with --or-own: it has an image",
            "1:it needs an image, or is to get a newer one, and could not be given one; the output says why",
            "2:the command line or the configuration is wrong, or this is no NameNode's host",
            "3:no node answers"
        },
        footer = {
            "",
            "Examples:",
            "  hdfs trefoil renew --timeout 60",
            "  hdfs trefoil renew --or-own",
            "  hdfs trefoil renew --newest"
        })
public final class RenewCommand implements Callable<Integer> {

    private static final String ROOT = "root";

    /** The number of times that the command may choose another image. */
    private static final int CHOICES = 5;

    /** The time for which a pin is kept, longer than fetching and loading a large image takes. */
    private static final Duration KEPT = Duration.ofHours(1);

    @Mixin
    private final JournalOptions options;

    @Option(
            names = "--or-own",
            description = "Accept an image that the name directories have if the pool cannot be asked or has "
                    + "none that fits: the exit code is then 0, and the output says why. Does nothing where this "
                    + "NameNode has no ssp:// journal. Directories that get no image are left empty, for "
                    + "-bootstrapStandby.")
    private boolean ownWillDo;

    @Option(
            names = "--newest",
            description = "Fetch the pool's newest image even if the NameNode's own would do, to start behind an edit "
                    + "that it cannot apply.")
    private boolean newestWanted;

    @Spec
    private CommandSpec spec;

    public RenewCommand(Installation installation) {
        options = new JournalOptions(installation);
    }

    @Override
    public Integer call() throws IOException {
        if (newestWanted && ownWillDo) {
            throw new ParameterException(spec.commandLine(), "--newest and --or-own contradict each other");
        }
        if (ownWillDo && !options.isPoolConfigured()) {
            spec.commandLine().getErr().println("This NameNode has no ssp:// journal: nothing to do");
            return ExitCode.FINE;
        }
        LocalNameNode ownNameNode = options.localNameNode();
        if (!ownWillDo) {
            // What runs this before each start runs the NameNode as the same user.
            refuseRoot(ownNameNode.nameDirectories());
        }
        try {
            return renewOrKeep(ownNameNode);
        } finally {
            if (ownWillDo) {
                // What follows is HDFS's own way, which wants them empty.
                for (Path directory : ownNameNode.nameDirectories()) {
                    ImageTarget.clear(directory);
                }
            }
        }
    }

    private Integer renewOrKeep(LocalNameNode ownNameNode) throws IOException {
        moveDamagedAside(ownNameNode.nameDirectories());
        try {
            return renew(ownNameNode);
        } catch (IOException e) {
            Optional<Long> image = newestImage(ownNameNode.nameDirectories());
            if (!ownWillDo || !image.isPresent()) {
                throw e;
            }
            PrintWriter err = spec.commandLine().getErr();
            err.println(e.getMessage());
            err.println("Starts from its own image, of transaction " + image.get());
            return ExitCode.FINE;
        }
    }

    /** Refuses to run as a user other than the NameNode's, which could not read files written by root. */
    private void refuseRoot(List<Path> nameDirectories) throws IOException {
        for (Path directory : nameDirectories) {
            if (System.getProperty("user.name").equals(ROOT) && Files.isDirectory(directory)) {
                String owner = Files.getOwner(directory).getName();
                if (!owner.equals(ROOT)) {
                    throw new ParameterException(
                            spec.commandLine(),
                            "This is root, and " + directory + " belongs to " + owner
                                    + ", which could not read what root writes; type it as: sudo -u " + owner
                                    + " hdfs trefoil renew");
                }
            }
        }
    }

    private void moveDamagedAside(List<Path> nameDirectories) throws IOException {
        for (Path directory : nameDirectories) {
            if (!Files.isDirectory(directory)) {
                continue;
            }
            Optional<NameDirectoryLock> lock = NameDirectoryLock.tryAcquire(directory);
            if (!lock.isPresent()) {
                // A NameNode has loaded them.
                continue;
            }
            try (NameDirectoryLock held = lock.get()) {
                for (DamagedImages.SetAsideImage aside :
                        DamagedImages.setAside(held.file().getParent())) {
                    spec.commandLine().getErr().println(aside);
                }
            }
        }
    }

    private Integer renew(LocalNameNode ownNameNode) throws IOException {
        JournalLocation place = ownNameNode.journal();
        options.logInAsLocalNameNode();
        try (PoolAdminClient adminClient = options.openAdminClient(place);
                PoolAdminClient patient = options.openPatientAdminClient(place)) {
            PoolStatus status = PoolSurvey.of(place, adminClient, Long.MAX_VALUE);
            RenewalDecision renewal = RenewalDecision.of(
                    newestImage(ownNameNode.nameDirectories()),
                    oldestRetainedTxId(status, adminClient),
                    status.highestCommitted().barriers());
            if (!renewal.isNeeded() && !newestWanted) {
                PinOutcome pinning =
                        pinEditsAfter(ownNameNode, renewal.localImage().get());
                List<FetchedImage> rollback = fetchRollback(
                        ownNameNode.nameDirectories(), status, patient, PoolImages.of(status, adminClient));
                options.print(
                        () -> json(renewal, pinning, rollback),
                        () -> renewal + ": it can start\n" + text(rollback) + pinning.text() + "\n");
                return ExitCode.FINE;
            }
            requireMajority(status, renewal);
            PoolImages images = PoolImages.of(status, adminClient);
            ImageId image = choose(renewal, images);
            requireNewerImage(image, renewal, images);
            // Pinned before the first part is fetched: the edits after the image, which the NameNode will read, must
            // not be purged.
            PinOutcome pinning = pinEditsAfter(ownNameNode, image.txId());
            for (int more = CHOICES; more > 0 && !pinning.isPinned(); more--) {
                images = PoolImages.of(status, adminClient);
                ImageId newer = choose(renewal, images);
                if (newer.equals(image)) {
                    break;
                }
                // Images follow each other so fast that the edits after the first choice may already be purged.
                image = newer;
                pinning = pinEditsAfter(ownNameNode, image.txId());
            }
            List<FetchedImage> fetchedImages = fetch(ownNameNode.nameDirectories(), patient, images, image);
            fetchedImages.addAll(fetchRollback(ownNameNode.nameDirectories(), status, patient, images));
            report(renewal, pinning, fetchedImages);
        }
        return ExitCode.FINE;
    }

    private void report(RenewalDecision renewal, PinOutcome pinning, List<FetchedImage> fetchedImages) {
        options.print(
                () -> json(renewal, pinning, fetchedImages),
                () -> text(renewal, fetchedImages) + pinning.text() + "\n");
    }

    private static ImageId choose(RenewalDecision renewal, PoolImages images) throws IOException {
        return renewal.chooseImage(images.ids())
                .orElseThrow(() -> new IOException("Wanted an image to start from, since " + renewal + "; the pool has "
                        + images.text()
                        + renewal.describeSkipped(images.ids())
                                .map(reason -> "; " + reason)
                                .orElse("")
                        + ". Use hdfs namenode -bootstrapStandby"));
    }

    /** Requires an image newer than the NameNode's own; if it has none, any image is. */
    private static void requireNewerImage(ImageId image, RenewalDecision renewal, PoolImages images)
            throws IOException {
        long own = renewal.localImage().orElse(Long.MIN_VALUE);
        if (!renewal.isNeeded() && image.txId() <= own) {
            throw new IOException(
                    "Wanted an image newer than that of transaction " + own + ", which this NameNode has; the pool"
                            + " has " + images.text() + ". Have the active save one: hdfs dfsadmin -saveNamespace");
        }
    }

    /** Requires a majority: a node that was down may hold images with transactions that have become void, without knowing it. */
    private static void requireMajority(PoolStatus status, RenewalDecision renewal) throws IOException {
        if (!status.hasMajority()) {
            throw new IOException("Wanted an image to start from, since " + renewal + "; but only "
                    + status.reachableVoters() + " of the journal's nodes answer, a majority is "
                    + status.members().majority()
                    + ": they may not know what is void. Use hdfs namenode -bootstrapStandby");
        }
    }

    /** Pins the edits after an image. If that fails, the NameNode may start anyway: where no NameNode writes the journal, none purges. */
    private PinOutcome pinEditsAfter(LocalNameNode ownNameNode, long image) throws IOException {
        for (Path directory : ownNameNode.nameDirectories()) {
            if (NameDirectoryLock.isHeld(directory)) {
                // The NameNode that uses it pins what it needs by itself; no process would release this pin.
                return PinOutcome.failure(directory + " is in use");
            }
        }
        try {
            return PinOutcome.success(
                    options.openPinService(ownNameNode.journal()).pinForRenewal(ownNameNode.name(), image, KEPT));
        } catch (IOException e) {
            return PinOutcome.failure(e.getMessage());
        }
    }

    private static Optional<Long> newestImage(List<Path> nameDirectories) throws IOException {
        Optional<Long> newest = Optional.empty();
        for (Path directory : nameDirectories) {
            for (ImageId image : new ImageSource(directory).images().keySet()) {
                if (!newest.isPresent() || image.txId() > newest.get()) {
                    newest = Optional.of(image.txId());
                }
            }
        }
        return newest;
    }

    /**
     * The oldest transaction on the node that keeps the least, because that node may be asked later.
     *
     * @throws IOException if no node says: a journal from which no node answers is not an empty one
     */
    private static Optional<Long> oldestRetainedTxId(PoolStatus status, PoolAdminClient adminClient)
            throws IOException {
        Optional<Long> oldest = Optional.empty();
        Map<NodeAddress, NodeAnswer> answers = adminClient.query(status.reachableNodes(), SegmentsRequest.of(0));
        if (answers.values().stream().noneMatch(RenewCommand::isAnswer)) {
            throw new IOException("No node says which transactions it keeps; asked: " + answers.keySet());
        }
        for (NodeAnswer answer : answers.values()) {
            if (answer.reply().filter(SegmentsReply.class::isInstance).isPresent()) {
                List<SegmentInfo> segments = ((SegmentsReply) answer.reply().get()).segments();
                long first = segments.isEmpty() ? 0 : segments.get(0).txIds().first();
                if (!segments.isEmpty() && (!oldest.isPresent() || first > oldest.get())) {
                    oldest = Optional.of(first);
                }
            }
        }
        return oldest;
    }

    private static boolean isAnswer(NodeAnswer answer) {
        return answer.reply()
                .filter(reply -> reply instanceof SegmentsReply || reply instanceof NotFormattedReply)
                .isPresent();
    }

    /** Fetches from the pool into the first directory, and copies from there into the others. */
    private List<FetchedImage> fetch(
            List<Path> directories, PoolAdminClient adminClient, PoolImages images, ImageId image) throws IOException {
        List<FetchedImage> fetchedImages = new ArrayList<>();
        FetchedImage first = FetchedImage.fetch(adminClient, images, image, directories.get(0), options.progress());
        fetchedImages.add(first);
        for (Path directory : directories.subList(1, directories.size())) {
            fetchedImages.add(first.copyTo(directory));
        }
        return fetchedImages;
    }

    /**
     * Fetches the image of the beginning of a rolling upgrade as well, if one is in progress: HDFS drops the upgrade if it does not find
     * that image next to a later one. Whether it is in progress is asked of the active's node, since another one may not have applied its end
     * yet.
     */
    private List<FetchedImage> fetchRollback(
            List<Path> directories, PoolStatus status, PoolAdminClient adminClient, PoolImages images)
            throws IOException {
        Optional<NodeAddress> active = status.writerNode();
        Optional<ImageId> rollback = active.flatMap(images::newestRollbackImage);
        if (rollback.isPresent()) {
            return fetch(directories, adminClient, images, rollback.get());
        }
        if (!active.isPresent() && images.hasRollbackImage()) {
            spec.commandLine()
                    .getErr()
                    .println("The pool has the image of a rolling upgrade's beginning, and no NameNode is active that"
                            + " says whether it is going on; once one is, stop this NameNode and renew it again");
        }
        return new ArrayList<>();
    }

    private static String text(RenewalDecision renewal, List<FetchedImage> fetchedImages) {
        return renewal
                + (renewal.isNeeded() ? ": it needs a newer image\n" : ": it gets the newest one\n")
                + text(fetchedImages);
    }

    private static String text(List<FetchedImage> fetchedImages) {
        StringBuilder text = new StringBuilder();
        fetchedImages.forEach(image -> text.append(image.text()));
        return text.toString();
    }

    private static Map<String, Object> json(
            RenewalDecision renewal, PinOutcome pinning, List<FetchedImage> fetchedImages) {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("ownImage", renewal.localImage().orElse(null));
        object.put("oldestKept", renewal.oldestKept().orElse(null));
        object.put("needed", renewal.isNeeded());
        object.put("pinned", pinning.text());
        List<Object> list = new ArrayList<>();
        fetchedImages.forEach(image -> list.add(image.json()));
        object.put("fetched", list);
        return object;
    }
}
