/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** Classes that use package-private and private parts of Hadoop's RPC; they make no decisions. */
package org.apache.hadoop.ipc;
