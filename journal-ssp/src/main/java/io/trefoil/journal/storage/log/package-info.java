/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The log files: frames, what of them holds after a crash (a torn tail is cut, a damaged frame before it is found, rule R9),
 * spare files, and the newest entries in memory.
 *
 * <p>Written by the replica's own thread; read by any, by way of {@link io.trefoil.journal.storage.log.LogView}.
 */
package io.trefoil.journal.storage.log;
