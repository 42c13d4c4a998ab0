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
 * A version of the table as it was read: the client that routes by it, and the folders that it handed over. What an owner has left
 * in a folder for the time of a change, a seal or a closed folder, it asks the owner, each time. Immutable; thread-safe.
 */
public final class TableVersion {
    private static final Logger LOG = LoggerFactory.getLogger(TableVersion.class);

    /** The seal that the command leaves below a folder that was handed over; it shows that a quota is not a user's. */
    private static final String SEAL = ".snapshot/trefoil-sealed";

    /** The prefix of a folder's entry in the content of a version. */
    private static final String LINK = Constants.CONFIG_VIEWFS_LINK + ".";

    /** The permission of a folder that a move has closed to all but superusers. */
    private static final short CLOSED = 0;

    private final long changedAt;
    private final SubtreeView view;
    private final long readAt;

    /** The folders that had other owners by a version of a moment before, and when the client has read that they were handed over. */
    private final Map<Path, Long> handedOver;

    private TableVersion(long changedAt, SubtreeView view, long readAt, Map<Path, Long> handedOver) {
        this.changedAt = changedAt;
        this.view = view;
        this.readAt = readAt;
        this.handedOver = handedOver;
    }

    /**
     * A version that has handed nothing over, or so long ago that all of it is open.
     *
     * @param changedAt when the table's folder had been changed, in milliseconds of its nameservice's clock
     * @param readAt in nanoseconds of the client's clock
     */
    public static TableVersion first(long changedAt, SubtreeView view, long readAt) {
        return new TableVersion(changedAt, view, readAt, Collections.emptyMap());
    }

    /**
     * The version that a client begins with, which may have been made a moment before, as those before it.
     *
     * @param before what the versions before it have, the last one first
     * @param changedAt when the table's folder had been changed, in milliseconds of its nameservice's clock
     * @param readAt in nanoseconds of the client's clock
     */
    public static TableVersion first(List<Map<String, String>> before, long changedAt, SubtreeView view, long readAt) {
        Map<Path, Long> handedOver = new TreeMap<>();
        Map<String, String> later = view.content();
        for (Map<String, String> earlier : before) {
            handedOver(earlier, later).forEach(folder -> handedOver.put(folder, readAt));
            later = earlier;
        }
        return new TableVersion(changedAt, view, readAt, handedOver);
    }

    /**
     * The version that was read after this one. It may be made while what this one handed over is not open yet.
     *
     * @param laterChangedAt when the table's folder had been changed, in milliseconds of its nameservice's clock
     * @param laterReadAt in nanoseconds of the client's clock
     * @param sinceNanos of that clock: what was handed over before is open
     */
    public TableVersion withSuccessor(long laterChangedAt, SubtreeView later, long laterReadAt, long sinceNanos) {
        Map<Path, Long> all = new TreeMap<>(handedOver);
        all.values().removeIf(at -> at - sinceNanos < 0);
        handedOver(view.content(), later.content()).forEach(folder -> all.put(folder, laterReadAt));
        return new TableVersion(laterChangedAt, later, laterReadAt, all);
    }

    /** A copy of this version after the table's folder was changed at another time, but for no other version. */
    public TableVersion withUnchangedTable(long laterChangedAt) {
        return new TableVersion(laterChangedAt, view, readAt, handedOver);
    }

    /** The folders of which the two versions do not say the same. */
    private static Set<Path> handedOver(Map<String, String> earlier, Map<String, String> later) {
        Set<String> entries = new TreeSet<>(earlier.keySet());
        entries.addAll(later.keySet());
        Set<Path> folders = new TreeSet<>();
        for (String entry : entries) {
            if (entry.startsWith(LINK) && !Objects.equals(earlier.get(entry), later.get(entry))) {
                folders.add(new Path(entry.substring(LINK.length())));
            }
        }
        return folders;
    }

    /** The client that routes by this version. */
    public SubtreeView view() {
        return view;
    }

    /** The time at which the table's folder had been changed, in milliseconds of its nameservice's clock. */
    public long changedAt() {
        return changedAt;
    }

    /** The time at which the version was read, in nanoseconds of the client's clock. */
    public long readAt() {
        return readAt;
    }

    /** Whether both route by the same client, so that an answer by one is an answer by the other. */
    public boolean routesAs(TableVersion other) {
        return view == other.view;
    }

    /** Whether another one that was read says the same, whatever its number. Call it only for versions of a table. */
    public boolean hasSameContent(SubtreeView other) {
        return view.content().equals(other.content());
    }

    /**
     * Whether the version, or one before it, handed over a folder that has one of the paths in it, or that a sum of one
     * of them, or its deletion, takes in.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean hasHandedOver(List<Path> paths, long sinceNanos) {
        return handedOver(paths, sinceNanos).findAny().isPresent();
    }

    /**
     * Whether the version, or one before it, handed over a folder of this very path.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean hasHandedOverItself(Path path, long sinceNanos) {
        Long at = handedOver.get(view.withoutAuthority(path));
        return at != null && at - sinceNanos >= 0;
    }

    /**
     * Whether a folder that was handed over is not open yet, as far as its owner says: a move opens its folder after
     * the version. One call for each such folder; no others are asked for.
     *
     * @param sinceNanos of the client's clock: whatever was handed over before does not count
     */
    public boolean isBeingOpened(List<Path> paths, long sinceNanos) {
        return handedOver(paths, sinceNanos).anyMatch(this::isBeingOpened);
    }

    private Stream<Path> handedOver(List<Path> paths, long sinceNanos) {
        return handedOver.entrySet().stream()
                .filter(one -> one.getValue() - sinceNanos >= 0)
                .map(Map.Entry::getKey)
                .filter(folder -> isAffected(folder, paths));
    }

    private boolean isAffected(Path folder, List<Path> paths) {
        return paths.stream().anyMatch(path -> areNested(folder, path));
    }

    private boolean areNested(Path folder, Path path) {
        String one = below(folder);
        String other = below(path);
        return one.startsWith(other) || other.startsWith(one);
    }

    /** The prefix of the given path itself and of all paths below. */
    private String below(Path path) {
        String text = view.withoutAuthority(path).toUri().getPath();
        return text.endsWith(Path.SEPARATOR) ? text : text + Path.SEPARATOR;
    }

    /**
     * A move gives the folder its permission first and its owner last, whom the permission of others may not let in; the snapshot of its
     * seal is there until after that. The owner is asked, as Hadoop's table of mounts does not say which folders have snapshots. Users may
     * have some of their own.
     */
    private boolean isBeingOpened(Path folder) {
        try {
            FileStatus status = view.owner(folder).getFileStatus(view.withoutAuthority(folder));
            return status.getPermission().toShort() == CLOSED
                    || (status.isSnapshotEnabled() && sealExists(new Path(folder, SEAL)));
        } catch (IOException e) {
            LOG.debug("Cannot read path={}, which was handed over", folder, e);
            return false;
        }
    }

    /**
     * The seal of the lowest folder above a path that has one; empty if none has. One call for each folder above.
     *
     * @throws IOException if an owner refuses to tell, or cannot
     */
    public Optional<Path> sealAbove(Path path) throws IOException {
        for (Path folder = view.makeQualified(path).getParent();
                folder != null && !folder.isRoot();
                folder = folder.getParent()) {
            Path seal = new Path(folder, SEAL);
            if (sealExists(seal)) {
                return Optional.of(seal);
            }
        }
        return Optional.empty();
    }

    /**
     * Whether a seal is there, by one call. A folder that nobody may enter, just after something was to be created in it, was closed for a
     * move, which seals it later.
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
