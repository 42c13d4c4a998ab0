/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Whatever clients did to a tree: the plan makes the staged one like it, by steps that a file system accepts. */
class TreeDiffProperties {

    private static final String[] NAMES = {"a", "b", "c", "a-b"};

    @Property(tries = 500)
    void diffTransformsTargetTreeIntoWantedTree(
            @ForAll long seed, @ForAll @IntRange(max = 30) int first, @ForAll @IntRange(max = 30) int more) {
        Random random = new Random(seed);
        ModelTree source = new ModelTree();
        source.change(random, first);
        SortedMap<String, TreeNode> before = source.tree();
        source.change(random, more);

        ModelTree staging = new ModelTree(before);
        TreeDiff plan = TreeDiff.between(before, source.tree());
        staging.apply(plan);

        assertThat(staging.tree()).isEqualTo(source.tree());
    }

    /** What is equal in both trees need not be in the plan. */
    @Property(tries = 500)
    void planForDifferingPathsMatchesFullPlan(
            @ForAll long seed, @ForAll @IntRange(max = 30) int first, @ForAll @IntRange(max = 10) int more) {
        Random random = new Random(seed);
        ModelTree source = new ModelTree();
        source.change(random, first);
        SortedMap<String, TreeNode> before = source.tree();
        source.change(random, more);
        SortedMap<String, TreeNode> after = source.tree();
        Set<String> differ = new TreeSet<>(before.keySet());
        differ.addAll(after.keySet());
        differ.removeIf(path -> Objects.equals(before.get(path), after.get(path)));

        ModelTree staging = new ModelTree(before);
        TreeDiff plan = TreeDiff.between(before, after, differ);
        staging.apply(plan);

        assertThat(staging.tree()).isEqualTo(after);
        assertThat(plan.nodesToUpdate())
                .isEqualTo(TreeDiff.between(before, after).nodesToUpdate());
    }

    @Property(tries = 500)
    void copiesOnlyNewOrDifferentFiles(
            @ForAll long seed, @ForAll @IntRange(max = 30) int first, @ForAll @IntRange(max = 10) int renames) {
        Random random = new Random(seed);
        ModelTree source = new ModelTree();
        source.change(random, first);
        SortedMap<String, TreeNode> before = source.tree();
        for (int i = 0; i < renames; i++) {
            source.rename(random);
        }

        assertThat(TreeDiff.between(before, source.tree()).filesToCopy()).isEmpty();
    }

    /** As when a directory is renamed between the listings of its old and its new parent. */
    @Property(tries = 300)
    void nodeListedTwiceIsStagedOnce(@ForAll long seed, @ForAll @IntRange(max = 30) int first) {
        Random random = new Random(seed);
        ModelTree source = new ModelTree();
        source.change(random, first);
        SortedMap<String, TreeNode> before = source.tree();
        source.change(random, first);
        SortedMap<String, TreeNode> listing = new TreeMap<>(source.tree());
        before.forEach((path, node) -> {
            String parent = path.substring(0, path.lastIndexOf('/'));
            boolean fits = parent.isEmpty()
                    || (listing.containsKey(parent) && listing.get(parent).isDirectory());
            if (fits) {
                listing.putIfAbsent(path, node);
            }
        });

        ModelTree staging = new ModelTree(before);
        TreeDiff plan = TreeDiff.between(before, listing);
        staging.apply(plan);

        assertThat(staging.tree()).isEqualTo(plan.targetTree());
        List<Long> ids = new ArrayList<>();
        plan.targetTree().values().forEach(node -> ids.add(node.id()));
        assertThat(ids).doesNotHaveDuplicates();
    }

    /** A tree that refuses what HDFS refuses. */
    private static final class ModelTree {
        private static final TreeNodeAttributes TRAITS = TreeNodeAttributes.builder()
                .owner("alice")
                .group("staff")
                .permission(0644)
                .modificationTime(1)
                .build();

        private final Map<String, TreeNode> nodes = new TreeMap<>();
        private final Map<Long, Map<String, TreeNode>> aside = new TreeMap<>();
        private long ids = 1;

        ModelTree() {}

        ModelTree(SortedMap<String, TreeNode> nodes) {
            this.nodes.putAll(nodes);
        }

        SortedMap<String, TreeNode> tree() {
            return new TreeMap<>(nodes);
        }

        void change(Random random, int changes) {
            for (int i = 0; i < changes; i++) {
                String path = randomDirectory(random) + "/" + NAMES[random.nextInt(NAMES.length)];
                TreeNode node = nodes.get(path);
                switch (random.nextInt(6)) {
                    case 0 -> nodes.putIfAbsent(path, TreeNode.newDirectory(++ids, TRAITS));
                    case 1, 2 -> nodes.putIfAbsent(path, TreeNode.newFile(++ids, "new", TRAITS));
                    case 3 -> remove(path);
                    case 4 -> append(path, node, i);
                    default -> rename(random);
                }
            }
        }

        private void append(String path, TreeNode node, int change) {
            if (node != null && !node.isDirectory()) {
                nodes.put(path, TreeNode.newFile(node.id(), "appended " + change, TRAITS));
            }
        }

        void rename(Random random) {
            List<String> all = new ArrayList<>(nodes.keySet());
            String to = randomDirectory(random) + "/" + NAMES[random.nextInt(NAMES.length)];
            if (!all.isEmpty() && !nodes.containsKey(to)) {
                String from = all.get(random.nextInt(all.size()));
                if (!(to + "/").startsWith(from + "/")) {
                    put(to, remove(from));
                }
            }
        }

        private String randomDirectory(Random random) {
            List<String> directories = new ArrayList<>(List.of(""));
            nodes.forEach((path, node) -> {
                if (node.isDirectory()) {
                    directories.add(path);
                }
            });
            return directories.get(random.nextInt(directories.size()));
        }

        private Map<String, TreeNode> remove(String path) {
            Map<String, TreeNode> taken = new TreeMap<>();
            nodes.forEach((other, node) -> {
                if (other.equals(path) || other.startsWith(path + "/")) {
                    taken.put(other.substring(path.length()), node);
                }
            });
            taken.keySet().forEach(rest -> nodes.remove(path + rest));
            return taken;
        }

        private void put(String path, Map<String, TreeNode> subtree) {
            requireFree(path);
            subtree.forEach((rest, node) -> nodes.put(path + rest, node));
        }

        private void requireFree(String path) {
            String parent = path.substring(0, path.lastIndexOf('/'));
            assertThat(parent.isEmpty() || nodes.get(parent).isDirectory())
                    .as(path)
                    .isTrue();
            assertThat(nodes).doesNotContainKey(path);
        }

        void apply(TreeDiff plan) {
            try {
                plan.perform(new Staging() {
                    @Override
                    public void moveAside(String path, long id) {
                        assertThat(nodes.get(path).id()).isEqualTo(id);
                        aside.put(id, remove(path));
                    }

                    @Override
                    public void moveIn(long id, String path) {
                        put(path, aside.remove(id));
                    }

                    @Override
                    public void delete(String path) {
                        assertThat(remove(path)).isNotEmpty();
                    }

                    @Override
                    public void mkdir(String path, TreeNode node) {
                        requireFree(path);
                        nodes.put(path, node);
                    }
                });
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            plan.filesToCopy().forEach((path, node) -> {
                requireFree(path);
                nodes.put(path, node);
            });
            assertThat(aside).isEmpty();
        }
    }
}
