/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Apache BookKeeper, to compare with: its bookies, their ZooKeeper, and the ledger that the writer's process appends to. */
package io.trefoil.benchmarks.writer.bookkeeper;
