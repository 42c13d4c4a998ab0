/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Disks that fail, lose what was not synced, rot, and are exchanged: {@link io.trefoil.journal.sim.disk.SimDisk} keeps
 * a log in memory, for the rules alone; {@link io.trefoil.journal.sim.disk.FilesDisk} keeps the real files.
 */
package io.trefoil.journal.sim.disk;
