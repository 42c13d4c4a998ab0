/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** {@code hdfs trefoil preflight}: whether this host is ready for a NameNode, and what to do if not. */
package io.trefoil.tools.preflight;
