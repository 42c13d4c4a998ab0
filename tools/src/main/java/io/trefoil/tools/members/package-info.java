/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil group add} and {@code remove}: add a NameNode to a running cluster, or remove one. The configuration names the
 * NameNodes; these commands have every server reread it, and check that the server does what it says.
 */
package io.trefoil.tools.members;
