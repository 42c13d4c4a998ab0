/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil status}, {@code view} and {@code history}: the state of a nameservice, its active, the other members, and the last
 * failovers.
 */
package io.trefoil.tools.group;
