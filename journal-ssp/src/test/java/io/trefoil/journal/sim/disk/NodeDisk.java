/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.sim.disk;

import io.trefoil.journal.model.Incarnation;
import io.trefoil.journal.storage.StorageDevice;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The disk of a node as the simulator treats it; see {@link SimDisk}. */
public interface NodeDisk {

    StorageDevice device();

    void kill();

    void crash();

    void wipe();

    void eject();

    void reinsert();

    boolean hasOldStorage();

    Optional<Long> corrupt();

    List<Long> unprovenSns();

    void damage(long sn);

    Optional<Incarnation> incarnation();

    void failAt(int k);

    void crashAt(int k);

    void failAllocationAt(int k);

    void heal();

    void setSyncDuration(Duration time);

    Duration takeSpentTime();
}
