/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * How a nameservice is, in one sentence: what was seen of its members and its pool, and the {@link
 * io.trefoil.ha.status.Verdict} on it. Pure; the page {@code /trefoil} and {@code hdfs trefoil status} show it.
 */
package io.trefoil.ha.status;
