/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** The active is killed, frozen or replaced, by an operator or by the agents, and ZooKeeper is lost. */
package io.trefoil.it.scenario.failover;
