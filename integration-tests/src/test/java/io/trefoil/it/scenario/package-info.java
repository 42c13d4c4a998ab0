/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What may happen to a cluster, each under load; here is what the scenarios share: what they measure and what must hold at the end. */
package io.trefoil.it.scenario;
