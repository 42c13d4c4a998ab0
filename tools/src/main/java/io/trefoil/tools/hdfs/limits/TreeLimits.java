/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.hdfs.limits;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.util.StringUtils;

/** What the NameNodes of a nameservice refuse, by their settings, of files and folders that another one has. Immutable. */
public final class TreeLimits {

    private static final String ACLS = DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_KEY;
    private static final String BLOCK_SIZE = DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY;
    private static final String BLOCKS = DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_KEY;
    private static final String NAME = DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_KEY;
    private static final String NAMES = DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY;
    private static final String FEWEST = DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY;
    private static final String MOST = DFSConfigKeys.DFS_REPLICATION_MAX_KEY;

    private final String nameservice;
    private final SortedMap<String, Long> limits;
    private final boolean hasAcls;

    private TreeLimits(String nameservice, SortedMap<String, Long> limits, boolean hasAcls) {
        this.nameservice = nameservice;
        this.limits = limits;
        this.hasAcls = hasAcls;
    }

    /** Of NameNodes that refuse nothing, or could not be asked. */
    public static TreeLimits none(String nameservice) {
        return new TreeLimits(nameservice, Collections.emptySortedMap(), true);
    }

    /** The settings as one NameNode has them, besides those that are here already: the strictest count. */
    public TreeLimits and(SortedMap<String, String> settings) {
        SortedMap<String, Long> all = new TreeMap<>(limits);
        for (String atLeast : new String[] {BLOCK_SIZE, FEWEST}) {
            number(settings, atLeast).ifPresent(limit -> all.merge(atLeast, limit, Math::max));
        }
        for (String atMost : new String[] {BLOCKS, NAMES, MOST}) {
            number(settings, atMost).ifPresent(limit -> all.merge(atMost, limit, Math::min));
        }
        // 0 is no limit.
        number(settings, NAME).filter(limit -> limit > 0).ifPresent(limit -> all.merge(NAME, limit, Math::min));
        return new TreeLimits(nameservice, all, hasAcls && !"false".equals(settings.get(ACLS)));
    }

    private static Optional<Long> number(SortedMap<String, String> settings, String key) {
        try {
            return Optional.ofNullable(settings.get(key)).map(text -> Long.parseLong(text.trim()));
        } catch (NumberFormatException withUnit) {
            return Optional.of(StringUtils.TraditionalBinaryPrefix.string2long(
                    settings.get(key).trim()));
        }
    }

    /** What is against it, a sentence; empty if nothing. */
    public Optional<String> beyond(HdfsFileStatus one, String path) {
        if (one.hasAcl() && !hasAcls) {
            return Optional.of(path + " has an ACL, and " + nameservice + " has none: " + ACLS + " is false");
        }
        Optional<String> name = above(
                NAME,
                path.substring(path.lastIndexOf('/') + 1).getBytes(StandardCharsets.UTF_8).length,
                path,
                "bytes in its name");
        if (name.isPresent() || one.isSymlink()) {
            return name;
        }
        if (one.isDirectory()) {
            return above(NAMES, one.getChildrenNum(), path, "names");
        }
        int blocks = ((HdfsLocatedFileStatus) one)
                .getLocatedBlocks()
                .getLocatedBlocks()
                .size();
        return first(
                above(BLOCKS, blocks, path, "blocks"),
                below(BLOCK_SIZE, one.getBlockSize(), path, "bytes as block size"),
                above(MOST, one.getReplication(), path, "replicas"),
                below(FEWEST, one.getReplication(), path, "replicas"));
    }

    @SafeVarargs
    private static Optional<String> first(Optional<String>... all) {
        for (Optional<String> one : all) {
            if (one.isPresent()) {
                return one;
            }
        }
        return Optional.empty();
    }

    private Optional<String> above(String key, long found, String path, String what) {
        Long limit = limits.get(key);
        return limit != null && found > limit ? Optional.of(refused(path, found, what, key, limit)) : Optional.empty();
    }

    private Optional<String> below(String key, long found, String path, String what) {
        Long limit = limits.get(key);
        return limit != null && found < limit ? Optional.of(refused(path, found, what, key, limit)) : Optional.empty();
    }

    private String refused(String path, long found, String what, String key, long limit) {
        return path + " has " + found + " " + what + ", which " + nameservice + " would refuse: " + key + " is " + limit
                + " there";
    }
}
