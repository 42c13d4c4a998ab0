/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil view} and {@code history}: who is active, the state of the others, and how the last failovers
 * went.
 */
package io.trefoil.tools.group;
