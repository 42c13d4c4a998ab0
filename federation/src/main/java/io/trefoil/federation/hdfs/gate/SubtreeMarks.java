/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.gate;

import io.trefoil.federation.gate.EntryDirectories;
import io.trefoil.federation.gate.FrozenSubtrees;
import io.trefoil.federation.gate.MovedDirectories;
import io.trefoil.federation.gate.SealedDirectories;
import io.trefoil.federation.marks.EntryMark;
import io.trefoil.federation.marks.FrozenMark;
import io.trefoil.federation.marks.MovedMark;
import io.trefoil.federation.marks.NormalizedPath;
import io.trefoil.federation.marks.SealMark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.XAttrFeature;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks of subtrees in a namespace: those that are frozen, were handed over or are entries, and the sealed directories.
 *
 * <p>All are attributes of the root, and HDFS makes a new object of those whenever one changes. So to know what is in force costs the
 * comparison of a reference, in whatever way the namespace came here: by a call, the journal or an image.
 *
 * <p>Thread-safe. Reads under the namesystem's lock, and only what has changed.
 *
 * <p>Uses {@code NameNode.getNamesystem}; {@code FSNamesystem.getFSDirectory}, {@code readLock}, {@code readUnlock};
 * {@code FSDirectory.getRoot}, {@code getINode}, {@code getInode}; {@code INode.getXAttrFeature}, {@code
 * getFsPermission}, {@code getFullPathName}, {@code getParent}; {@code XAttrFeature.getXAttrs}, {@code getXAttr};
 * {@code XAttrHelper}.
 */
final class SubtreeMarks {
    private static final Logger LOG = LoggerFactory.getLogger(SubtreeMarks.class);

    /** The path below which HDFS resolves inode ids; {@code ..} below one resolves to its parent. */
    private static final String INODE_ID_PREFIX = "/.reserved/.inodes/";

    private static final String PARENT = "..";

    private final NameNode nameNode;
    private final LongSupplier clockMillis;

    /** The last marks read; initially those of a root without attributes, so that any attributes are read. */
    private volatile CachedMarks last = new CachedMarks(
            null, FrozenSubtrees.NONE, MovedDirectories.NONE, 0, EntryDirectories.NONE, SealedDirectories.NONE);

    /** The marks in the root's attributes, and the attributes themselves, which are null, as in HDFS, if there are none. */
    private static final class CachedMarks {
        final XAttrFeature attributes;
        final FrozenSubtrees freezes;
        final MovedDirectories movedDirectories;
        final long movedSinceMillis;
        final EntryDirectories entries;
        final SealedDirectories sealedDirectories;

        CachedMarks(
                XAttrFeature attributes,
                FrozenSubtrees freezes,
                MovedDirectories directories,
                long movedSinceMillis,
                EntryDirectories entries,
                SealedDirectories sealedDirectories) {
            this.attributes = attributes;
            this.freezes = freezes;
            this.movedDirectories = directories;
            this.movedSinceMillis = movedSinceMillis;
            this.entries = entries;
            this.sealedDirectories = sealedDirectories;
        }
    }

    /** @param clockMillis in ms since 1970; any thread calls it */
    SubtreeMarks(NameNode nameNode, LongSupplier clockMillis) {
        this.nameNode = nameNode;
        this.clockMillis = clockMillis;
    }

    /** The freezes now. */
    FrozenSubtrees freezes() {
        return current().freezes;
    }

    /** The directories that are handed over at present. */
    MovedDirectories movedDirectories() {
        return current().movedDirectories;
    }

    /** The time at which this process last learned that a directory was handed over, or returned. */
    long movedChangedAtMillis() {
        return current().movedSinceMillis;
    }

    /** The directories that are entries of this nameservice at present. */
    EntryDirectories entryDirectories() {
        return current().entries;
    }

    /** The directories that may be sealed at present. */
    SealedDirectories sealedDirectories() {
        return current().sealedDirectories;
    }

    /** Whether a directory of {@link #sealedDirectories} exists and is sealed. */
    boolean isSealed(String directory) throws IOException {
        return hasSeal(directory, inode -> true);
    }

    /**
     * Whether a directory of {@link #sealedDirectories} exists, is sealed, and is closed by its own permission bits, whatever an authorizer
     * decides.
     */
    boolean isClosed(String directory) throws IOException {
        return hasSeal(directory, inode -> inode.getFsPermission().toShort() == 0);
    }

