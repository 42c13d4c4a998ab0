/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil subtree}: moves subtrees from one nameservice to another. */
package io.trefoil.tools.federation.subtree;
