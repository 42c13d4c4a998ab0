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
 * The marks of subtrees in a namespace: which are frozen, which were given away, which are entries, and which folders are sealed.
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
    private static final String BY_NUMBER = "/.reserved/.inodes/";

    private static final String PARENT = "..";

    private final NameNode nameNode;
    private final LongSupplier clockMillis;

    /** The marks that were read last; initially those of a root without attributes, so that any attributes are read. */
    private volatile Read last = new Read(
            null, FrozenSubtrees.NONE, MovedDirectories.NONE, 0, EntryDirectories.NONE, SealedDirectories.NONE);

    /** The marks that the root's attributes have, and the attributes themselves, which are null, as in HDFS, if it has none. */
    private static final class Read {
        final XAttrFeature attributes;
        final FrozenSubtrees freezes;
        final MovedDirectories moved;
        final long movedSinceMillis;
        final EntryDirectories entries;
        final SealedDirectories sealed;

        Read(
                XAttrFeature attributes,
                FrozenSubtrees freezes,
                MovedDirectories moved,
                long movedSinceMillis,
                EntryDirectories entries,
                SealedDirectories sealed) {
            this.attributes = attributes;
            this.freezes = freezes;
            this.moved = moved;
            this.movedSinceMillis = movedSinceMillis;
            this.entries = entries;
            this.sealed = sealed;
        }
    }

    /** @param clockMillis in ms since 1970; any thread calls it */
    SubtreeMarks(NameNode nameNode, LongSupplier clockMillis) {
        this.nameNode = nameNode;
        this.clockMillis = clockMillis;
    }

    /** The freezes now. */
    FrozenSubtrees freezes() {
        return now().freezes;
    }

    /** The folders that were given away, now. */
    MovedDirectories moved() {
        return now().moved;
    }

    /** The time at which this process last learned that a folder was given away, or came back. */
    long movedSinceMillis() {
        return now().movedSinceMillis;
    }

    /** The folders that are entries of this nameservice, now. */
    EntryDirectories entries() {
        return now().entries;
    }

    /** The folders that may be sealed, now. */
    SealedDirectories sealed() {
        return now().sealed;
    }

    /** Whether a folder of {@link #sealed} is there and sealed. */
    boolean isSealed(String folder) throws IOException {
        return hasSeal(folder, inode -> true);
    }

    /** Whether a folder of {@link #sealed} is there, sealed, and closed by its own bits, whatever an authorizer says. */
    boolean isClosed(String folder) throws IOException {
        return hasSeal(folder, inode -> inode.getFsPermission().toShort() == 0);
    }

    private boolean hasSeal(String folder, Predicate<INode> condition) throws IOException {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode inode = namesystem.getFSDirectory().getINode(folder);
            XAttrFeature attributes = inode == null ? null : inode.getXAttrFeature();
            return attributes != null && attributes.getXAttr(SealMark.NAME) != null && condition.test(inode);
        } finally {
            namesystem.readUnlock();
        }
    }

    /**
     * The real path of a path that begins with the number of a file or folder; any other path as it is, and one whose
     * number does not exist.
     */
    String located(String path) {
        String text = NormalizedPath.normalized(path);
        if (!text.startsWith(BY_NUMBER)) {
            return path;
        }
        String[] parts = text.substring(BY_NUMBER.length()).split("/", 2);
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
            return inode == null ? path : NormalizedPath.normalized(inode.getFullPathName() + "/" + inside);
        } catch (NumberFormatException e) {
            return path;
        } finally {
            namesystem.readUnlock();
        }
    }

    /** A freeze begins, or ends: what its mark alone does not say. */
    synchronized FrozenSubtrees change(UnaryOperator<FrozenSubtrees> step) {
        last = new Read(
                last.attributes,
                step.apply(last.freezes),
                last.moved,
                last.movedSinceMillis,
                last.entries,
                last.sealed);
        return last.freezes;
    }

    /** Changes the freezes after a mark was written or removed, or could not be, with the marks as they are then. */
    FrozenSubtrees changeWithMarks(UnaryOperator<FrozenSubtrees> step) {
        read();
        return change(step);
    }

    /** The mark of a folder, if it is there and has one. */
    Optional<MovedMark> of(String folder) throws IOException {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            INode inode = namesystem.getFSDirectory().getINode(folder);
            XAttrFeature attributes = inode == null ? null : inode.getXAttrFeature();
            XAttr mark = attributes == null ? null : attributes.getXAttr(MovedMark.NAME);
            return mark == null || mark.getValue() == null
                    ? Optional.empty()
                    : Optional.of(MovedMark.parse(mark.getValue()));
        } catch (IllegalArgumentException e) {
            LOG.warn("The mark of path={} does not name its new nameservice; do: report it", folder, e);
            return Optional.empty();
        } finally {
            namesystem.readUnlock();
        }
    }

    /** Compares the objects: to compare their contents would unpack all attributes with each call. */
    @SuppressWarnings("ReferenceEquality")
    private Read now() {
        Read known = last;
        // While HDFS replaces the root's attributes there are none for a moment, and then it is read under HDFS's lock.
        return attributes() == known.attributes ? known : read();
    }

    private XAttrFeature attributes() {
        return nameNode.getNamesystem().getFSDirectory().getRoot().getXAttrFeature();
    }

    private Read read() {
        FSNamesystem namesystem = nameNode.getNamesystem();
        namesystem.readLock();
        try {
            XAttrFeature attributes = attributes();
            Set<String> moved = folders(attributes, MovedMark::hasFolders);
            return keep(
                    attributes,
                    frozen(attributes),
                    moved.isEmpty() ? MovedDirectories.NONE : new MovedDirectories(moved),
                    new EntryDirectories(folders(attributes, EntryMark::hasFolders)),
                    new SealedDirectories(folders(attributes, SealMark::hasFolders)));
        } finally {
            namesystem.readUnlock();
        }
    }

    private static List<FrozenMark> frozen(XAttrFeature attributes) {
        List<FrozenMark> marks = new ArrayList<>();
        if (attributes != null) {
            for (XAttr one : attributes.getXAttrs()) {
                String name = XAttrHelper.getPrefixedName(one);
                if (name.startsWith(FrozenMark.PREFIX)) {
                    try {
                        marks.add(FrozenMark.parse(name, one.getValue() == null ? new byte[0] : one.getValue()));
                    } catch (IllegalArgumentException e) {
                        // Written while the NameNode that took it did not look at marks; it freezes nothing.
                        LOG.warn(
                                "An extended attribute of / looks like the mark of a frozen subtree and cannot be read; do: report it",
                                e);
                    }
                }
            }
        }
        return marks;
    }

    private static Set<String> folders(XAttrFeature attributes, Predicate<String> hasFolders) {
        Set<String> folders = new HashSet<>();
        if (attributes != null) {
            for (XAttr one : attributes.getXAttrs()) {
                if (one.getValue() != null && hasFolders.test(XAttrHelper.getPrefixedName(one))) {
                    folders.addAll(MovedMark.folders(one.getValue()));
                }
            }
        }
        return folders;
    }

    private synchronized Read keep(
            XAttrFeature attributes,
            List<FrozenMark> frozen,
            MovedDirectories moved,
            EntryDirectories entries,
            SealedDirectories sealed) {
        long sinceMillis = moved.isAs(last.moved) ? last.movedSinceMillis : clockMillis.getAsLong();
        last = new Read(attributes, last.freezes.read(frozen), moved, sinceMillis, entries, sealed);
        return last;
    }
}
