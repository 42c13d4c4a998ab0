/* Copyright The Trefoil Authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * The values that everything else uses: entries, positions, epochs, members; one family, made of one another ({@code
 * docs/design/code-shape.md}, "Rooms").
 *
 * <p>Pure: no I/O, no clock, no thread. Begin with {@link io.trefoil.journal.model.Entry} and {@link
 * io.trefoil.journal.model.LogSummary}. The terms are those of {@code docs/design/ssp-protocol.md}.
 */
package io.trefoil.journal.model;
