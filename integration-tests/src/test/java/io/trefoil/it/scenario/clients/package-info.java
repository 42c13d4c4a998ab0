/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Clients through failovers: every mutating call is executed exactly once, by thousands of clients and by whole jobs. */
package io.trefoil.it.scenario.clients;
