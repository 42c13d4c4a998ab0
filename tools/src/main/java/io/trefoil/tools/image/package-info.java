/* Copyright The Trefoil Authors
 * SPDX-License-Identifier: Apache-2.0 */
/**
 * {@code hdfs trefoil image} and {@code renew}: list and fetch images in the pool, and prepare a NameNode to start from one (paper
 * §4.2.3).
 */
package io.trefoil.tools.image;
