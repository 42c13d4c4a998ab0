/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/** A class that uses what only Hadoop's managers of delegation tokens see; it decides when the verdict is left to another NameNode. */
package org.apache.hadoop.security.token.delegation;
