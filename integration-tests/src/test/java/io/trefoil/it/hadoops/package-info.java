/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Other releases of Hadoop than the one that the clusters run. */
package io.trefoil.it.hadoops;
