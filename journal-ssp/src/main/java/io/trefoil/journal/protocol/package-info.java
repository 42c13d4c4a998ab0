/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The messages between writers, readers and pool nodes, as values; {@code transport} encodes them. They form two closed
 * families, which are together on purpose ({@code docs/design/code-shape.md}, "Rooms").
 *
 * <p>Pure. Begin with {@link io.trefoil.journal.protocol.PoolRequest} and the table of messages in {@code
 * docs/design/ssp-protocol.md}.
 */
package io.trefoil.journal.protocol;
