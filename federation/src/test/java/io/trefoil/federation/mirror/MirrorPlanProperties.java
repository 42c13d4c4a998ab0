/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.SubtreeTable;
import io.trefoil.federation.table.TableRefusedException;
import io.trefoil.federation.table.Tables;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever two versions are: the way from one to the other, step by step, and with a crash after each. */
class MirrorPlanProperties {

    private static final List<String> PATHS = List.of("/a", "/a/b", "/a/b/c", "/a/bc", "/a/d", "/e", "/e/f/g");

    @Provide
    Arbitrary<Map<String, String>> owners() {
        return Arbitraries.maps(Arbitraries.of(PATHS), Arbitraries.of("ns1", "ns2", "ns3"))
                .map(some -> {
                    Map<String, String> all = new TreeMap<>(some);
                    all.put("/", "ns1");
                    return all;
                });
    }

    @Property
    void pathsGoFromOldToNewOwnerOnly(
            @ForAll("owners") Map<String, String> before, @ForAll("owners") Map<String, String> after)
            throws Exception {
        SubtreeTable old = Tables.tableWith(1, before);
        SubtreeTable wanted = Tables.tableWith(2, after);
        FakeRouters routers = new FakeRouters();
        mirror(old, routers);

        List<MountChange> changes = plan(wanted, routers).changes();
        for (int made = 0; made < changes.size(); made++) {
            // A process that comes after a crash goes on with what was not made.
            assertThat(plan(wanted, routers).changes()).isEqualTo(changes.subList(made, changes.size()));
            Map<String, String> routes = routes(routers);
            routers.applyChange(changes.get(made), MirrorMark.of(wanted));
            if (changes.get(made).kind() == MountChange.Kind.REMOVE) {
                assertThat(routes(routers)).as("routes of what is removed").isEqualTo(routes);
            }
            List<MountChange> rest = changes.subList(made + 1, changes.size());
            for (String path : PATHS) {
                String owner = FakeRouters.owner(routers.stored, path);
                String last = wanted.ownerOf(SubtreePath.parse(path));
                assertThat(owner)
                        .as(path + " after " + changes.subList(0, made + 1))
                        .isIn(ownerOf(old, path), last);
                assertThat(owner.equals(last) || rest.stream().anyMatch(one -> contains(one.path(), path)))
                        .as(path + " comes to its owner")
                        .isTrue();
            }
        }

        assertThat(routers.stored.keySet()).isEqualTo(after.keySet());
        routers.stored.forEach(
                (path, entry) -> assertThat(entry.leadsTo(after.get(path))).isTrue());
        assertThat(plan(wanted, routers).changes()).isEmpty();
    }

    private static Map<String, String> routes(FakeRouters routers) {
        Map<String, String> routes = new TreeMap<>();
        PATHS.forEach(path -> routes.put(path, FakeRouters.owner(routers.stored, path)));
        return routes;
    }

    private static boolean contains(String entry, String path) {
        return SubtreePath.parse(path).isWithin(SubtreePath.parse(entry));
    }

    private static String ownerOf(SubtreeTable table, String path) {
        return table.ownerOf(SubtreePath.parse(path));
    }

    private static MirrorPlan plan(SubtreeTable table, FakeRouters routers) throws TableRefusedException {
        return MirrorPlan.of(table, routers.stored.values(), EnumSet.noneOf(Consent.class));
    }

    private static void mirror(SubtreeTable table, FakeRouters routers) throws Exception {
        for (MountChange change : plan(table, routers).changes()) {
            routers.applyChange(change, MirrorMark.of(table));
        }
    }
}
