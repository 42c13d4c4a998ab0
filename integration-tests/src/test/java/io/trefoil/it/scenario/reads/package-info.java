/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** No client reads what is not committed, or what is outdated: not from the active, from standbys, or from a deposed active. */
package io.trefoil.it.scenario.reads;
