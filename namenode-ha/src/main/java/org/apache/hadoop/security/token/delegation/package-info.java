/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** A class that uses what only Hadoop's managers of delegation tokens see; what it decides is when another NameNode decides. */
package org.apache.hadoop.security.token.delegation;
