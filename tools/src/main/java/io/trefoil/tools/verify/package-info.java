/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil journal verify} and {@code repair}: read and compare every node's committed entries, and repair differences.
 */
package io.trefoil.tools.verify;
