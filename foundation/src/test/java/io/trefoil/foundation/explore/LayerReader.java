/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.foundation.explore;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** The states of a layer in order, a few at a time, for several threads. */
final class LayerReader implements AutoCloseable {

    /** Some states that follow each other. */
    static final class Block {
        private static final int MAX_STATES = 1 << 10;

        private final int[][] states;
        private int first;
        private int count;

        Block(int stateLength) {
            states = new int[MAX_STATES][stateLength];
        }

        int first() {
            return first;
        }

        int count() {
            return count;
        }

        int[] state(int i) {
            return states[i];
        }
    }

    private final Path directory;
    private final int layer;
    private final int stateBytes;
    private RecordReader reader;
    private int file;
    private int read;

    LayerReader(Path directory, int layer, int stateLength) throws IOException {
        this.directory = directory;
        this.layer = layer;
        this.stateBytes = stateLength * Integer.BYTES;
        reader = new RecordReader(stateFile(directory, layer, 0), stateBytes);
    }

    static Path stateFile(Path directory, int layer, int file) {
        return directory.resolve("states-" + layer + "-" + file);
    }

    /** Fills a block; false if there is nothing left. */
    synchronized boolean read(Block block) throws IOException {
        block.first = read;
        block.count = 0;
        while (block.count < Block.MAX_STATES && file < Layers.FILES) {
            if (reader.next()) {
                int[] state = block.states[block.count++];
                ByteBuffer record = reader.record();
                for (int i = 0; i < state.length; i++) {
                    state[i] = record.getInt();
                }
                read++;
            } else {
                reader.close();
                file++;
                if (file < Layers.FILES) {
                    reader = new RecordReader(stateFile(directory, layer, file), stateBytes);
                }
            }
        }
        return block.count > 0;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
