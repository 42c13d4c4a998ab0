/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The record of a load: the requests of clients, their answers, and a check that a file system holds exactly that.
 *
 * <p>Entry classes: {@link io.trefoil.it.load.ledger.ChangeLedger} and {@link io.trefoil.it.load.ledger.Verifier}.
 */
package io.trefoil.it.load.ledger;
