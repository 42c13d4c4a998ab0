/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The record of a journal: its ledgers, and the permitted writer; pure except for the port to the record's store. */
package io.trefoil.journal.bookkeeper.record;
