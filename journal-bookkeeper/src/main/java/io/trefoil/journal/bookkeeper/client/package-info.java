/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Ledgers on bookies, through BookKeeper's client; its types stay here. */
package io.trefoil.journal.bookkeeper.client;
