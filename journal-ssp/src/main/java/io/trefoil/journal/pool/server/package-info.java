/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A process's pool node: accepts sessions and hands each request to the replica of its journal (paper §4.1.1).
 *
 * <p>Sessions are served on the threads of {@code transport.server}; nothing here waits for a disk, or for a lock that
 * is held during disk I/O.
 */
package io.trefoil.journal.pool.server;
