/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.hdfs;

import io.trefoil.journal.pool.Journal;
import io.trefoil.journal.pool.PoolSettings;
import java.io.IOException;

/** The source of this process's journals; the same settings always give the same journal. */
interface Journals {

    /** @throws IOException if the pool node of this process cannot be started, or belongs to another namespace */
    Journal open(PoolSettings settings) throws IOException;
}
