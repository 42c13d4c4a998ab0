/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** What of Hadoop's RPC is visible in its own package only. One class, which decides nothing. */
package org.apache.hadoop.ipc;
