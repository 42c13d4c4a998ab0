/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * Restores a checkpoint or undoes a restore on this host, and finds the changes that a restore would lose (paper §4.3).
 * The rules in {@code checkpoint.restore} make the plan.
 *
 * <p>Runs on the command's thread, while the NameNode of this host is stopped.
 */
package io.trefoil.checkpoint.hdfs.restore;
