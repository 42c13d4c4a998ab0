/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The values that everything else uses: entries, positions, epochs, members. They form one family, because they contain
 * each other ({@code docs/design/code-shape.md}, "Rooms").
 *
 * <p>Pure: no I/O, no clock, no thread. Begin with {@link io.trefoil.journal.model.Entry} and {@link
 * io.trefoil.journal.model.LogSummary}. {@code docs/design/ssp-protocol.md} defines the terms.
 */
package io.trefoil.journal.model;
