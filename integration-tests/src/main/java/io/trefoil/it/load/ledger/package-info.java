/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The memory of a load: what was asked, what was answered, and whether a file system holds exactly that.
 *
 * <p>Entry classes: {@link io.trefoil.it.load.ledger.ChangeLedger} and {@link io.trefoil.it.load.ledger.Verifier}.
 */
package io.trefoil.it.load.ledger;
