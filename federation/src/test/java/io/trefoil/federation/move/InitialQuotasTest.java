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
            .modified(1)
            .build();
    private static final TreeNodeAttributes WITH_QUOTA = TreeNodeAttributes.builder()
            .owner("o")
            .group("g")
            .permission(0755)
            .modified(1)
            .quotas(TreeNodeAttributes.sorted(Map.of("bytes", 1_000L)))
            .build();

    private final SortedMap<String, TreeNode> tree = new TreeMap<>();

    private void folder(String path, TreeNodeAttributes traits) {
        tree.put(path, TreeNode.folder(tree.size(), traits));
    }

    private void files(String folder, int files) {
        for (int i = 0; i < files; i++) {
            tree.put(folder + "/f" + i, TreeNode.file(tree.size(), "content", TRAITS));
        }
    }

    /** What each call visits as HDFS counts: what is in a folder with a quota it knows. */
    private Map<String, Long> counted(List<String> order) {
        Map<String, Long> counts = new HashMap<>();
        for (String folder : order) {
            counts.put(folder, count(folder, counts));
        }
        counts.put("", count("", counts));
        return counts;
    }

    private long count(String folder, Map<String, Long> known) {
        long sum = 1;
        for (Map.Entry<String, TreeNode> one : tree.tailMap(folder + "/").entrySet()) {
            if (!one.getKey().startsWith(folder + "/")) {
                break;
            }
            if (one.getKey().indexOf('/', folder.length() + 1) < 0) {
                boolean isKnown = known.containsKey(one.getKey())
                        || !one.getValue().traits().quotas().isEmpty();
                sum += one.getValue().isFolder() && !isKnown ? count(one.getKey(), known) : 1;
            }
        }
        return sum;
    }

    @Test
    void smallTreeNeedsNoInitialQuota() {
        folder("/a", TRAITS);
        files("/a", 8);

        assertThat(InitialQuotas.before(tree, 10)).isEmpty();
        assertThat(InitialQuotas.before(tree, 9)).containsExactly("/a");
    }

    @Test
    void ordersLargestDirectoriesFirstAndChildrenBeforeParents() {
        folder("/a", TRAITS);
        folder("/a/b", TRAITS);
        files("/a/b", 9);
        files("/a", 5);
        folder("/a-3", TRAITS);
        files("/a-3", 2);

        assertThat(InitialQuotas.before(tree, 10)).containsExactly("/a/b", "/a");
        assertThat(InitialQuotas.before(tree, 4)).containsExactly("/a/b", "/a", "/a-3");
    }

    @Test
    void directoryWithQuotaIsCountedAlready() {
        folder("/a", WITH_QUOTA);
        files("/a", 100);

        assertThat(InitialQuotas.before(tree, 10)).isEmpty();
    }

    @Test
    void quotaCallCountsAtMostSliceOrOneDirectory() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            tree.clear();
            List<String> folders = new ArrayList<>(List.of(""));
            for (int i = 0; i < 60; i++) {
                String folder = folders.get(random.nextInt(folders.size())) + "/d" + i;
                folder(folder, random.nextInt(8) == 0 ? WITH_QUOTA : TRAITS);
                files(folder, random.nextInt(12));
                folders.add(folder);
            }
            int slice = 5 + random.nextInt(20);

            List<String> order = InitialQuotas.before(tree, slice);

            assertThat(order).doesNotHaveDuplicates();
            counted(order)
                    .forEach((folder, count) ->
                            assertThat(count).as(folder).isLessThanOrEqualTo(Math.max(slice, 1 + names(folder))));
        }
    }

    private long names(String folder) {
        return tree.keySet().stream()
                .filter(path -> path.lastIndexOf('/') == folder.length() && path.startsWith(folder + "/"))
                .count();
    }
}
