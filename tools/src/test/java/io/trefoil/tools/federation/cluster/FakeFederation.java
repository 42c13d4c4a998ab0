/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.tools.federation.cluster;

import io.trefoil.federation.mirror.FakeRouters;
import io.trefoil.federation.mirror.Routers;
import io.trefoil.federation.move.SubtreeMoves;
import io.trefoil.federation.move.SubtreeSize;
import io.trefoil.federation.table.FakeTableStore;
import io.trefoil.federation.table.SubtreePath;
import io.trefoil.federation.table.TableStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** A table in memory, with moves and Routers that a test may change. */
public class FakeFederation implements Federation {
    public final FakeTableStore subtrees = new FakeTableStore();
    public final FakeRouters routers = new FakeRouters();

    /** By nameservice and path. */
    public final Map<String, SubtreeSize> sizes = new HashMap<>();

    public Supplier<SubtreeMoves> moves = () -> new FakeMoves(subtrees);

    @Override
    public TableStore openTable(Optional<String> directory) {
        return subtrees;
    }

    @Override
    public SubtreeMoves openMoves(TableStore table) {
        return moves.get();
    }

    @Override
    public SubtreeSize.Source openSizes() {
        return new SubtreeSize.Source() {
            @Override
            public Optional<SubtreeSize> of(String nameservice, SubtreePath path) {
                return Optional.ofNullable(sizes.get(nameservice + path));
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Routers openRouters(List<String> addresses) {
        return routers.withRouters(addresses);
    }
}
