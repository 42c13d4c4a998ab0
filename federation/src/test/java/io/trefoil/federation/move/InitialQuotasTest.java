/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InitialQuotasTest {

    private static final TreeNodeAttributes TRAITS = TreeNodeAttributes.builder()
            .owner("o")
            .group("g")
            .permission(0755)
            .modificationTime(1)
            .build();
    private static final TreeNodeAttributes QUOTA_ATTRIBUTES = TreeNodeAttributes.builder()
            .owner("o")
            .group("g")
            .permission(0755)
            .modificationTime(1)
            .quotas(TreeNodeAttributes.sorted(Map.of("bytes", 1_000L)))
            .build();

    private final SortedMap<String, TreeNode> tree = new TreeMap<>();

    private void addDirectory(String path, TreeNodeAttributes attributes) {
        tree.put(path, TreeNode.newDirectory(tree.size(), attributes));
    }

    private void addFiles(String directory, int files) {
        for (int i = 0; i < files; i++) {
            tree.put(directory + "/f" + i, TreeNode.newFile(tree.size(), "content", TRAITS));
        }
    }

    /** What each call visits as HDFS counts: what is in a directory with a quota it knows. */
    private Map<String, Long> countedPerCall(List<String> order) {
        Map<String, Long> counts = new HashMap<>();
        for (String directory : order) {
            counts.put(directory, count(directory, counts));
        }
        counts.put("", count("", counts));
        return counts;
    }

    private long count(String directory, Map<String, Long> knownCounts) {
        long sum = 1;
        for (Map.Entry<String, TreeNode> one : tree.tailMap(directory + "/").entrySet()) {
            if (!one.getKey().startsWith(directory + "/")) {
                break;
            }
            if (one.getKey().indexOf('/', directory.length() + 1) < 0) {
                boolean isKnown = knownCounts.containsKey(one.getKey())
                        || !one.getValue().traits().quotas().isEmpty();
                sum += one.getValue().isDirectory() && !isKnown ? count(one.getKey(), knownCounts) : 1;
            }
        }
        return sum;
    }

    @Test
    void smallTreeDoesNotNeedInitialQuota() {
        addDirectory("/a", TRAITS);
        addFiles("/a", 8);

        assertThat(InitialQuotas.select(tree, 10)).isEmpty();
        assertThat(InitialQuotas.select(tree, 9)).containsExactly("/a");
    }

    @Test
    void ordersLargestDirectoriesFirstAndChildrenBeforeParents() {
        addDirectory("/a", TRAITS);
        addDirectory("/a/b", TRAITS);
        addFiles("/a/b", 9);
        addFiles("/a", 5);
        addDirectory("/a-3", TRAITS);
        addFiles("/a-3", 2);

        assertThat(InitialQuotas.select(tree, 10)).containsExactly("/a/b", "/a");
        assertThat(InitialQuotas.select(tree, 4)).containsExactly("/a/b", "/a", "/a-3");
    }

    @Test
    void skipsDirectoryAlreadyCountedByQuota() {
        addDirectory("/a", QUOTA_ATTRIBUTES);
        addFiles("/a", 100);

        assertThat(InitialQuotas.select(tree, 10)).isEmpty();
    }

    @Test
    void quotaCallCountsAtMostSliceOrOneDirectory() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            tree.clear();
            List<String> directories = new ArrayList<>(List.of(""));
            for (int i = 0; i < 60; i++) {
                String directory = directories.get(random.nextInt(directories.size())) + "/d" + i;
                addDirectory(directory, random.nextInt(8) == 0 ? QUOTA_ATTRIBUTES : TRAITS);
                addFiles(directory, random.nextInt(12));
                directories.add(directory);
            }
            int slice = 5 + random.nextInt(20);

            List<String> order = InitialQuotas.select(tree, slice);

            assertThat(order).doesNotHaveDuplicates();
            countedPerCall(order).forEach((directory, count) -> assertThat(count)
                    .as(directory)
                    .isLessThanOrEqualTo(Math.max(slice, 1 + nameCount(directory))));
        }
    }

    private long nameCount(String directory) {
        return tree.keySet().stream()
                .filter(path -> path.lastIndexOf('/') == directory.length() && path.startsWith(directory + "/"))
                .count();
    }
}
