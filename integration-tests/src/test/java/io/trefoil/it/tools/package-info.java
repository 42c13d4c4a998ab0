/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The {@code hdfs trefoil} commands and the status pages, against real clusters. */
package io.trefoil.it.tools;
