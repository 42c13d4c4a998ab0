/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.client.hdfs.version;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.viewfs.Constants;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A version of the table as read: the client that routes by it, and the directories that it handed over. What an owner has left
 * in a directory for the time of a change, a seal or a closed directory, it asks the owner, each time. Immutable; thread-safe.
 */
public final class TableVersion {
    private static final Logger LOG = LoggerFactory.getLogger(TableVersion.class);

    /** The seal that the command leaves below a directory that was handed over; it shows that a quota is not a user's. */
    private static final String SEAL = ".snapshot/trefoil-sealed";

    /** The prefix of a directory's entry in the content of a version. */
    private static final String LINK = Constants.CONFIG_VIEWFS_LINK + ".";

    /** The permission of a directory that a move has closed to all but superusers. */
    private static final short CLOSED = 0;

    private final long changedAt;
    private final SubtreeView view;
    private final long readAt;

    /**
     * The directories with other owners in a version shortly before, each with the time at which the client read of the handover.
     */
    private final Map<Path, Long> handedOver;

    private TableVersion(long changedAt, SubtreeView view, long readAt, Map<Path, Long> handedOver) {
        this.changedAt = changedAt;
        this.view = view;
        this.readAt = readAt;
        this.handedOver = handedOver;
    }

    /**
     * Creates a version that handed nothing over, or so long ago that everything is open.
     *
     * @param changedAt when the table's directory had been changed, in milliseconds of its nameservice's clock
     * @param readAt in nanoseconds of the client's clock
     */
    public static TableVersion firstVersion(long changedAt, SubtreeView view, long readAt) {
        return new TableVersion(changedAt, view, readAt, Collections.emptyMap());
    }

    /**
     * Creates the version that a client begins with. Like those before it, it may have been made a moment ago.
     *
     * @param before what the versions before it have, the last one first
     * @param changedAt when the table's directory had been changed, in milliseconds of its nameservice's clock
     * @param readAt in nanoseconds of the client's clock
     */
    public static TableVersion firstVersion(
            List<Map<String, String>> before, long changedAt, SubtreeView view, long readAt) {
        Map<Path, Long> handedOver = new TreeMap<>();
        Map<String, String> laterEntries = view.content();
        for (Map<String, String> earlierEntries : before) {
            handedOverDirectories(earlierEntries, laterEntries).forEach(directory -> handedOver.put(directory, readAt));
            laterEntries = earlierEntries;
        }
        return new TableVersion(changedAt, view, readAt, handedOver);
    }

    /**
     * The version that was read after this one. It may be made while what this one handed over is not open yet.
     *
     * @param laterChangedAt when the table's directory had been changed, in milliseconds of its nameservice's clock
     * @param laterReadAt in nanoseconds of the client's clock
     * @param sinceNanos of that clock: what was handed over before is open
     */
    public TableVersion withSuccessor(long laterChangedAt, SubtreeView laterView, long laterReadAt, long sinceNanos) {
        Map<Path, Long> all = new TreeMap<>(handedOver);
        all.values().removeIf(at -> at - sinceNanos < 0);
        handedOverDirectories(view.content(), laterView.content())
                .forEach(directory -> all.put(directory, laterReadAt));
        return new TableVersion(laterChangedAt, laterView, laterReadAt, all);
    }

    /** A copy of this version after the table's directory was changed again, but not by another version. */
    public TableVersion withUnchangedTable(long laterChangedAt) {
        return new TableVersion(laterChangedAt, view, readAt, handedOver);
    }

    /** The directories in which the two versions differ. */
    private static Set<Path> handedOverDirectories(
            Map<String, String> earlierEntries, Map<String, String> laterEntries) {
        Set<String> entries = new TreeSet<>(earlierEntries.keySet());
        entries.addAll(laterEntries.keySet());
        Set<Path> directories = new TreeSet<>();
        for (String entry : entries) {
            if (entry.startsWith(LINK) && !Objects.equals(earlierEntries.get(entry), laterEntries.get(entry))) {
                directories.add(new Path(entry.substring(LINK.length())));
            }
        }
        return directories;
    }

