/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * A class that uses internals visible only to Hadoop's managers of delegation tokens; it decides when the verification is left to another
 * NameNode.
 */
package org.apache.hadoop.security.token.delegation;
