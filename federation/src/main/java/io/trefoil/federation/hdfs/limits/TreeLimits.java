/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.limits;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.util.StringUtils;

/** The limits that a nameservice's NameNodes put on files and directories moved in from another one. Immutable. */
public final class TreeLimits {

    private static final String ACLS = DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_KEY;
    private static final String BLOCK_SIZE = DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY;
    private static final String BLOCKS = DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_KEY;
    private static final String NAME = DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_KEY;
    private static final String NAMES = DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY;
    private static final String ATTRIBUTES = DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_KEY;
    private static final String ATTRIBUTE_SIZE = DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY;
    private static final String HAS_ATTRIBUTES = DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY;
    private static final String POLICIES = DFSConfigKeys.DFS_STORAGE_POLICY_ENABLED_KEY;

    /** HDFS's default limit of attributes, for NameNodes that could not be asked. */
    private static final long FEW_ATTRIBUTES = DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_DEFAULT;

    /** The prefix of a path in the subtree when a move names its directory by inode id, which has up to 19 digits. */
    private static final String INODE_PATH_PREFIX = "/.reserved/.inodes/1234567890123456789";

    private static final String MIN_REPLICATION_KEY = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY;
    private static final String MAX_REPLICATION_KEY = DFSConfigKeys.DFS_REPLICATION_MAX_KEY;

    private final String nameservice;
    private final SortedMap<String, Long> limits;
    /** The settings of features that are switched off. */
    private final Set<String> disabledLimits;

    private TreeLimits(String nameservice, SortedMap<String, Long> limits, Set<String> disabledLimits) {
        this.nameservice = nameservice;
        this.limits = limits;
        this.disabledLimits = disabledLimits;
    }

    /** Returns the limits of NameNodes that refuse nothing, or could not be asked. */
    public static TreeLimits none(String nameservice) {
        return new TreeLimits(nameservice, Collections.emptySortedMap(), Collections.emptySet());
    }

    /** Adds the settings of one NameNode to those already here, of which the strictest count. */
    public TreeLimits withStricter(SortedMap<String, String> settings) {
        SortedMap<String, Long> all = new TreeMap<>(limits);
        for (String atLeast : new String[] {BLOCK_SIZE, MIN_REPLICATION_KEY}) {
            parseNumber(settings, atLeast).ifPresent(limit -> all.merge(atLeast, limit, Math::max));
        }
        for (String atMost : new String[] {BLOCKS, NAMES, MAX_REPLICATION_KEY, ATTRIBUTES, ATTRIBUTE_SIZE}) {
            parseNumber(settings, atMost).ifPresent(limit -> all.merge(atMost, limit, Math::min));
        }
        // 0 is no limit.
        parseNumber(settings, NAME).filter(limit -> limit > 0).ifPresent(limit -> all.merge(NAME, limit, Math::min));
        Set<String> allOff = new TreeSet<>(disabledLimits);
        for (String name : new String[] {ACLS, HAS_ATTRIBUTES, POLICIES}) {
            if ("false".equals(settings.getOrDefault(name, "").trim())) {
                allOff.add(name);
            }
        }
        return new TreeLimits(nameservice, all, allOff);
    }

    private static Optional<Long> parseNumber(SortedMap<String, String> settings, String key) {
        try {
            return Optional.ofNullable(settings.get(key)).map(text -> Long.parseLong(text.trim()));
        } catch (NumberFormatException withUnit) {
            return Optional.of(StringUtils.TraditionalBinaryPrefix.string2long(
                    settings.get(key).trim()));
        }
    }

    /** The limit that a file or directory exceeds, as a sentence; empty if there is none. */
    public Optional<String> findExceededLimit(HdfsFileStatus status, String path) {
        if (status.hasAcl() && disabledLimits.contains(ACLS)) {
            return Optional.of(path + " has an ACL, and " + nameservice + " has none: " + ACLS + " is false");
        }
        if (status.getStoragePolicy() != 0 && disabledLimits.contains(POLICIES)) {
            return Optional.of(
                    path + " has a storage policy, and " + nameservice + " sets none: " + POLICIES + " is false");
        }
        Optional<String> name = findLongName(path);
        if (name.isPresent() || status.isSymlink()) {
            return name;
        }
        if (status.isDirectory()) {
            return exceedsMaximum(NAMES, status.getChildrenNum(), path, "names");
        }
        int blocks = ((HdfsLocatedFileStatus) status)
                .getLocatedBlocks()
                .getLocatedBlocks()
                .size();
        return firstPresent(
                exceedsMaximum(BLOCKS, blocks, path, "blocks"),
                fallsBelowMinimum(BLOCK_SIZE, status.getBlockSize(), path, "bytes as block size"),
                exceedsMaximum(MAX_REPLICATION_KEY, status.getReplication(), path, "replicas"),
                fallsBelowMinimum(MIN_REPLICATION_KEY, status.getReplication(), path, "replicas"));
    }

