/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** How this process reaches ZooKeeper, and as whom: addresses, access lists, secrets and TLS. Has no threads of its own. */
package io.trefoil.ha.zk.connection;
