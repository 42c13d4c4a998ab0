/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * How long a lease a writer asks for if that is derived: from the pauses of its host and of its journal's disk
 * (protocol page, "A derived lease").
 *
 * <p>Not from the paper, whose sessions have one length.
 */
package io.trefoil.journal.pool.lease;
