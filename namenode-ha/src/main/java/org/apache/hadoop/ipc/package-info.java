/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What is visible only inside this package of Hadoop's RPC. Two classes, which decide nothing. */
package org.apache.hadoop.ipc;