    private boolean hasSeal(String directory, Predicate<INode> condition) throws IOException {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode inode = namesystem.getFSDirectory().getINode(directory);
            XAttrFeature attributes = inode == null ? null : inode.getXAttrFeature();
            return attributes != null && attributes.getXAttr(SealMark.NAME) != null && condition.test(inode);
        } finally {
            namesystem.readUnlock();
        }
    }

    /**
     * Resolves a path that begins with an inode id; returns any other path unchanged, as well as one whose inode does not exist.
     */
    String resolveInodePath(String path) {
        String text = NormalizedPath.normalize(path);
        if (!text.startsWith(INODE_ID_PREFIX)) {
            return path;
        }
        String[] parts = text.substring(INODE_ID_PREFIX.length()).split("/", 2);
        String inside = parts.length < 2 ? "" : parts[1];
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode inode = namesystem.getFSDirectory().getInode(Long.parseLong(parts[0]));
            boolean isOfParent = inside.equals(PARENT) || inside.startsWith(PARENT + "/");
            if (isOfParent && inode != null && inode.getParent() != null) {
                // HDFS takes what follows for nothing.
                return inode.getParent().getFullPathName();
            }
            return inode == null ? path : NormalizedPath.normalize(inode.getFullPathName() + "/" + inside);
        } catch (NumberFormatException e) {
            return path;
        } finally {
            namesystem.readUnlock();
        }
    }

    /** The beginning or end of a freeze, which its mark alone does not show. */
    synchronized FrozenSubtrees changeFreezes(UnaryOperator<FrozenSubtrees> step) {
        last = new CachedMarks(
                last.attributes,
                step.apply(last.freezes),
                last.movedDirectories,
                last.movedSinceMillis,
                last.entries,
                last.sealedDirectories);
        return last.freezes;
    }

    /** Changes the freezes after an attempt to write or remove a mark, with the marks as they then are. */
    FrozenSubtrees changeFreezesWithMarks(UnaryOperator<FrozenSubtrees> step) {
        readMarks();
        return changeFreezes(step);
    }

    /** The mark of a directory, if it exists and has one. */
    Optional<MovedMark> movedMarkOf(String directory) throws IOException {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode inode = namesystem.getFSDirectory().getINode(directory);
            XAttrFeature attributes = inode == null ? null : inode.getXAttrFeature();
            XAttr mark = attributes == null ? null : attributes.getXAttr(MovedMark.NAME);
            return mark == null || mark.getValue() == null
                    ? Optional.empty()
                    : Optional.of(MovedMark.parse(mark.getValue()));
        } catch (IllegalArgumentException e) {
            LOG.warn("The mark of path={} does not name its new nameservice; do: report it", directory, e);
            return Optional.empty();
        } finally {
            namesystem.readUnlock();
        }
    }

    /** Compares the objects: comparing their contents would unpack all attributes on each call. */
    @SuppressWarnings("ReferenceEquality")
    private CachedMarks current() {
        CachedMarks known = last;
        // While HDFS replaces the root's attributes there are none for a moment, and then it is read under HDFS's lock.
        return attributes() == known.attributes ? known : readMarks();
    }

    private XAttrFeature attributes() {
        return nameNode.getNamesystem().getFSDirectory().getRoot().getXAttrFeature();
    }

    private CachedMarks readMarks() {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            XAttrFeature attributes = attributes();
            Set<String> moved = parseDirectories(attributes, MovedMark::isDirectoriesAttribute);
            return cache(
                    attributes,
                    parseFrozenMarks(attributes),
                    moved.isEmpty() ? MovedDirectories.NONE : new MovedDirectories(moved),
                    new EntryDirectories(parseDirectories(attributes, EntryMark::isDirectoriesAttribute)),
                    new SealedDirectories(parseDirectories(attributes, SealMark::isDirectoriesAttribute)));
        } finally {
            namesystem.readUnlock();
        }
    }

    private static List<FrozenMark> parseFrozenMarks(XAttrFeature attributes) {
        List<FrozenMark> marks = new ArrayList<>();
        if (attributes != null) {
            for (XAttr attr : attributes.getXAttrs()) {
                String name = XAttrHelper.getPrefixedName(attr);
                if (name.startsWith(FrozenMark.PREFIX)) {
                    try {
                        marks.add(FrozenMark.parse(name, attr.getValue() == null ? new byte[0] : attr.getValue()));
                    } catch (IllegalArgumentException e) {
                        // Written while the NameNode that took it did not look at marks; it freezes nothing.
                        LOG.warn(
                                "Cannot read an extended attribute of / that appears to mark a frozen subtree; "
                                        + "do: report it",
                                e);
                    }
                }
            }
        }
        return marks;
    }

    private static Set<String> parseDirectories(XAttrFeature attributes, Predicate<String> hasDirectories) {
        Set<String> directories = new HashSet<>();
        if (attributes != null) {
            for (XAttr attr : attributes.getXAttrs()) {
                if (attr.getValue() != null && hasDirectories.test(XAttrHelper.getPrefixedName(attr))) {
                    directories.addAll(MovedMark.decodeDirectories(attr.getValue()));
                }
            }
        }
        return directories;
    }

    private synchronized CachedMarks cache(
            XAttrFeature attributes,
            List<FrozenMark> frozen,
            MovedDirectories directories,
            EntryDirectories entries,
            SealedDirectories sealedDirectories) {
        long sinceMillis =
                directories.hasSameDirectories(last.movedDirectories) ? last.movedSinceMillis : clockMillis.getAsLong();
        last = new CachedMarks(
                attributes, last.freezes.read(frozen), directories, sinceMillis, entries, sealedDirectories);
        return last;
    }
}
