/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Links, disks and hosts under the journal fail or are slow, while the active goes on. */
package io.trefoil.it.scenario.faults;
