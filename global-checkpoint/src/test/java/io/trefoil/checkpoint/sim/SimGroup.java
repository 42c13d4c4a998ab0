/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.checkpoint.sim;

import io.trefoil.checkpoint.model.CheckpointId;
import io.trefoil.checkpoint.model.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One nameservice: its journal, and the NameNode that is active, or several that believe to be. */
final class SimGroup {

    /** What a client wrote; an effect names its cause. */
    record Edit(long number, Optional<Cause> cause) {}

    /** An acknowledged write in another group. */
    record Cause(SimGroup group, Edit edit) {}

    final String name;
    final FederationSimulation world;
    final long clockOffsetMillis;
    final Map<CheckpointId, Manifest> barriers = new TreeMap<>();
    List<Edit> committed = new ArrayList<>();
    long epoch;
    Optional<SimNameNode> active = Optional.empty();

    SimGroup(String name, FederationSimulation world) {
        this.name = name;
        this.world = world;
        this.clockOffsetMillis = world.clock.randomBetween(-500, 500);
        elect();
    }

    /** A new active: it has all that is committed, and recovery may have found more. */
    void elect() {
        List<Edit> recovered = new ArrayList<>(committed);
        active.ifPresent(old -> {
            int more = old.memory.size() - recovered.size();
            if (more > 0 && old.memory.subList(0, recovered.size()).equals(recovered)) {
                int found = world.clock.random.nextInt(more + 1);
                recovered.addAll(old.memory.subList(recovered.size(), recovered.size() + found));
            }
        });
        epoch++;
        committed = new ArrayList<>(recovered);
        active = Optional.of(new SimNameNode(this, epoch, recovered));
    }

    /** Fails over; the old active ends, or only stands still and comes back. */
    void failOver(boolean kill) {
        active.ifPresent(old -> {
            if (kill) {
                old.die();
            } else {
                old.pause();
                world.clock.schedule(world.clock.randomBetween(50, 4_000), old::resume);
            }
        });
        world.clock.schedule(world.clock.randomBetween(20, 1_500), this::elect);
    }

    @Override
    public String toString() {
        return name;
    }
}
