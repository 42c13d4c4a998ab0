/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil status}, {@code view} and {@code history}: how a nameservice is, who is active, the state of the
 * others, and how the last failovers went.
 */
package io.trefoil.tools.group;
