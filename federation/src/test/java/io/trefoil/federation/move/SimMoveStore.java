/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.federation.move;

import io.trefoil.federation.move.progress.MoveProgress;
import io.trefoil.federation.table.TableRefusedException;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The record of the simulated move, as one process reads and writes it. */
final class SimMoveStore implements MoveStore {

    private final SimMover mover;
    private final MoveSimulation world;

    SimMoveStore(SimMover mover) {
        this.mover = mover;
        world = mover.world;
    }

    @Override
    public Closeable lock() throws IOException {
        if (world.holder.isPresent() && !world.holder.get().isStalled && !world.holder.get().isDead) {
            throw new TableRefusedException("another process has the lock");
        }
        world.holder = Optional.of(mover);
        return () -> {
            if (mover.hasLock() && !mover.isDead) {
                world.holder = Optional.empty();
            }
        };
    }

    @Override
    public void requireLock() throws IOException {
        mover.read("lock?", () -> {
            mover.requireLock();
            return true;
        });
    }

    @Override
    public Optional<MoveRecord> current() throws IOException {
        return mover.read("current", () -> world.record);
    }

    /** A process that gets the lock deletes what was written of a record. */
    private void write(String name, SimMover.Action action) throws IOException {
        mover.callMaybeDelayed(name, () -> {
            mover.requireLock();
            action.run();
            world.recordNumber++;
        });
    }

    @Override
    public boolean begin(MoveRecord record) throws IOException {
        boolean[] isMade = {false};
        write("begin", () -> {
            if (world.record.isEmpty()) {
                world.record = Optional.of(record);
                isMade[0] = true;
            }
        });
        return isMade[0];
    }

    @Override
    public void update(MoveRecord record) throws IOException {
        write("update " + record.phase(), () -> {
            if (world.record.isEmpty() || !world.record.get().id().equals(record.id())) {
                throw new IOException("there is no such record");
            }
            world.record = Optional.of(record);
        });
    }

    @Override
    public void end(MoveRecord record) throws IOException {
        long number = world.recordNumber;
        mover.callMaybeDelayed("end", () -> {
            if (world.record.isEmpty() || world.recordNumber != number) {
                throw new IOException("there is no such record");
            }
            world.record = Optional.empty();
            world.ended.add(record.id());
        });
    }

    @Override
    public boolean hasEnded(MoveRecord record) {
        return world.ended.contains(record.id());
    }

    @Override
    public void saveProgress(MoveProgress progress) {}

    @Override
    public Optional<MoveProgress> readProgress(MoveRecord record) {
        return Optional.empty();
    }
}
