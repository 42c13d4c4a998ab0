/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The log files: which of their frames are valid after a crash (a torn tail is cut, a damaged frame before it is
 * detected, rule R9), spare files, and the newest entries in memory.
 *
 * <p>Only the replica's own thread writes; any thread may read, through {@link io.trefoil.journal.storage.log.LogView}.
 */
package io.trefoil.journal.storage.log;