    /** The client that routes by this version. */
    public SubtreeView view() {
        return view;
    }

    /** The time at which the table's directory had been changed, in milliseconds of its nameservice's clock. */
    public long changedAt() {
        return changedAt;
    }

    /** The time at which the version was read, in nanoseconds of the client's clock. */
    public long readAt() {
        return readAt;
    }

    /** Whether both route by the same client, so that an answer with one is an answer with the other. */
    public boolean hasSameView(TableVersion otherVersion) {
        return view == otherVersion.view;
    }

    /** Whether another version has the same content, whatever its number. Call it only for versions of a table. */
    public boolean hasSameContent(SubtreeView otherView) {
        return view.content().equals(otherView.content());
    }

    /**
     * Whether the version, or one before it, handed over a directory that contains one of the paths, or that is below one of them and so
     * affects its sum or deletion.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean hasHandedOver(List<Path> paths, long sinceNanos) {
        return recentlyHandedOver(paths, sinceNanos).findAny().isPresent();
    }

    /**
     * Whether the version, or one before it, handed over a directory with exactly this path.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean hasHandedOverItself(Path path, long sinceNanos) {
        Long at = handedOver.get(view.withoutAuthority(path));
        return at != null && at - sinceNanos >= 0;
    }

    /**
     * Whether a directory that was handed over is not open yet, according to its owner: a move opens its directory after
     * the version. One call for each such directory; no others are asked for.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean isOpeningPending(List<Path> paths, long sinceNanos) {
        return recentlyHandedOver(paths, sinceNanos).anyMatch(this::isOpeningPending);
    }

    private Stream<Path> recentlyHandedOver(List<Path> paths, long sinceNanos) {
        return handedOver.entrySet().stream()
                .filter(lookup -> lookup.getValue() - sinceNanos >= 0)
                .map(Map.Entry::getKey)
                .filter(directory -> isAffected(directory, paths));
    }

    private boolean isAffected(Path directory, List<Path> paths) {
        return paths.stream().anyMatch(path -> areNested(directory, path));
    }

    private boolean areNested(Path directory, Path path) {
        String prefix = prefixBelow(directory);
        String other = prefixBelow(path);
        return prefix.startsWith(other) || other.startsWith(prefix);
    }

    /** The prefix of the given path itself and of all paths below. */
    private String prefixBelow(Path path) {
        String text = view.withoutAuthority(path).toUri().getPath();
        return text.endsWith(Path.SEPARATOR) ? text : text + Path.SEPARATOR;
    }

    /**
     * Whether a directory is still sealed: a move sets its permission first and its owner last, whom the permission for others may not
     * admit; the snapshot of its seal exists until after that. The owner is asked, as Hadoop's table of mounts does not say which
     * directories have snapshots. Users may have some of their own.
     */
    private boolean isOpeningPending(Path directory) {
        try {
            FileStatus status = view.ownerClient(directory).getFileStatus(view.withoutAuthority(directory));
            return status.getPermission().toShort() == CLOSED
                    || (status.isSnapshotEnabled() && sealExists(new Path(directory, SEAL)));
        } catch (IOException e) {
            LOG.debug("Cannot read path={}, which was handed over", directory, e);
            return false;
        }
    }

    /**
     * The seal of the lowest directory above a path that has a seal; empty if none has. One call for each directory above.
     *
     * @throws IOException if an owner refuses to tell, or cannot
     */
    public Optional<Path> findSealAbove(Path path) throws IOException {
        for (Path directory = view.makeQualified(path).getParent();
                directory != null && !directory.isRoot();
                directory = directory.getParent()) {
            Path seal = new Path(directory, SEAL);
            if (sealExists(seal)) {
                return Optional.of(seal);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a seal exists; one call. A directory that no user may enter, just after something was to be created in it, was closed for
     * a move, which seals it later.
     *
     * @throws IOException if its owner refuses to tell, or cannot
     */
    public boolean sealExists(Path seal) throws IOException {
        try {
            return view.exists(seal);
        } catch (AccessControlException closed) {
            return true;
        }
    }
}
