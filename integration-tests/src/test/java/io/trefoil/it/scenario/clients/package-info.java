/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Clients during failovers: every mutating call is executed exactly once, for thousands of clients and for whole jobs. */
package io.trefoil.it.scenario.clients;
