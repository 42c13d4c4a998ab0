/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil journal status}, {@code add}, {@code remove}, {@code replace} and {@code promote}: a journal's
 * nodes and its members.
 */
package io.trefoil.tools.pool;
