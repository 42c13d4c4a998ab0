/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/** One thread's part of a layer: it steps each state that it gets, and writes down where that may lead. */
final class LayerExpansion implements SmallWorld.Sink, AutoCloseable {

    private static final int BUFFERED = 512;

    /** A state that breaks a rule, and where it is. */
    record Finding(int number, String broken) {}

    private final SmallWorld world;
    private final RecentFingerprints recentFingerprints;
    private final RecordWriter[] candidates = new RecordWriter[Layers.FILES];
    private int parent;
    private short way;
    private long steps;
    private Optional<Finding> finding = Optional.empty();

    LayerExpansion(
            SmallWorld world, RecentFingerprints recentFingerprints, Path directory, int thread, int recordBytes) {
        this.world = world;
        this.recentFingerprints = recentFingerprints;
        for (int file = 0; file < Layers.FILES; file++) {
            candidates[file] =
                    new RecordWriter(DiskExplorer.candidates(directory, thread, file), recordBytes, BUFFERED);
        }
    }

    /** Takes states until there are no more, or a thread found one that is wrong. */
    void expand(LayerReader layer, int stateLength, AtomicBoolean found) {
        LayerReader.Block block = new LayerReader.Block(stateLength);
        try {
            while (!found.get() && layer.read(block)) {
                for (int i = 0; i < block.count() && !found.get(); i++) {
                    int[] state = block.state(i);
                    Optional<String> broken = world.violation(state);
                    if (broken.isPresent()) {
                        finding = Optional.of(new Finding(block.first() + i, broken.get()));
                        found.set(true);
                        return;
                    }
                    parent = block.first() + i;
                    way = 0;
                    world.successors(state, this);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void accept(int[] next, Supplier<String> description) {
        steps++;
        short taken = way++;
        long fingerprint = world.fingerprint(next);
        if (recentFingerprints.add(fingerprint)) {
            ByteBuffer record = candidates[Layers.file(fingerprint)].next();
            record.putLong(fingerprint).putInt(parent).putShort(taken);
            for (int number : next) {
                record.putInt(number);
            }
        }
    }

    long steps() {
        return steps;
    }

    Optional<Finding> finding() {
        return finding;
    }

    @Override
    public void close() {
        for (RecordWriter each : candidates) {
            each.close();
        }
    }
}
