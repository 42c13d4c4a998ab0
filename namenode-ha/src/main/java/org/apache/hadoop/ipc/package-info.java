/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Three classes that use package-private parts of Hadoop's RPC; they decide nothing. */
package org.apache.hadoop.ipc;
