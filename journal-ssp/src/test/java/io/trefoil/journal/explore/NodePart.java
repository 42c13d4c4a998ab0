/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
package io.trefoil.journal.explore;

import io.trefoil.journal.replica.ReplicaState;

/** A node: what its process knows, and what its disk has. */
record NodePart(ReplicaState process, Disk disk) {}
