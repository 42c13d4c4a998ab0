/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.hdfs.limits;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;

class TreeLimitsTest {

    @Test
    void refusesNothingWhenLimitsAreUnknown() {
        assertThat(TreeLimits.none("hdfs://ns2").findExceededLimit(file(1, 1), "/a/name"))
                .isEmpty();
    }

    @Test
    void findsFileBeyondLimitsWhenTargetIsStricter() {
        assertThat(limitViolation(file(1, 1024), "dfs.namenode.replication.min", "2"))
                .contains("has 1 replicas");
        assertThat(limitViolation(file(9, 1024), "dfs.replication.max", "8")).contains("has 9 replicas");
        assertThat(limitViolation(file(3, 1024), "dfs.namenode.fs-limits.min-block-size", "1m"))
                .contains("has 1024 bytes as block size", "is 1048576 there");
        assertThat(limitViolation(file(3, 1024), "dfs.namenode.fs-limits.max-component-length", "3"))
                .contains("has 4 bytes in its name");
        assertThat(limitViolation(directory(11), "dfs.namenode.fs-limits.max-directory-items", "10"))
                .contains("has 11 names");
    }

    @Test
    void findsAttributesBeyondLimitsWhenTargetIsStricter() {
        List<XAttr> two = List.of(attribute("user.a"), attribute("trusted.b"), attribute("security.c"));
        TreeLimits few = limits("dfs.namenode.fs-limits.max-xattrs-per-inode", "2");
        assertThat(few.findExceededLimit(two, 0, "/a/name")).isEmpty();
        assertThat(few.findExceededLimit(two, 1, "/a/name").orElseThrow())
                .contains("has 3 attributes, with those of a move");
        assertThat(limits("dfs.namenode.fs-limits.max-xattr-size", "10")
                        .findExceededLimit(two, 0, "/a/name")
                        .orElseThrow())
                .contains("has 11 bytes in attribute a");
        assertThat(limits("dfs.namenode.xattrs.enabled", "false")
                        .findExceededLimit(List.of(), 1, "/a/name")
                        .orElseThrow())
                .contains("dfs.namenode.xattrs.enabled is false");
        assertThat(TreeLimits.none("hdfs://ns2").findExceededLimit(two, 31, "/a/name"))
                .isPresent();
    }

    @Test
    void checksAttributesOnlyWhenTargetIsStricter() {
        TreeLimits two = limits("dfs.namenode.fs-limits.max-xattrs-per-inode", "2");
        TreeLimits three = limits("dfs.namenode.fs-limits.max-xattrs-per-inode", "3");
        assertThat(two.refusesAttributesOf(three)).isTrue();
        assertThat(two.refusesAttributesOf(two)).isFalse();
        assertThat(three.refusesAttributesOf(two)).isFalse();
        assertThat(limits("dfs.namenode.xattrs.enabled", "false").refusesAttributesOf(two))
                .isTrue();
    }

    @Test
    void findsPolicyWhenTargetSetsNone() {
        HdfsFileStatus cold = new HdfsFileStatus.Builder()
                .isdir(true)
                .storagePolicy((byte) 2)
                .perm(FsPermission.getDirDefault())
                .build();
        assertThat(limits("dfs.storage.policy.enabled", "false")
                        .findExceededLimit(cold, "/a/name")
                        .orElseThrow())
                .contains("has a storage policy");
        assertThat(limits("dfs.storage.policy.enabled", "true").findExceededLimit(cold, "/a/name"))
                .isEmpty();
    }

    @Test
    void findsPathsTooDeepToBeNamedByNumber() {
        String name = "/" + "x".repeat(99);
        assertThat(TreeLimits.findExceededDepth(name.repeat(79), "/a")).isEmpty();
        assertThat(TreeLimits.findExceededDepth(name.repeat(80), "/a").orElseThrow())
                .contains("is too deep");
        assertThat(TreeLimits.findExceededDepth("/x".repeat(997), "/a")).isEmpty();
        assertThat(TreeLimits.findExceededDepth("/x".repeat(998), "/a")).isPresent();
    }

    @Test
    void findsDirectoryTooFullForNamesOfMove() {
        TreeLimits limits = limits("dfs.namenode.fs-limits.max-directory-items", "10");
        assertThat(limits.findExceededLimit(directory(8), 2, "/a", "/a/name")).isEmpty();
        assertThat(limits.findExceededLimit(directory(9), 2, "/a", "/a/name").orElseThrow())
                .contains("has 11 names");
    }

    private static TreeLimits limits(String key, String value) {
        return TreeLimits.none("hdfs://ns2").withStricter(settings(key, value));
    }

    private static XAttr attribute(String name) {
        return XAttrHelper.buildXAttr(name, new byte[10]);
    }

    @Test
    void usesStrictestLimitWhenNameNodesDiffer() {
        TreeLimits limits = TreeLimits.none("hdfs://ns2")
                .withStricter(settings("dfs.replication.max", "9"))
                .withStricter(settings("dfs.replication.max", "2"))
                .withStricter(settings("dfs.namenode.fs-limits.max-component-length", "0"));
        assertThat(limits.findExceededLimit(file(3, 1), "/a/name")).isPresent();
        assertThat(limits.findExceededLimit(file(2, 1), "/a/name")).isEmpty();
    }

    private static String limitViolation(HdfsFileStatus status, String key, String value) {
        Optional<String> found =
                TreeLimits.none("hdfs://ns2").withStricter(settings(key, value)).findExceededLimit(status, "/a/name");
        assertThat(found.orElseThrow()).contains("/a/name", "hdfs://ns2 would refuse", key);
        return found.orElseThrow();
    }

    private static SortedMap<String, String> settings(String key, String value) {
        return new TreeMap<>(Map.of(key, value));
    }

    private static HdfsFileStatus directory(int names) {
        return new HdfsFileStatus.Builder()
                .isdir(true)
                .children(names)
                .perm(FsPermission.getDirDefault())
                .build();
    }

    private static HdfsLocatedFileStatus file(int replication, long blockSize) {
        return (HdfsLocatedFileStatus) new HdfsFileStatus.Builder()
                .replication(replication)
                .blocksize(blockSize)
                .perm(FsPermission.getFileDefault())
                .locations(new LocatedBlocks(0, false, List.of(), null, true, null, null))
                .build();
    }
}
