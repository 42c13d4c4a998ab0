/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The state of a nameservice: the observations of its members and its pool, and the {@link
 * io.trefoil.ha.status.Verdict} on it in one sentence. Pure; the page {@code /trefoil} and {@code hdfs trefoil status}
 * show it.
 */
package io.trefoil.ha.status;
