/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.it.federation.moves;

import io.trefoil.it.cluster.server.NameNodeServer;
import io.trefoil.it.cluster.server.Server;
import java.util.Random;

/** Who is killed with -9 in the middle of a move. Servers are started again at once, but ZooKeeper stays down until the move is over. */
enum MoveVictim {
    SOURCES_ACTIVE {
        @Override
        Runnable selectTarget(MovePhase.MoveContext move, Random random) {
            return killAction(move.federation().cluster(move.source()).awaitActive());
        }
    },
    TARGETS_ACTIVE {
        @Override
        Runnable selectTarget(MovePhase.MoveContext move, Random random) {
            return killAction(move.federation().cluster(move.target()).awaitActive());
        }
    },
    MOVER {
        @Override
        Runnable selectTarget(MovePhase.MoveContext move, Random random) {
            return move.federation()::killCommand;
        }
    },
    DATA_NODE {
        @Override
        Runnable selectTarget(MovePhase.MoveContext move, Random random) {
            Server victim = move.federation()
                    .dataNodes()
                    .get(random.nextInt(move.federation().dataNodes().size()));
            return () -> {
                victim.kill9();
                victim.start();
            };
        }
    },
    ZOOKEEPER {
        @Override
        Runnable selectTarget(MovePhase.MoveContext move, Random random) {
            return move.federation().zooKeeper()::kill9ForGood;
        }
    };

    private static Runnable killAction(NameNodeServer active) {
        return active::kill9;
    }

    /** Chooses the process before the moment comes, since asking who is active takes longer than some phases last. */
    abstract Runnable selectTarget(MovePhase.MoveContext move, Random random);
}
