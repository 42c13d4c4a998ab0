/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NamespaceDiffTest {

    private static HistoricalFile.Builder file(long inode, String path) {
        return HistoricalFile.builder()
                .path(path)
                .kind(HistoricalFile.Kind.FILE)
                .permission("rw-r-----")
                .owner("alice")
                .group("staff")
                .bytes(7)
                .modifiedMillis(1)
                .inode(inode);
    }

    private static HistoricalFile directory(long inode, String path) {
        return file(inode, path).kind(HistoricalFile.Kind.DIRECTORY).bytes(0).build();
    }

    private static List<String> diff(List<HistoricalFile> before, List<HistoricalFile> after) {
        return NamespaceDiff.compare(before, after).stream()
                .map(one -> one.kind() + " "
                        + one.before().map(path -> path + " -> ").orElse("") + one.path()
                        + (one.descendants() == 0 ? "" : " " + one.descendants()))
                .toList();
    }

    @Test
    void reportsWholeDirectoryAsOneDifference() {
        List<HistoricalFile> one = List.of(
                directory(1, "/"),
                directory(2, "/a"),
                directory(3, "/a/b"),
                file(4, "/a/b/c").build(),
                file(5, "/a-b").build());

        assertThat(diff(one, one)).isEmpty();
        assertThat(diff(one, List.of(directory(1, "/"), file(5, "/a-b").build())))
                .containsExactly("DELETED /a 2");
        assertThat(diff(List.of(directory(1, "/"), file(5, "/a-b").build()), one))
                .containsExactly("CREATED /a 2");
        assertThat(diff(
                        one,
                        List.of(
                                directory(1, "/"),
                                directory(2, "/z"),
                                directory(3, "/z/b"),
                                file(4, "/z/b/c").build(),
                                file(5, "/a-b").build())))
                .containsExactly("RENAMED /a -> /z");
    }

    @Test
    void reportsRenameBelowRenamedDirectory() {
        assertThat(diff(
                        List.of(
                                directory(2, "/a"),
                                file(4, "/a/b").build(),
                                file(5, "/a/c").build()),
                        List.of(
                                directory(2, "/z"),
                                file(4, "/z/y").bytes(8).build(),
                                file(5, "/a").build())))
                .containsExactly("RENAMED /a/c -> /a", "RENAMED /a -> /z", "RENAMED /a/b -> /z/y", "CHANGED /z/y");
    }

    @Test
    void replacedFileIsDeletedAndCreated() {
        assertThat(diff(List.of(file(4, "/a").build()), List.of(file(6, "/a").build())))
                .containsExactly("CREATED /a", "DELETED /a");
    }

    @Test
    void ignoresModificationTimeOfDirectory() {
        HistoricalFile before = directory(2, "/a");
        HistoricalFile later = file(2, "/a")
                .kind(HistoricalFile.Kind.DIRECTORY)
                .bytes(0)
                .modifiedMillis(9)
                .build();

        assertThat(diff(List.of(before), List.of(later))).isEmpty();
        assertThat(diff(
                        List.of(file(2, "/a").build()),
                        List.of(file(2, "/a").modifiedMillis(9).build())))
                .containsExactly("CHANGED /a");
        assertThat(diff(
                        List.of(before),
                        List.of(file(2, "/a")
                                .kind(HistoricalFile.Kind.DIRECTORY)
                                .bytes(0)
                                .owner("bob")
                                .build())))
                .containsExactly("CHANGED /a");
    }

    /** Applied to the paths of before, the differences give those of after. */
    @Test
    void applyingDifferencesYieldsLaterNamespace() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<String, Long> before = randomTree(random, Map.of("/", 1L), 20);
            Map<String, Long> after = randomTree(random, before, 15);

            List<NamespaceDiff.DiffEntry> changes = NamespaceDiff.compare(files(before), files(after));

            Map<Long, String> paths = new TreeMap<>();
            before.forEach((path, inode) -> paths.put(inode, path));
            for (NamespaceDiff.DiffEntry diff : changes) {
                if (diff.kind() == NamespaceDiff.Kind.DELETED) {
                    paths.values()
                            .removeIf(path -> isAtOrBelow(path, diff.path()) && !after.containsValue(before.get(path)));
                }
            }
            // From the top down, each is where its parent is, unless it was renamed itself.
            Map<String, String> moved = new TreeMap<>(Map.of("/", "/"));
            Map<Long, String> found = new TreeMap<>(Map.of(1L, "/"));
            for (Map.Entry<String, Long> one : before.entrySet()) {
                if (paths.containsKey(one.getValue()) && one.getValue() != 1) {
                    String own = changes.stream()
                            .filter(diff ->
                                    diff.before().filter(one.getKey()::equals).isPresent())
                            .map(NamespaceDiff.DiffEntry::path)
                            .findFirst()
                            .orElseGet(() -> child(
                                    moved.get(parentOf(one.getKey())),
                                    one.getKey().substring(one.getKey().lastIndexOf('/') + 1)));
                    moved.put(one.getKey(), own);
                    found.put(one.getValue(), own);
                }
            }
            Map<Long, String> stayed = new TreeMap<>();
            after.forEach((path, inode) -> {
                if (before.containsValue(inode)) {
                    stayed.put(inode, path);
                }
            });
            assertThat(found).as("seed " + seed).isEqualTo(stayed);
            long created = changes.stream()
                    .filter(diff -> diff.kind() == NamespaceDiff.Kind.CREATED)
                    .mapToLong(diff -> 1 + diff.descendants())
                    .sum();
            assertThat(created).as("seed " + seed).isEqualTo(after.size() - (long) stayed.size());
        }
    }

    private static Map<String, Long> randomTree(Random random, Map<String, Long> begin, int steps) {
        Map<String, Long> tree = new TreeMap<>(begin);
        for (int i = 0; i < steps; i++) {
            List<String> paths = new ArrayList<>(tree.keySet());
            String one = paths.get(random.nextInt(paths.size()));
            String target = child(paths.get(random.nextInt(paths.size())), "n" + random.nextInt(8));
            if (random.nextInt(3) > 0) {
                tree.putIfAbsent(target, random.nextLong() >>> 1 | 2);
            } else if (random.nextBoolean() && !one.equals("/")) {
                tree.keySet().removeIf(path -> isAtOrBelow(path, one));
            } else if (!one.equals("/") && !tree.containsKey(target) && !isAtOrBelow(target, one)) {
                for (String path : paths) {
                    if (isAtOrBelow(path, one)) {
                        tree.put(target + path.substring(one.length()), tree.remove(path));
                    }
                }
            }
        }
        return tree;
    }

    private static boolean isAtOrBelow(String path, String top) {
        return path.equals(top) || path.startsWith(top + "/");
    }

    private static String parentOf(String path) {
        int at = path.lastIndexOf('/');
        return at == 0 ? "/" : path.substring(0, at);
    }

    private static String child(String parent, String name) {
        return (parent.equals("/") ? "" : parent) + "/" + name;
    }

    private static List<HistoricalFile> files(Map<String, Long> tree) {
        List<HistoricalFile> files = new ArrayList<>();
        tree.forEach((path, inode) -> files.add(directory(inode, path)));
        return files;
    }
}
