/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil table}: shows and changes the owners of subtrees. The rules are in {@code model}. */
package io.trefoil.tools.federation.table;
