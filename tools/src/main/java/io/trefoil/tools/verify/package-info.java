/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil journal verify} and {@code repair}: reads what every node has committed, compares it, and repairs
 * what differs.
 */
package io.trefoil.tools.verify;
