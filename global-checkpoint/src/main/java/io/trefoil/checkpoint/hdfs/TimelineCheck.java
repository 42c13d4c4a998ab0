/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.hdfs;

import com.google.auto.value.AutoValue;
import io.trefoil.checkpoint.hdfs.files.Manifests;
import io.trefoil.checkpoint.hdfs.files.NameDirectoryFiles;
import io.trefoil.checkpoint.hdfs.files.TimelineFile;
import io.trefoil.checkpoint.model.Manifest;
import io.trefoil.journal.model.VoidRange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a NameNode's name directories belong to the timeline of its journal, or are void since the journal was restored. What cannot
 * be read may be void; only a directory that this process has read since the last restore may fail later. Thread-safe.
 */
final class TimelineCheck {

    private static final Logger LOG = LoggerFactory.getLogger(TimelineCheck.class);

    /** The possible results of a check. */
    enum Kind {
        CURRENT,
        VOID,
        UNKNOWN
    }

    /** The result of a check, and its reason. */
    @AutoValue
    abstract static class Verdict {
        static final Verdict CURRENT = of(Kind.CURRENT, "");

        private static Verdict of(Kind kind, String text) {
            return new AutoValue_TimelineCheck_Verdict(kind, text);
        }

        static Verdict isVoid(String reason) {
            return of(Kind.VOID, reason);
        }

        static Verdict unknown(IOException cause) {
            return of(
                    Kind.UNKNOWN,
                    "Whether the namespace of this NameNode is void since a restore is not known: "
                            + cause.getMessage());
        }

        abstract Kind kind();

        /** The reason, for the operator; empty if nothing is wrong. */
        abstract String text();
    }

    /** The directories known to belong to the timeline, with the epoch of the restore that began it. */
    private final Map<Path, Long> currentEpochs = new ConcurrentHashMap<>();

    /** Checks all directories against the checkpoints in the journal. */
    Verdict check(List<NameDirectoryFiles> directories, Collection<Manifest> manifests) {
        Optional<Manifest> newestManifest = Manifests.newestRestored(manifests);
        List<VoidRange> ranges = Manifests.voidRanges(manifests);
        Verdict found = Verdict.CURRENT;
        for (NameDirectoryFiles directory : directories) {
            Verdict one = check(directory, newestManifest, ranges);
            if (one.kind() != Kind.CURRENT && found.kind() != Kind.VOID) {
                found = one;
            }
        }
        return found;
    }

    private Verdict check(NameDirectoryFiles directory, Optional<Manifest> newestManifest, List<VoidRange> ranges) {
        long epoch = newestManifest
                .map(manifest -> manifest.restoreRecord().get().epoch())
                .orElse(0L);
        try {
            Optional<String> isVoid = voidReason(directory, newestManifest, ranges);
            if (isVoid.isPresent()) {
                return Verdict.isVoid(isVoid.get());
            }
            currentEpochs.put(directory.root(), epoch);
            return Verdict.CURRENT;
        } catch (IOException e) {
            if (Long.valueOf(epoch).equals(currentEpochs.get(directory.root()))) {
                // HDFS continues with its other directories, too.
                LOG.debug("directory={} belonged to the journal's timeline and can no longer be read", directory, e);
                return Verdict.CURRENT;
            }
            return Verdict.unknown(new IOException(
                    "Name directory " + directory + " cannot be read: " + e
                            + "; repair it, or remove it from dfs.namenode.name.dir and restart this NameNode",
                    e));
        }
    }

    private static Optional<String> voidReason(
            NameDirectoryFiles directory, Optional<Manifest> newestManifest, List<VoidRange> ranges)
            throws IOException {
        long epoch = newestManifest
                .map(manifest -> manifest.restoreRecord().get().epoch())
                .orElse(0L);
        if (!Files.isDirectory(directory.current())) {
            throw new NotDirectoryException(directory.current().toString());
        }
        Optional<Long> found = TimelineFile.read(directory.current());
        if (found.isPresent() && found.get() <= epoch) {
            return found.get() < epoch
                    ? Optional.of(describeOutdated(directory.toString(), newestManifest.get()))
                    : Optional.<String>empty();
        }
        // The directory has no mark: it is from -format or -bootstrapStandby, at an unknown time, or from before there
        // were checkpoints. Or its epoch is higher: then it is from a journal that was initialized again since, or from
        // a restore whose checkpoint was deleted, and says nothing about this one.
        Optional<Path> image = newestManifest.isPresent() ? directory.voidImage(ranges) : Optional.<Path>empty();
        if (image.isPresent()) {
            return Optional.of(describeOutdated(image.get().toString(), newestManifest.get()));
        }
        mark(directory, epoch);
        return Optional.empty();
    }

    /** Marks a directory; without a mark, it would be judged by its images again. */
    private static void mark(NameDirectoryFiles directory, long epoch) {
        try {
            TimelineFile.write(directory.current(), epoch);
        } catch (IOException e) {
            LOG.warn("Cannot mark directory={} as holding the journal's current namespace; retrying", directory, e);
        }
    }

    private static String describeOutdated(String description, Manifest checkpoint) {
        return description + " is from before the nameservice was restored to checkpoint "
                + checkpoint.agreement().id() + "; run hdfs namenode -bootstrapStandby on this host";
    }
}
