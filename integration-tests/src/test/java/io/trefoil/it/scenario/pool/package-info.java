/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Pool nodes catch up, serve images, and hold many journals, without clients noticing. */
package io.trefoil.it.scenario.pool;
