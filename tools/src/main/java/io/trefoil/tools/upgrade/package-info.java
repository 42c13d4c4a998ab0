/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil upgrade}: a rolling upgrade, one NameNode at a time, through commands that an orchestrator can call. {@code
 * UpgradePlanner} decides by what the status of the nameservice says now; an upgrade remembers only the drained NameNodes, and
 * ZooKeeper keeps these. Nothing is stopped or started here.
 */
package io.trefoil.tools.upgrade;
