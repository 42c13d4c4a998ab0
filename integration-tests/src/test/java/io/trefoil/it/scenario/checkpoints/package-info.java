/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Global checkpoints of federations, kills in the middle of them, and what a restore leaves on DataNodes. */
package io.trefoil.it.scenario.checkpoints;
