/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The calls to bookies that the journal needs, and the format of its entries in ledgers. */
package io.trefoil.journal.bookkeeper.ledger;
