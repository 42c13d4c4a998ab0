/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Nobody reads what is not committed, nor what is no longer so: at the active, at standbys, at one that was replaced. */
package io.trefoil.it.scenario.reads;
