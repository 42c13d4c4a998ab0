/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What is visible only inside this package of Hadoop's RPC. One class, which decides nothing. */
package org.apache.hadoop.ipc;
