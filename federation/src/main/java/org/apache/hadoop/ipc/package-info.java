/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Hadoop's own package: contains only what needs access to its package-private members, and decides nothing. */
package org.apache.hadoop.ipc;
