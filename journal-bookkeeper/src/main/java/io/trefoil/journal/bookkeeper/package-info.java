/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A journal in the ledgers of Apache BookKeeper (docs/design/bookkeeper.md): the port {@code Journal}, its writer and its reader.
 * Callers' threads read and wait; one thread of the writer talks to metadata, and BookKeeper's threads confirm.
 */
package io.trefoil.journal.bookkeeper;
