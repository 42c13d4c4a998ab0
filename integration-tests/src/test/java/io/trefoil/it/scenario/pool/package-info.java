/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Pool nodes at work: they catch up, serve images, and hold many journals, and clients do not notice. */
package io.trefoil.it.scenario.pool;
