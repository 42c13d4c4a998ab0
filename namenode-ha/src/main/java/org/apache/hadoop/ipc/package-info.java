/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Classes that use package-private and private parts of Hadoop's RPC; they decide nothing. */
package org.apache.hadoop.ipc;
