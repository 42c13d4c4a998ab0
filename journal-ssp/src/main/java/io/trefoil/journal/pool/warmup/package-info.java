/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A takeover in small, before there is a real one: a journal of its own in a folder that is thrown away, so that the classes
 * and the code that the first takeover of a process needs are loaded and compiled (paper §4.2.2, the time of a failover).
 *
 * <p>On the thread of whoever calls it, and on those of the pool node that it starts.
 */
package io.trefoil.journal.pool.warmup;
