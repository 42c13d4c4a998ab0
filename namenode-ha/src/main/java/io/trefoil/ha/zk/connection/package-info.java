/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * The settings for reaching ZooKeeper, and the identity to use: addresses, access lists, secrets and TLS. Has no
 * threads of its own.
 */
package io.trefoil.ha.zk.connection;
