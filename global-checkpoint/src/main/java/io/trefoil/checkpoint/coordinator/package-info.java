/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Brings all groups to one instant: the pure rules of the coordinator. */
package io.trefoil.checkpoint.coordinator;
