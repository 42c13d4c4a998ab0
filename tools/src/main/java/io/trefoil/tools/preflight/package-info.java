/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil preflight}: checks whether this host is ready for a NameNode, and what to do if it is not. */
package io.trefoil.tools.preflight;