    private Optional<String> findLongName(String path) {
        return exceedsMaximum(
                NAME,
                path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8).length,
                path,
                "bytes in its name");
    }

    /** The limit that a path in a subtree exceeds when a move names the subtree's directory by inode id; empty if there is none. */
    public static Optional<String> findExceededDepth(String relativePath, String path) {
        String named = INODE_PATH_PREFIX + relativePath;
        long depth = named.chars().filter(character -> character == '/').count();
        return named.length() > HdfsServerConstants.MAX_PATH_LENGTH || depth > HdfsServerConstants.MAX_PATH_DEPTH
                ? Optional.of(path + " is too deep: a move names it " + named.substring(0, INODE_PATH_PREFIX.length())
                        + "…, of which HDFS takes " + HdfsServerConstants.MAX_PATH_LENGTH + " characters and "
                        + HdfsServerConstants.MAX_PATH_DEPTH + " names")
                : Optional.empty();
    }

    /**
     * The limit that a new name in an existing directory exceeds, including the temporary names that the move needs there; empty if there
     * is none.
     */
    public Optional<String> findExceededLimit(HdfsFileStatus directory, int more, String normalizedPath, String added) {
        return firstPresent(
                findLongName(added),
                exceedsMaximum(
                        NAMES,
                        (long) directory.getChildrenNum() + more,
                        normalizedPath,
                        "names, with those of a move"));
    }

    /** Whether a file or directory whose attributes other NameNodes allow may have some that these refuse. */
    public boolean refusesAttributesOf(TreeLimits otherLimits) {
        return disabledLimits.contains(HAS_ATTRIBUTES)
                || isStricter(otherLimits, ATTRIBUTES)
                || isStricter(otherLimits, ATTRIBUTE_SIZE);
    }

    private boolean isStricter(TreeLimits otherLimits, String key) {
        Long limit = limits.get(key);
        Long other = otherLimits.limits.get(key);
        return limit != null && (other == null || limit < other);
    }

    /**
     * The limit that attributes exceed, as a sentence; empty if there is none.
     *
     * @param ownLimit how many more a move adds
     */
    public Optional<String> findExceededLimit(Collection<XAttr> attributes, int ownLimit, String path) {
        if (disabledLimits.contains(HAS_ATTRIBUTES) && attributes.size() + ownLimit > 0) {
            return Optional.of(path + " has extended attributes, if only those of a move, and " + nameservice
                    + " has none: " + HAS_ATTRIBUTES + " is false");
        }
        for (XAttr attr : attributes) {
            // As HDFS counts it.
            int size = attr.getName().getBytes(StandardCharsets.UTF_8).length
                    + (attr.getValue() == null ? 0 : attr.getValue().length);
            Optional<String> large = exceedsMaximum(ATTRIBUTE_SIZE, size, path, "bytes in attribute " + attr.getName());
            if (large.isPresent()) {
                return large;
            }
        }
        long counted = attributes.stream()
                .filter(attribute -> attribute.getNameSpace() == XAttr.NameSpace.USER
                        || attribute.getNameSpace() == XAttr.NameSpace.TRUSTED)
                .count();
        long limit = limits.getOrDefault(ATTRIBUTES, FEW_ATTRIBUTES);
        return counted + ownLimit > limit
                ? Optional.of(refusalText(
                        path,
                        counted + ownLimit,
                        "attributes" + (ownLimit == 0 ? "" : ", with those of a move"),
                        ATTRIBUTES,
                        limit))
                : Optional.empty();
    }

    @SafeVarargs
    private static Optional<String> firstPresent(Optional<String>... all) {
        for (Optional<String> name : all) {
            if (name.isPresent()) {
                return name;
            }
        }
        return Optional.empty();
    }

    private Optional<String> exceedsMaximum(String key, long found, String path, String quantity) {
        Long limit = limits.get(key);
        return limit != null && found > limit
                ? Optional.of(refusalText(path, found, quantity, key, limit))
                : Optional.empty();
    }

    private Optional<String> fallsBelowMinimum(String key, long found, String path, String quantity) {
        Long limit = limits.get(key);
        return limit != null && found < limit
                ? Optional.of(refusalText(path, found, quantity, key, limit))
                : Optional.empty();
    }

    private String refusalText(String path, long found, String quantity, String key, long limit) {
        return path + " has " + found + " " + quantity + ", which " + nameservice + " would refuse: " + key + " is "
                + limit + " there";
    }
}
